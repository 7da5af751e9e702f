internal import Dates
internal import Posts

/// Reads drafts.
struct DraftReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the drafts of an account, the last saved first.
  func drafts(of account: AccountID) throws(StoreError) -> [StoredDraft] {
    try connection.rows(DraftQuery.ofAccount, account, read: StoredDraft.init(row:))
      .sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
  }

  /// Returns a draft of an account; nil if the account has no draft with this ID.
  func draft(_ id: Int64, of account: AccountID) throws(StoreError) -> StoredDraft? {
    try connection.first(DraftQuery.byNumber, id, account, read: StoredDraft.init(row:))
  }
}

/// Saves and deletes drafts. Drafts are private to their account and no view shows them, so they have no revision and
/// appear in no frame.
struct Drafts {
  private let connection: Connection
  private let reader: DraftReader
  private let requests: RequestLog

  init(_ connection: Connection) {
    self.connection = connection
    reader = DraftReader(connection)
    requests = RequestLog(connection)
  }

  /// Saves the state of a draft and returns its ID. A text without a visible character deletes the draft and returns
  /// nil.
  func save(_ saved: SavedDraft) throws -> Int64? {
    _ = try AccountReader(connection).existing(saved.account)
    try requests.check(saved.requestID)
    guard saved.text.count <= StoreLimits.draftBytes else {
      throw Refusal.tooLong("the draft", limit: StoreLimits.draftBytes)
    }
    var known = saved.draft
    if let id = known {
      guard try reader.draft(id, of: saved.account) != nil else { throw Refusal.noSuchDraft(id) }
    } else {
      known = try find(saved.requestID, of: saved.account)
    }
    guard saved.text.hasVisibleCharacter else {
      try forget(known, of: saved.account)
      return nil
    }
    if let known {
      try connection.run(
        DraftQuery.update, known, saved.text, saved.at, StoredDraft.column(saved.visibility), saved.contentWarning,
        saved.language)
      return known
    }
    guard try reader.drafts(of: saved.account).count < StoreLimits.drafts else {
      throw Refusal.tooMany("drafts", limit: StoreLimits.drafts)
    }
    return try connection.insert(
      DraftQuery.insert, saved.account, saved.subject.kind | StoredDraft.column(saved.visibility), saved.subject.post,
      saved.text, saved.at, saved.requestID, saved.contentWarning, saved.language)
  }

  /// Deletes a draft of an account.
  func delete(_ account: AccountID, _ id: Int64) throws {
    guard try reader.draft(id, of: account) != nil else { throw Refusal.noSuchDraft(id) }
    try forget(id, of: account)
  }

  /// Deletes a draft, if it still exists, after its text was posted.
  func forget(_ id: Int64?, of account: AccountID) throws(StoreError) {
    if let id { try connection.run(DraftQuery.delete, id, account) }
  }

  private func find(_ requestID: String, of account: AccountID) throws(StoreError) -> Int64? {
    requestID.isEmpty ? nil : try connection.number(DraftQuery.byRequest, account, requestID)
  }
}

extension StoredDraft.Subject {
  /// The lowest two bits of the column `kind`.
  fileprivate var kind: Int64 {
    switch self {
    case .post: 0
    case .answer: 1
    case .edit: 2
    }
  }
}

extension StoredDraft {
  /// Reads the columns of a draft: ID, kind, post, text, instant, warning and language.
  fileprivate init(row: Statement) {
    let subject: Subject =
      switch (row.integer(1) & 3, row.optionalInteger(2)) {
      case (1, let post?): .answer(to: PostID(post))
      case (2, let post?): .edit(of: PostID(post))
      default: .post
      }
    self.init(
      id: row.integer(0), subject: subject, text: SafeText(trusted: row.bytes(3)),
      updatedAt: Instant(milliseconds: row.integer(4)),
      visibility: UInt8(exactly: (row.integer(1) >> 2) - 1).flatMap(Visibility.init(rawValue:)),
      contentWarning: SafeText(trusted: row.bytes(5)), language: SafeText(trusted: row.bytes(6)))
  }

  /// The other bits of the column `kind`: 0, or 4 more than four times the visibility.
  fileprivate static func column(_ visibility: Visibility?) -> Int64 {
    visibility.map { (Int64($0.rawValue) + 1) << 2 } ?? 0
  }
}
