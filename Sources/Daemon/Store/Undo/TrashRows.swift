internal import Dates
internal import Posts

/// A post that a step took away.
struct TrashedPost {
  var row: PostRow
  /// What it reposts.
  var original: PostID?
  var marks: PostMarks
  var native: [UInt8]
}

/// The rows of posts that steps took away.
struct TrashRows {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Keeps a row that is about to be deleted.
  func keep(_ id: PostID, _ step: StepID) throws(StoreError) {
    try connection.run(TrashQuery.keep, id, step.account, step.number)
  }

  /// What a step took away; what was reposted has a lower number than its reposts, and comes before them.
  func posts(of step: StepID) throws(StoreError) -> [TrashedPost] {
    try connection.rows(TrashQuery.ofStep, step.account, step.number, read: TrashedPost.init(row:))
  }

  /// The other names of a post that a step took away.
  func aliases(_ id: PostID, of step: StepID) throws(StoreError) -> [String] {
    try connection.rows(TrashQuery.aliases, step.account, step.number, id) { $0.text(0) }
  }

  /// The accounts that had imported it too.
  func importers(_ id: PostID, of step: StepID) throws(StoreError) -> [AccountID] {
    try connection.rows(TrashQuery.importers, step.account, step.number, id) { AccountID($0.integer(0)) }
  }

  /// Whether a post is called so by now.
  func isTaken(_ name: PostName) throws(StoreError) -> Bool {
    try connection.flag(TrashQuery.isNameTaken, name.source, name.nativeID, name.scope)
  }

  /// Forgets what a step took away.
  func empty(_ step: StepID) throws(StoreError) { try connection.run(TrashQuery.empty, step.account, step.number) }
}

extension TrashedPost {
  fileprivate init(row: Statement) {
    let body = PackedBody(trusted: row.bytes(13))
    let post = PostRow(
      id: PostID(row.integer(0)),
      name: PostName(source: row.integer(1), nativeID: row.text(2), scope: row.integer(3)),
      owner: AccountID(row.integer(4)), author: AuthorID(row.integer(5)),
      createdAt: Instant(milliseconds: row.integer(6)), visibility: Visibility(column: row.integer(7)),
      ownAudience: Audience(number: row.integer(8)), isEntry: row.integer(9) != 0, original: nil,
      reply: ReplyReference(to: row.optionalInteger(11).map { PostID($0) }, key: row.optionalText(12)), body: body,
      mentions: body.mentions)
    self.init(
      row: post, original: row.optionalInteger(10).map { PostID($0) }, marks: PostMarks(trusted: row.bytes(14)),
      native: row.bytes(15))
  }
}
