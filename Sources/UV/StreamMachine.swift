/// The protocol of a stream, as a state machine without I/O: bytes in, bytes out, and a deadline.
///
/// Times are those of `Loop.now`.
public protocol StreamMachine: AnyObject {
  /// Called when output becomes available after there was none.
  var onOutput: (() -> Void)? { get set }
  /// True if there is something to send.
  var hasOutput: Bool { get }
  /// True if the stream should be closed once the bytes taken so far are sent.
  var wantsClose: Bool { get }
  /// True if the stream should be closed at once, even with unsent output.
  var hasGivenUp: Bool { get }
  /// The time at which `timeReached` is next due; nil for never.
  var nextDeadline: Duration? { get }
  /// Processes bytes from the peer, valid only during the call.
  func receive(_ bytes: RawSpan, at now: Duration)
  /// Moves bytes for the peer to the end of `buffer`, and stops soon after `limit`. Returns false if there were none.
  func takeOutput(into buffer: inout [UInt8], limit: Int) -> Bool
  /// Reports how many bytes of the output taken so far the stream still holds, when that has changed and is known.
  func outputWaits(_ byteCount: Int)
  /// Does the work due at `now`.
  func timeReached(_ now: Duration)
}

extension StreamMachine {
  /// Does nothing, for machines that count no bytes.
  public func outputWaits(_ byteCount: Int) {}
}
