/// How a call ended, if not well.
public struct CallEnd: Error, Equatable, Sendable {
  /// gRPC's number of it.
  public var code: Int
  /// A sentence for people.
  public var message: String

  /// Puts the parts together.
  public init(code: Int, message: String) {
    self.code = code
    self.message = message
  }

  static let ok = 0
  static let deadlineExceeded = 4
  static let cancelled = 1
  static let notFound = 5
  static let resourceExhausted = 8
  static let unavailable = 14

  /// Nobody knows whether it was done, or it can be tried again.
  var isTransient: Bool { [Self.cancelled, Self.deadlineExceeded, Self.unavailable].contains(code) }
}
