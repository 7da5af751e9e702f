/// An error in the bytes of a message.
public struct DecodingFailure: Error, Equatable, Sendable {
  /// Path of the invalid field from the message; nil if no single field is invalid.
  public let field: String?
  /// The limit that was exceeded; nil if there is none.
  public let limit: Int?
  private let problem: String

  /// A failure of the message as a whole.
  public init(_ reason: String, limit: Int? = nil) {
    field = nil
    problem = reason
    self.limit = limit
  }

  /// A failure of one field: `problem` completes the sentence that begins with its path.
  init(field: String, _ problem: String, limit: Int? = nil) {
    self.field = field
    self.problem = problem
    self.limit = limit
  }

  /// The error text, for the status message of the call.
  public var reason: String { field.map { "\($0) \(problem)" } ?? problem }

  /// Returns the same failure as seen from the message that holds the failing one in its field `name`.
  func inside(_ name: String) -> DecodingFailure {
    guard let field else { return self }
    return DecodingFailure(field: "\(name).\(field)", problem, limit: limit)
  }

  /// Returns the failure for bytes that are not a message of a type.
  static func invalidMessage(ofType type: String) -> DecodingFailure {
    DecodingFailure(Self.invalidMessagePrefix + type)
  }

  private static let invalidMessagePrefix = "not a message of type "

  /// Returns the same failure, with `type` as the message type if the bytes are not a message at all. For schema
  /// messages that share one Swift type, where only the method knows the name.
  public func naming(_ type: String) -> DecodingFailure {
    problem.hasPrefix(Self.invalidMessagePrefix) ? .invalidMessage(ofType: type) : self
  }
}
