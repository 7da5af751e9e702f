internal import Dates
internal import Posts

/// Rows that are no posts lie in their lists as posts that say the same: they then have order, windows, heights and
/// caps as all rows.
extension StoredPost {
  /// Stands for a list that an account made, in the order in which they were made. The number of its authors is in the
  /// count of replies.
  init(standingFor list: MadeListFacts, of account: AccountID, author: AuthorID) {
    let body = PostBody(text: list.name, counts: Counts(replies: UInt32(clamping: list.authorCount)))
    self.init(standIn: list.id.rawValue, author, account, body, .only(account))
  }

  /// Stands for a gap. About how many posts are missing is in the count of replies, its earlier end in the handle that
  /// is answered.
  init(standingFor gap: Gap, of account: AccountID) {
    let source = SafeText(line: gap.source).string
    let text =
      switch gap.missing {
      case 0: "Posts from \(source) are missing here."
      case 1: "About one post from \(source) is missing here."
      default: "About \(gap.missing) posts from \(source) are missing here."
      }
    let body = PostBody(
      text: SafeText(text), counts: Counts(replies: UInt32(clamping: gap.missing)),
      inReplyToHandle: SafeText(String(gap.older.milliseconds)))
    self.init(standIn: gap.id.rawValue, AuthorID(0), account, body, .only(account))
    createdAt = gap.orderKey.createdAt
  }

  /// Stands for something that the daemon says to anybody.
  init(saying text: SafeText) { self.init(standIn: 1, AuthorID(0), AccountID(0), PostBody(text: text), .everyone) }

  /// Stands for a post that an account may not see. Lists let go of such posts before anybody looks, so nobody ever
  /// sees this.
  init(withholding id: PostID) {
    self.init(standIn: id.rawValue, AuthorID(0), AccountID(0), PostBody(text: "Not for you."), .nobody)
  }

  private init(standIn number: Int64, _ author: AuthorID, _ account: AccountID, _ body: PostBody, _ audience: Audience)
  {
    self.init(
      id: PostID(number), subject: PostID(number), createdAt: Instant(milliseconds: 0), author: author, repostedBy: nil,
      owner: account, inReplyTo: nil, body: PackedBody(body), audience: audience)
  }

  /// What a view shows that is not signed in.
  static let launchNotice = StoredPost(
    saying: """
      Stack keeps timelines: posts that you import, write and follow, live in panes beside each other.
      You are not signed in. On this machine, connect to the daemon's Unix socket: it knows you by your user. From elsewhere, give a \
      token, which you get there with "stack-client token issue".
      """)
}
