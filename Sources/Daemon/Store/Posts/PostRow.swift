internal import Dates
internal import Posts

/// The key of a row of `posts`, and whose word it is.
struct PostName {
  /// The source's ID in the store.
  var source: Int64
  var nativeID: String
  /// 0 for the shared copy, else the account that owns this private copy (``Schema/tables``).
  var scope: Int64
  /// The server whose word the post is; 0 for none.
  var server: Int64 = 0
}

/// The parent of a row of `posts`.
struct ReplyReference {
  /// The parent's ID, once it is here.
  var to: PostID?
  /// The source's name of the parent.
  var key: String?

  /// True if the parent has not arrived.
  var isWaiting: Bool { key != nil && to == nil }
}

/// A row of `posts` about to be written.
struct PostRow {
  var id: PostID
  var name: PostName
  var owner: AccountID
  var author: AuthorID
  var createdAt: Instant
  /// The visibility on this daemon, from which ``ownAudience`` follows; the body has that at the source.
  var visibility: Visibility
  /// The audience before it is narrowed by the original.
  var ownAudience: Audience
  /// True if the post came by itself and is an entry of lists, not only the original of a repost.
  var isEntry: Bool
  /// The original and its audience; nil if this is not a repost.
  var original: (id: PostID, audience: Audience)?
  var reply: ReplyReference
  var body: PackedBody
  /// Names that the post mentions.
  var mentions: [SafeText]

  /// The audience of the row.
  var audience: Audience { ownAudience.intersection(original?.audience ?? .everyone) }

  /// Its position in lists.
  var orderKey: OrderKey { OrderKey(createdAt: createdAt, id: id) }

  /// The stored form, unless it is a repost.
  var storedPost: StoredPost {
    StoredPost(
      id: id, subject: id, createdAt: createdAt, author: author, repostedBy: nil, owner: owner, inReplyTo: reply.to,
      body: body, audience: audience)
  }
}

/// A stored row of `posts`, without the columns that are only compared.
struct StoredRow {
  /// Result of the comparison with another row.
  struct Comparison {
    /// True if author, instant, original, reply key and body are the same.
    var isSame: Bool
    /// True if the reply key is the same.
    var hasSameReplyKey: Bool
  }

  var named: NamedRow
  var owner: AccountID
  var createdAt: Instant
  var visibility: Visibility
  var audience: Audience
  var isEntry: Bool
  var isRepost: Bool
  var replyTo: PostID?
  var comparison: Comparison
  var marks: PostMarks
  /// The flags of the stored body.
  var flags: PostFlags
  /// Names that the stored post mentions; nil if the body is the same.
  var mentions: [SafeText]?

  var id: PostID { named.id }
  var author: AuthorID { named.author }
  /// The server whose word the post is; 0 for none.
  var server: Int64 { named.server }

  /// True if its source has confirmed marks that are not yet in the counts of its body.
  var isAheadOfCounts: Bool { marks.isAheadOfCounts }

  /// Returns true if `row` belongs to the same lists at the same place.
  func isListedLike(_ row: PostRow) -> Bool {
    isEntry == row.isEntry && createdAt == row.createdAt && author == row.author && audience == row.audience
      && replyTo == row.reply.to && (server != 0) == (row.name.server != 0)
      && (mentions == nil || mentions == row.mentions)
  }

  /// Reads the current row of `statement`, which runs ``PostRowQuery/find``.
  init(_ statement: Statement, comparedWith row: PostRow) {
    let hasSameReplyKey = statement.column(9, equals: row.reply.key)
    let hasSameBody = statement.column(10, equals: row.body.bytes)
    let isSame =
      hasSameReplyKey && hasSameBody && statement.integer(3) == row.author.rawValue
      && statement.integer(4) == row.createdAt.milliseconds
      && statement.optionalInteger(7) == row.original?.id.rawValue
    named = NamedRow(statement)
    owner = AccountID(statement.integer(2))
    createdAt = Instant(milliseconds: statement.integer(4))
    visibility = Visibility(column: statement.integer(11))
    audience = Audience(number: statement.integer(5))
    isEntry = statement.integer(6) != 0
    isRepost = !statement.isNull(7)
    replyTo = statement.optionalInteger(8).map { PostID($0) }
    comparison = Comparison(isSame: isSame, hasSameReplyKey: hasSameReplyKey)
    marks = PostMarks(trusted: statement.bytes(12))
    let body = PackedBody(trusted: statement.bytes(10))
    flags = body.flags
    mentions = hasSameBody ? nil : body.mentions
  }
}

/// Stored rows that match a source and native ID.
struct RowMatch {
  /// The row that an import may update.
  var row: StoredRow?
  /// True if there is a shared copy.
  var isSharedTaken = false
  /// True if other accounts have private copies.
  var hasOthers = false
}

/// A row that has a name, as far as others decide by it what to do.
struct NamedRow {
  var id: PostID
  /// 0 for the shared copy, else the account that owns this private copy.
  var scope: Int64
  var author: AuthorID
  /// The server whose word the post is; 0 for none.
  var server: Int64

  /// Reads the current row of `statement`, which runs ``PostRowQuery/find``.
  init(_ statement: Statement) {
    id = PostID(statement.integer(0))
    scope = statement.integer(1)
    author = AuthorID(statement.integer(3))
    server = statement.integer(13)
  }
}

/// A repost, with the columns that decide its audience.
struct RepostRow {
  var id: PostID
  var visibility: Visibility
  var owner: AccountID
  var audience: Audience
  var isEntry: Bool
}
