/// The protocol spoken on a stream, as a machine without I/O: bytes in, bytes out, and a time at which something is
/// due.
///
/// Times are those of `Loop.now`.
public protocol StreamMachine: AnyObject {
  /// Called when there is something to send after there was nothing.
  var onOutput: (() -> Void)? { get set }
  /// Whether there is something to send.
  var hasOutput: Bool { get }
  /// Whether the stream should be closed, once what has been taken is sent.
  var wantsClose: Bool { get }
  /// Whether all is lost: the stream should be closed at once, whatever still waits to be sent.
  var hasGivenUp: Bool { get }
  /// When `timeReached` is next due; nil for never.
  var nextDeadline: Duration? { get }
  /// Takes bytes from the peer, lent for the call.
  func receive(_ bytes: RawSpan, at now: Duration)
  /// Moves bytes for the peer to the end of `buffer`, and stops soon after `limit`. False if there were none.
  func takeOutput(into buffer: inout [UInt8], limit: Int) -> Bool
  /// Does what is due at `now`.
  func timeReached(_ now: Duration)
}
