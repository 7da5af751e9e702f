internal import Posts

/// What a command did that had a request id, so that the same one again does it once: the column `post_id` of
/// `requests`.
enum IdempotencyRecord: Equatable {
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

/// The request ids of accounts' commands, and what those did.
struct RequestLog {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// What an earlier command of an account with the same request id did; nil for none, and for an empty one.
  func done(by requestID: String, _ account: AccountID) throws(StoreError) -> IdempotencyRecord? {
    if requestID.isEmpty { return nil }
    return try connection.first(RequestQuery.find, account, requestID) { IdempotencyRecord(column: $0.integer(0)) }
  }

  /// Remembers what a command did; the oldest are forgotten.
  func remember(_ requestID: String, _ account: AccountID, _ record: IdempotencyRecord) throws(StoreError) {
    if requestID.isEmpty { return }
    let last = try connection.insert(RequestQuery.insert, account, requestID, record.column)
    try connection.run(RequestQuery.forget, last - Int64(StoreLimits.requestsKept))
  }

  /// Refuses a request id that is too long.
  func check(_ requestID: String) throws(Refusal) {
    guard requestID.utf8.count <= StoreLimits.requestIDBytes else {
      throw .tooLong("the request id", limit: StoreLimits.requestIDBytes)
    }
  }
}
