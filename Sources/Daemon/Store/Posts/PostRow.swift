internal import Dates
internal import Posts

/// What a row of `posts` is called.
struct PostName {
  /// The number of its source.
  var source: Int64
  var nativeID: String
  /// 0 for the copy that all share, else the account whose private copy it is (``Schema/tables``).
  var scope: Int64
}

/// What a row of `posts` answers.
struct ReplyReference {
  /// Its number, once it is here.
  var to: PostID?
  /// What the row's source calls it.
  var key: String?

  /// Whether it is not here.
  var isWaiting: Bool { key != nil && to == nil }
}

/// A row of `posts` about to be written.
struct PostRow {
  var id: PostID
  var name: PostName
  var owner: AccountID
  var author: AuthorID
  var createdAt: Instant
  var visibility: Visibility
  /// Who may see it, were it no repost.
  var ownAudience: Audience
  /// Whether it came by itself: an entry of lists.
  var isEntry: Bool
  /// The original and who may see that, where this is a repost.
  var original: (id: PostID, audience: Audience)?
  var reply: ReplyReference
  var body: PackedBody
  /// Whom it names.
  var mentions: [SafeText]

  /// Who may see it.
  var audience: Audience { ownAudience.intersection(original?.audience ?? .everyone) }

  /// Where it stands in lists.
  var orderKey: OrderKey { OrderKey(createdAt: createdAt, id: id) }

  /// What is handed out of it, unless it is a repost.
  var shown: StoredPost {
    StoredPost(
      id: id, subject: id, createdAt: createdAt, author: author, repostedBy: nil, owner: owner, inReplyTo: reply.to,
      body: body, audience: audience)
  }
}

/// A row of `posts` as it is stored, without what is only compared.
struct StoredRow {
  /// How it compares with another row.
  struct Comparison {
    /// Whether author, instant, original, reply key and body are the same.
    var isSame: Bool
    /// Whether the reply key alone is.
    var hasSameReplyKey: Bool
  }

  var id: PostID
  var owner: AccountID
  var author: AuthorID
  var createdAt: Instant
  var visibility: Visibility
  var audience: Audience
  var isEntry: Bool
  var isRepost: Bool
  var replyTo: PostID?
  var comparison: Comparison
  /// Whether its source has taken marks that are not in the counts of its body.
  var isAheadOfCounts: Bool
  /// Whom it names, where its body is another.
  var mentions: [SafeText]?

  /// Whether lists have `row` where they had this one.
  func isListedLike(_ row: PostRow) -> Bool {
    isEntry == row.isEntry && createdAt == row.createdAt && author == row.author && audience == row.audience
      && replyTo == row.reply.to && (mentions == nil || mentions == row.mentions)
  }

  /// The row that `statement`, which is ``PostRowQuery/find``, is at.
  init(_ statement: Statement, comparedWith row: PostRow) {
    let hasSameReplyKey = statement.column(9, equals: row.reply.key)
    let hasSameBody = statement.column(10, equals: row.body.bytes)
    let isSame =
      hasSameReplyKey && hasSameBody && statement.integer(3) == row.author.rawValue
      && statement.integer(4) == row.createdAt.milliseconds
      && statement.optionalInteger(7) == row.original?.id.rawValue
    id = PostID(statement.integer(0))
    owner = AccountID(statement.integer(2))
    author = AuthorID(statement.integer(3))
    createdAt = Instant(milliseconds: statement.integer(4))
    visibility = Visibility(column: statement.integer(11))
    audience = Audience(number: statement.integer(5))
    isEntry = statement.integer(6) != 0
    isRepost = !statement.isNull(7)
    replyTo = statement.optionalInteger(8).map { PostID($0) }
    comparison = Comparison(isSame: isSame, hasSameReplyKey: hasSameReplyKey)
    isAheadOfCounts = PostMarks(trusted: statement.bytes(12)).isAheadOfCounts
    mentions = hasSameBody ? nil : PackedBody(trusted: statement.bytes(10)).mentions
  }
}

/// What was found under a source and native id.
struct Found {
  /// The row that an import may update.
  var row: StoredRow?
  /// Whether the place of the shared copy is taken.
  var isSharedTaken = false
}

/// A repost of a post, as its audience is decided.
struct RepostRow {
  var id: PostID
  var visibility: Visibility
  var owner: AccountID
  var audience: Audience
  var isEntry: Bool
}
