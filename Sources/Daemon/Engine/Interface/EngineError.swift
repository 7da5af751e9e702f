/// A refusal by the engine, in the terms of the protocol (docs/PROTOCOL.md, "Errors").
public struct EngineError: Error, Equatable, Sendable {
  /// The kind of refusal.
  public enum Code: Sendable {
    case invalidArgument
    case notFound
    case alreadyExists
    case aborted
    case failedPrecondition
    case resourceExhausted
    case permissionDenied
    case unauthenticated
    case unavailable
    case `internal`
  }
  /// A machine-readable reason that distinguishes refusals of one code. Its wire form never changes.
  public enum Reason: String, Sendable {
    /// The token was not issued by this daemon, or has been revoked.
    case badToken = "BAD_TOKEN"
    /// A queue is full; it drains by itself.
    case busy = "BUSY"
    /// The store's disk is full.
    case diskFull = "DISK_FULL"
    /// The token lacks the required scope.
    case missingScope = "MISSING_SCOPE"
    /// The client has read nothing for too long.
    case stalled = "STALLED"
    /// The daemon is stopping.
    case stopping = "STOPPING"
    /// The store is currently unavailable.
    case storeUnavailable = "STORE_UNAVAILABLE"
  }
  public let code: Code
  /// One line for people, which says what to do.
  public var message: String
  /// Nil if the code alone is specific enough.
  public let reason: Reason?
  /// The path of the invalid field from the request message, in schema names; nil unless exactly one field is at fault.
  public let field: String?
  /// The limit that was reached or exceeded; nil if no limit is involved.
  public let limit: Int?
  /// The actual amount that exceeds the limit; nil if clients do not need it.
  public var length: Int?

  public init(_ code: Code, _ message: String, reason: Reason? = nil, field: String? = nil, limit: Int? = nil) {
    self.code = code
    self.message = message
    self.reason = reason
    self.field = field
    self.limit = limit
  }
}
