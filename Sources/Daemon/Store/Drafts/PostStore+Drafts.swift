internal import Dates
public import Posts

/// Drafts are nobody's business but their account's: no view shows them, so they are stored without a revision, and no
/// frame tells of one.
extension PostStore {
  /// Keeps the state of a draft; nil where nothing of it is seen, and so there is none any more.
  func saveDraft(_ saved: SavedDraft) throws -> Int64? {
    _ = try existing(saved.account)
    try check(requestID: saved.requestID)
    guard saved.text.count <= StoreLimits.draftBytes else {
      throw Refusal.tooLong("the draft", limit: StoreLimits.draftBytes)
    }
    var known = saved.draft
    if let id = known {
      guard try draft(id, of: saved.account) != nil else { throw Refusal.noSuchDraft(id) }
    } else {
      known = try draft(called: saved.requestID, of: saved.account)
    }
    guard saved.text.hasVisibleCharacter else {
      if let known { try throwAway(known, of: saved.account) }
      return nil
    }
    if let known {
      let statement = try connection.statement(.updateDraft)
      defer { statement.reset() }
      statement.bind(1, known)
      statement.bind(2, text: saved.text.utf8)
      statement.bind(3, saved.at.milliseconds)
      _ = try statement.step()
      return known
    }
    guard try drafts(of: saved.account).count < StoreLimits.drafts else {
      throw Refusal.tooMany("drafts", limit: StoreLimits.drafts)
    }
    let statement = try connection.statement(.insertDraft)
    defer { statement.reset() }
    statement.bind(1, saved.account.rawValue)
    statement.bind(2, saved.subject.kind)
    statement.bind(3, saved.subject.post?.rawValue)
    statement.bind(4, text: saved.text.utf8)
    statement.bind(5, saved.at.milliseconds)
    statement.bind(6, text: saved.requestID)
    _ = try statement.step()
    return statement.integer(0)
  }

  /// Throws a draft of an account away.
  func deleteDraft(_ account: AccountID, _ id: Int64) throws -> Outcome {
    guard try draft(id, of: account) != nil else { throw Refusal.noSuchDraft(id) }
    try throwAway(id, of: account)
    return .draftDeleted(id)
  }

  /// The same where it may be gone already: what it was has become a post.
  func throwAway(_ id: Int64?, of account: AccountID) throws(StoreError) {
    guard let id else { return }
    let statement = try connection.statement(.deleteDraft)
    defer { statement.reset() }
    statement.bind(1, id)
    statement.bind(2, account.rawValue)
    _ = try statement.step()
  }

  private func draft(called requestID: String, of account: AccountID) throws(StoreError) -> Int64? {
    if requestID.isEmpty { return nil }
    let statement = try connection.statement(.draftByRequest)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, text: requestID)
    return try statement.step() ? statement.integer(0) : nil
  }
}

extension StoreReader {
  /// The drafts of an account, the one that was saved last first.
  public func drafts(of account: AccountID) throws(StoreError) -> [Draft] {
    let statement = try connection.statement(.drafts)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    var drafts: [Draft] = []
    while try statement.step() { drafts.append(Draft(row: statement)) }
    return drafts.sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
  }

  /// A draft of an account; nil where it has none of this number.
  func draft(_ id: Int64, of account: AccountID) throws(StoreError) -> Draft? {
    let statement = try connection.statement(.draft)
    defer { statement.reset() }
    statement.bind(1, id)
    statement.bind(2, account.rawValue)
    return try statement.step() ? Draft(row: statement) : nil
  }
}

extension Draft.Subject {
  /// The column `kind`.
  fileprivate var kind: Int64 {
    switch self {
    case .post: 0
    case .answer: 1
    case .edit: 2
    }
  }

  /// The post that it is about.
  public var post: PostID? {
    switch self {
    case .post: nil
    case .answer(let post), .edit(let post): post
    }
  }
}

extension Draft {
  /// Reads number, kind, post, text and instant from the first five columns.
  fileprivate init(row: Statement) {
    let subject: Subject =
      switch (row.integer(1), row.optionalInteger(2)) {
      case (1, let post?): .answer(to: PostID(post))
      case (2, let post?): .edit(of: PostID(post))
      default: .post
      }
    self.init(
      id: row.integer(0), subject: subject, text: SafeText(trusted: row.bytes(3)),
      updatedAt: Instant(milliseconds: row.integer(4)))
  }
}
