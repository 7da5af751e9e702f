internal import Dates
internal import Posts

/// What a row of a list stands for.
enum ListEntry: Equatable {
  case post(StoredPost)
  /// Posts that are missing.
  case gap(Gap)
  /// A list that an account made, and the account's author.
  case list(MadeListFacts, AuthorID)
  /// Something that the daemon says, by the number of its row.
  case notice(PostID, SafeText)

  /// What a view shows that is not signed in.
  static let launchNotice = ListEntry.notice(
    PostID(1),
    """
    Stack keeps timelines: posts that you import, write and follow, live in panes beside each other.
    You are not signed in. On this machine, connect to the daemon's Unix socket: it knows you by your user. From elsewhere, give a \
    token, which you get there with "stack-client token issue".
    """)

  /// What a row says in the place of a post that its account may not see. Lists let go of such posts before anybody
  /// looks, so nobody ever sees this.
  static func forbidden(_ id: PostID) -> ListEntry { .notice(id, "Not for you.") }

  /// The number of its row.
  var id: PostID {
    switch self {
    case .post(let post): post.id
    case .gap(let gap): gap.id
    case .list(let list, _): PostID(list.id.rawValue)
    case .notice(let id, _): id
    }
  }

  /// What the row says.
  var text: [UInt8] {
    switch self {
    case .post(let post): post.body.rowText
    case .gap(let gap): gap.text.utf8
    case .list(let list, _): list.name.utf8
    case .notice(_, let text): text.utf8
    }
  }
}

extension StoredPost {
  /// Holds the place of an entry that is no post among the posts of an account's list: it has its key and its text, and
  /// so order, windows, heights and caps as all rows. What it stands for its list knows (``PostList/entry(atRank:)``).
  init(placeholderFor entry: ListEntry, of account: AccountID) {
    let createdAt = if case .gap(let gap) = entry { gap.orderKey.createdAt } else { Instant(milliseconds: 0) }
    let audience: Audience = if case .notice = entry { .everyone } else { .only(account) }
    self.init(
      id: entry.id, subject: entry.id, createdAt: createdAt, author: AuthorID(0), repostedBy: nil, owner: account,
      inReplyTo: nil, body: PackedBody(PostBody(text: SafeText(trusted: entry.text))), audience: audience)
  }
}

extension PostList {
  /// What the row at a rank stands for.
  mutating func entry(atRank rank: Int) -> ListEntry {
    let post = post(atRank: rank)
    if gapRows.contains(post.id), let gap = gaps.first(where: { $0.id == post.id }) { return .gap(gap) }
    switch (key.base, known.facts) {
    case (.lists, .lists(let made, let author)):
      return made.first { $0.id.rawValue == post.id.rawValue }.map { .list($0, author) } ?? .post(post)
    case (.launch, _): return .launchNotice
    default: return .post(post)
    }
  }
}

extension Gap {
  /// What its row says.
  fileprivate var text: SafeText {
    let source = SafeText(line: source).string
    switch missing {
    case 0: return SafeText("Posts from \(source) are missing here.")
    case 1: return SafeText("About one post from \(source) is missing here.")
    default: return SafeText("About \(missing) posts from \(source) are missing here.")
    }
  }
}
