/// Why the engine refuses, in the terms of the protocol (protocol.md, section 6).
public struct EngineError: Error, Equatable, Sendable {
  /// What kind of refusal.
  public enum Code: Sendable {
    case invalidArgument
    case notFound
    case aborted
    case failedPrecondition
    case resourceExhausted
    case permissionDenied
    case unavailable
    case `internal`
  }
  public let code: Code
  /// One line that says what to do.
  public let message: String

  /// A refusal of `code`.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
