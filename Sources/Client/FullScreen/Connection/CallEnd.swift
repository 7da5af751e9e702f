/// The status of a call that failed.
public struct CallEnd: Error, Equatable, Sendable {
  /// The gRPC status code.
  public var code: Int
  /// A message for people.
  public var message: String

  public init(code: Int, message: String) {
    self.code = code
    self.message = message
  }

  static let cancelled = 1
  static let deadlineExceeded = 4
  static let notFound = 5
  static let permissionDenied = 7
  static let unavailable = 14

  /// True if the outcome is unknown, or the call can be tried again.
  var isTransient: Bool { [Self.cancelled, Self.deadlineExceeded, Self.unavailable].contains(code) }
}
