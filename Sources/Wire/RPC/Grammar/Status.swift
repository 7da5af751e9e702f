/// The final status of a call. Every code but `ok` is an error and may be thrown.
public struct Status: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of result.
  public var code: StatusCode
  /// A sentence for people, any Unicode text; percent-encoded on the wire as `grpc-message`.
  public var message: String
  /// A serialized `google.rpc.Status` with details, or empty; `grpc-status-details-bin` on the wire.
  public var details: [UInt8]

  /// A status with a code, a message and details.
  public init(_ code: StatusCode, _ message: String = "", details: [UInt8] = []) {
    self.code = code
    self.message = message
    self.details = details
  }

  /// The call succeeded.
  public static let ok = Status(.ok)

  /// True if the call succeeded.
  public var isOK: Bool { code == .ok }

  /// The code and the message: `NOT_FOUND: no such pane`.
  public var description: String { message.isEmpty ? code.description : "\(code): \(message)" }
}
