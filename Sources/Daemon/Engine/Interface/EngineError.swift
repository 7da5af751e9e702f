/// Why the engine refuses, in the terms of the protocol (protocol.md, section 6).
public struct EngineError: Error, Equatable, Sendable {
  /// What kind of refusal.
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
  /// What tells programs refusals of one code apart; as on the wire, where it never changes.
  public enum Reason: String, Sendable {
    /// The token is none of this daemon's, or was taken back.
    case badToken = "BAD_TOKEN"
    /// A queue is full that empties by itself.
    case busy = "BUSY"
    /// The store's disk is full.
    case diskFull = "DISK_FULL"
    /// The token does not allow it.
    case missingScope = "MISSING_SCOPE"
    /// The client took nothing for too long.
    case stalled = "STALLED"
    /// The daemon is stopping.
    case stopping = "STOPPING"
    /// The store cannot be used now.
    case storeUnavailable = "STORE_UNAVAILABLE"
  }
  public let code: Code
  /// One line that says what to do.
  public var message: String
  /// Nil where the code says enough.
  public let reason: Reason?
  /// The field that is wrong, by its path from the request's message in the names of the schema; nil where it is no
  /// single one.
  public let field: String?
  /// The limit that was reached or broken; nil where there is none.
  public let limit: Int?
  /// How much there is of what is above the limit; nil where nobody needs to be told.
  public var length: Int?

  /// A refusal of `code`.
  public init(_ code: Code, _ message: String, reason: Reason? = nil, field: String? = nil, limit: Int? = nil) {
    self.code = code
    self.message = message
    self.reason = reason
    self.field = field
    self.limit = limit
  }
}
