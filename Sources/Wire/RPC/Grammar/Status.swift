/// How a call ended. Everything but `ok` is an error, and may be thrown.
public struct Status: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of end it is.
  public var code: StatusCode
  /// A sentence for a person, any Unicode text; on the wire percent-encoded, as `grpc-message`.
  public var message: String
  /// A serialized `google.rpc.Status` with more, or empty; on the wire `grpc-status-details-bin`.
  public var details: [UInt8]

  /// Names an end.
  public init(_ code: StatusCode, _ message: String = "", details: [UInt8] = []) {
    self.code = code
    self.message = message
    self.details = details
  }

  /// The call did what was asked.
  public static let ok = Status(.ok)

  /// Whether the call did what was asked.
  public var isOK: Bool { code == .ok }

  /// `NOT_FOUND: no such pane`.
  public var description: String { message.isEmpty ? code.description : "\(code): \(message)" }
}
