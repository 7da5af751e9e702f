/// Bytes that are not the message they should be.
public struct DecodingFailure: Error, Equatable, Sendable {
  /// The field that is wrong, by its path from the message; nil where it is no single one.
  public let field: String?
  /// The limit that it breaks; nil where there is none.
  public let limit: Int?
  private let problem: String

  /// A failure of the message as a whole.
  public init(_ reason: String, limit: Int? = nil) {
    field = nil
    problem = reason
    self.limit = limit
  }

  /// A failure of one field: `problem` goes on with the sentence that its path begins.
  init(field: String, _ problem: String, limit: Int? = nil) {
    self.field = field
    self.problem = problem
    self.limit = limit
  }

  /// What was wrong, for the status message of the call.
  public var reason: String { field.map { "\($0) \(problem)" } ?? problem }

  /// The same failure as seen from the message that has the failing one in its field `name`.
  func inside(_ name: String) -> DecodingFailure {
    guard let field else { return self }
    return DecodingFailure(field: "\(name).\(field)", problem, limit: limit)
  }

  /// Bytes that are no message of a type.
  static func noMessage(of type: String) -> DecodingFailure { DecodingFailure(Self.noMessage + type) }

  private static let noMessage = "not a message of type "

  /// The same; where the bytes are no message at all it is said that they are none of `type`. For schema messages that
  /// one Swift type stands for, of which only the method knows which it is.
  public func naming(_ type: String) -> DecodingFailure {
    problem.hasPrefix(Self.noMessage) ? .noMessage(of: type) : self
  }
}
