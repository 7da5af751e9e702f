internal import Dates
internal import Posts

/// The entry that a row of a list stands for.
enum ListEntry: Equatable {
  case post(StoredPost)
  /// A gap: a range in which posts are missing.
  case gap(Gap)
  /// A request to follow the account of the list.
  case followRequest(PendingFollow)
  /// A list that an account created, and the account's author.
  case list(MadeListFacts, AuthorID)
  /// A message from the daemon, with the ID of its row.
  case notice(PostID, SafeText)

  /// The notice in a view that is not signed in.
  static let launchNotice = ListEntry.notice(
    PostID(1),
    """
    Stack shows your timelines side by side: the posts you import, write and follow, updated live.
    You are not signed in. On the daemon's machine, connect to its Unix socket, which signs you in as your user. From another \
    machine, use a token: run "stack-client token issue" on the daemon's machine to create one.
    """)

  /// The notice in place of a post that the account may not see. It is a safeguard that never appears: lists drop such
  /// posts before they are shown.
  static func forbidden(_ id: PostID) -> ListEntry { .notice(id, "This post is not visible to you.") }

  /// The ID of its row.
  var id: PostID {
    switch self {
    case .post(let post): post.id
    case .gap(let gap): gap.id
    case .followRequest(let request): request.id
    case .list(let list, _): PostID(list.id.rawValue)
    case .notice(let id, _): id
    }
  }

  /// The text of its row.
  var text: [UInt8] {
    switch self {
    case .post(let post): post.body.rowText
    case .gap(let gap): gap.text.utf8
    case .followRequest(let request): request.text.utf8
    case .list(let list, _): list.name.utf8
    case .notice(_, let text): text.utf8
    }
  }

  /// The position of its row. Lists and notices have no time; they lie in the order of their IDs.
  var orderKey: OrderKey {
    switch self {
    case .post(let post): post.orderKey
    case .gap(let gap): gap.orderKey
    case .followRequest(let request): request.orderKey
    case .list, .notice: OrderKey(createdAt: Instant(milliseconds: 0), id: id)
    }
  }
}

extension StoredPost {
  /// Creates a placeholder for an entry that is not a post. With the entry's key and text it has a place in the order,
  /// and windows, heights and caps like any row. ``PostList/entry(atRank:)`` returns the entry it stands for.
  init(placeholderFor entry: ListEntry, of account: AccountID?) {
    var audience = Audience.everyone
    if case .notice = entry {} else { audience = account.map { .only($0) } ?? .nobody }
    // Rows of entries show neither author nor owner. The store's numbers begin at 1.
    self.init(
      id: entry.id, subject: entry.id, createdAt: entry.orderKey.createdAt, author: AuthorID(0), repostedBy: nil,
      owner: account ?? AccountID(0), inReplyTo: nil,
      body: PackedBody(PostBody(text: SafeText(trusted: entry.text))), audience: audience)
  }
}

extension PostList {
  /// Returns the entry that the row at a rank stands for.
  mutating func entry(atRank rank: Int) -> ListEntry {
    let post = post(atRank: rank)
    if placeholderRows.contains(post.id), let entry = placeholders.first(where: { $0.id == post.id }) { return entry }
    switch (key.base, known.facts) {
    case (.lists, .lists(let made, let author)):
      return made.first { $0.id.rawValue == post.id.rawValue }.map { .list($0, author) } ?? .post(post)
    case (.launch, _): return .launchNotice
    default: return .post(post)
    }
  }
}

extension PendingFollow {
  /// The text of its row.
  fileprivate var text: SafeText {
    SafeText(
      """
      @\(name.string) asks to follow you and to read your posts for followers. To answer, run "stack-client followers \
      approve @\(name.string)" or "stack-client followers refuse @\(name.string)".
      """)
  }
}

extension Gap {
  /// The text of its row.
  fileprivate var text: SafeText {
    let source = SafeText(line: source).string
    if isLost {
      return switch missing {
      case 0: SafeText("Posts from \(source) are missing here. The source no longer has them.")
      case 1: SafeText("About one post from \(source) is missing here. The source no longer has it.")
      default: SafeText("About \(missing) posts from \(source) are missing here. The source no longer has them.")
      }
    }
    switch missing {
    case 0: return SafeText("Posts from \(source) are missing here.")
    case 1: return SafeText("About one post from \(source) is missing here.")
    default: return SafeText("About \(missing) posts from \(source) are missing here.")
    }
  }
}
