internal import Dates
internal import Posts

/// A row of `posts` about to be written.
struct PostRow {
  var id: PostID
  /// The number of its source.
  var source: Int64
  var nativeID: String
  /// 0 for the copy that all share, else the account whose private copy it is (``Schema``).
  var scope: Int64
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
  /// The number of the post it answers, and what its source calls that.
  var replyTo: PostID?
  var replyKey: String?
  var body: PackedBody
  /// Whom it names.
  var mentions: [SafeText]

  /// Who may see it.
  var audience: Audience { ownAudience.intersection(original?.audience ?? .everyone) }

  /// Where it stands in lists.
  var orderKey: OrderKey { OrderKey(createdAt: createdAt, id: id) }

  /// Whether it answers a post that is not here.
  var isWaiting: Bool { replyKey != nil && replyTo == nil }

  /// What is handed out of it, unless it is a repost.
  var shown: StoredPost {
    StoredPost(
      id: id, subject: id, createdAt: createdAt, author: author, repostedBy: nil, owner: owner, inReplyTo: replyTo,
      body: body, audience: audience)
  }
}

/// A row of `posts` as it is stored, without what is only compared.
struct StoredRow {
  var id: PostID
  var owner: AccountID
  var author: AuthorID
  var createdAt: Instant
  var visibility: Visibility
  var audience: Audience
  var isEntry: Bool
  var isRepost: Bool
  var replyTo: PostID?
  /// Whether author, instant, original, reply key and body are those of the row it was compared with.
  var isSame: Bool
  /// Whether the reply key alone is.
  var hasSameReplyKey: Bool
  /// Whether its source has taken marks that are not in the counts of its body.
  var isAheadOfCounts: Bool
  /// Whom it names, where its body is another.
  var mentions: [SafeText]?

  /// Whether lists have `row` where they had this one.
  func isListedLike(_ row: PostRow) -> Bool {
    isEntry == row.isEntry && createdAt == row.createdAt && author == row.author && audience == row.audience
      && replyTo == row.replyTo && (mentions == nil || mentions == row.mentions)
  }
}

/// What was found under a source and native id.
struct Found {
  /// The row that an import may update.
  var row: StoredRow?
  /// Whether the place of the shared copy is taken.
  var isSharedTaken = false
}
