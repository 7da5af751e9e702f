internal import Posts

/// What a command did that had a request id, so that the same one again does it once: the column `post_id` of
/// `requests`.
enum Made: Equatable {
  /// It wrote, marked or edited a post.
  case post(PostID)
  /// It deleted one.
  case deletion(PostID)
  /// It took back, or did again, the step of this number.
  case step(Int64)
  /// It could not, and the step of this number is passed over since.
  case obstacle(Int64)

  /// Above the numbers of all posts, and of all steps.
  private static let mark: Int64 = 1 << 62

  /// What a row has.
  init(column: Int64) {
    self =
      switch column {
      case Self.mark...: .deletion(PostID(column - Self.mark))
      case ...(-Self.mark): .obstacle(-Self.mark - column)
      case ..<0: .step(-column)
      default: .post(PostID(column))
      }
  }

  /// As a row has it.
  var column: Int64 {
    switch self {
    case .post(let post): post.rawValue
    case .deletion(let post): Self.mark + post.rawValue
    case .step(let number): -number
    case .obstacle(let number): -Self.mark - number
    }
  }
}

extension StoreReader {
  /// What an earlier command of an account with the same request id did; nil for none, and for an empty one.
  func made(by requestID: String, _ account: AccountID) throws(StoreError) -> Made? {
    if requestID.isEmpty { return nil }
    let statement = try connection.statement(.findRequest)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, text: requestID)
    return try statement.step() ? Made(column: statement.integer(0)) : nil
  }
}
