internal import Posts

/// The effect of a command with a request ID, which makes retries idempotent.
enum IdempotencyRecord: Equatable {
  /// The command wrote, marked or edited a post.
  case post(PostID)
  /// The command deleted a post.
  case deletion(PostID)
  /// The command undid or redid the undo entry with this number.
  case entry(Int64)
  /// The command could not undo or redo the undo entry with this number, which is skipped since.
  case obstacle(Int64)

  /// Decodes the columns `kind` and `subject` of `requests`; nil for a kind of a later version.
  init?(kind: Int64, subject: Int64) {
    switch kind {
    case 0: self = .post(PostID(subject))
    case 1: self = .deletion(PostID(subject))
    case 2: self = .entry(subject)
    case 3: self = .obstacle(subject)
    default: return nil
    }
  }

  /// The encoded columns.
  var columns: (kind: Int64, subject: Int64) {
    switch self {
    case .post(let post): (0, post.rawValue)
    case .deletion(let post): (1, post.rawValue)
    case .entry(let number): (2, number)
    case .obstacle(let number): (3, number)
    }
  }
}

/// Records the request IDs of accounts' commands, and what those commands did.
struct RequestLog {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the record of an earlier command of an account with the same request ID; nil if there is none, or the
  /// request ID is empty.
  func record(for requestID: String, _ account: AccountID) throws(StoreError) -> IdempotencyRecord? {
    if requestID.isEmpty { return nil }
    let found = try connection.first(RequestQuery.find, account, requestID) { row in
      IdempotencyRecord(kind: row.integer(0), subject: row.integer(1))
    }
    return found ?? nil
  }

  /// Records what a command did, and forgets the oldest records.
  func remember(_ requestID: String, _ account: AccountID, _ record: IdempotencyRecord) throws(StoreError) {
    if requestID.isEmpty { return }
    let (kind, subject) = record.columns
    let last = try connection.insert(RequestQuery.insert, account, requestID, kind, subject)
    try connection.run(RequestQuery.forget, last - Int64(StoreLimits.requestsKept))
  }

  /// Refuses a request ID that is too long.
  func check(_ requestID: String) throws(Refusal) {
    guard requestID.utf8.count <= StoreLimits.requestIDBytes else {
      throw .tooLong("the request ID", limit: StoreLimits.requestIDBytes)
    }
  }
}
