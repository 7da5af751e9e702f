public import Posts
internal import Search
public import ViewState

/// The content of a pane.
public enum PaneContent: Hashable, Sendable {
  /// The account's timeline; only as a root.
  case timeline
  /// Posts by others that mention the account or reply to it; only as a root.
  case mentions
  /// The lists that the account created; only as a root.
  case lists
  /// The newest post of each of the account's direct conversations; only as a root.
  case messages
  /// The account's own posts; only as a root.
  case profile
  /// The results of a search in canonical form. An empty search has no results and occurs only as a root.
  case search(String)
  /// The conversation around a post.
  case conversation(PostID)
  /// An author's posts.
  case author(AuthorID)
  /// Posts by the authors of a list.
  case list(ListID)
  /// A direct conversation.
  case direct(AudienceGroupID)
  /// The only content of a view that is not signed in.
  case launch
}

extension PaneContent {
  /// The results of a search as typed by a user. Throws INVALID_ARGUMENT for an invalid search, with the path of its
  /// `field` if that is known.
  public init(searching words: String, field: String? = nil) throws(EngineError) {
    do throws(SearchQueryError) {
      self = .search(try SearchQuery(parsing: words).canonical)
    } catch {
      throw EngineError(.invalidArgument, error.message, field: field)
    }
  }

  /// The content of a section. `query` applies to the search section only.
  public init(_ section: Section, query: String = "") {
    self =
      switch section {
      case .timeline: .timeline
      case .mentions: .mentions
      case .lists: .lists
      case .messages: .messages
      case .profile: .profile
      case .search: .search(query)
      }
  }

  /// The section whose root has this content; nil for content that cannot be a root.
  public var section: Section? {
    switch self {
    case .timeline: .timeline
    case .mentions: .mentions
    case .lists: .lists
    case .messages: .messages
    case .profile: .profile
    case .search: .search
    case .conversation, .author, .list, .direct, .launch: nil
    }
  }

  /// True for lists of posts by time, which can be filtered.
  var isFilterable: Bool {
    switch self {
    case .timeline, .mentions, .profile, .author, .list: true
    case .search(let query): !query.isEmpty
    case .lists, .messages, .conversation, .direct, .launch: false
    }
  }

  /// True for content that can be pushed onto another pane.
  var isPushable: Bool {
    switch self {
    case .timeline, .mentions, .lists, .messages, .profile, .launch: false
    case .search(let query): !query.isEmpty
    case .conversation, .author, .list, .direct: true
    }
  }
}

extension PaneContent {
  /// The list that the pane shows, as `account` sees it. Without an account that is always the launch pane's.
  func list(of account: AccountID?) -> ListKey {
    guard let account else { return .launch }
    return switch self {
    case .timeline: .home(account)
    case .mentions: .mentions(account)
    case .lists: .lists(account)
    case .messages: .messages(account)
    case .profile: .own(account)
    case .search(let query): .search(account, query)
    case .conversation(let post): .conversation(account, post)
    case .author(let author): .author(account, author)
    case .list(let list): .made(account, list)
    case .direct(let group): .direct(account, group)
    case .launch: .launch
    }
  }
}

// MARK: - Saved form

extension PaneContent {
  /// The content in a saved stack: its kind, then its subject, without spaces.
  var words: String {
    switch self {
    case .timeline: "timeline"
    case .mentions: "mentions"
    case .lists: "lists"
    case .messages: "messages"
    case .profile: "profile"
    case .search(let query): query.isEmpty ? "search" : "search \(query.percentEncoded)"
    case .conversation(let post): "conversation \(post.rawValue)"
    case .author(let author): "author \(author.rawValue)"
    case .list(let list): "list \(list.rawValue)"
    case .direct(let group): "direct \(group.rawValue)"
    case .launch: "launch"
    }
  }

  /// Reads saved content; nil for words of another version.
  init?(words: ArraySlice<String>) {
    let number = words.last.flatMap { Int64($0) }
    switch (words.first, words.count, number) {
    case ("timeline", 1, _): self = .timeline
    case ("mentions", 1, _): self = .mentions
    case ("lists", 1, _): self = .lists
    case ("messages", 1, _): self = .messages
    case ("profile", 1, _): self = .profile
    case ("search", 1, _): self = .search("")
    case ("search", 2, _):
      guard let query = words.last?.percentDecoded else { return nil }
      self = .search(query)
    case ("conversation", 2, let number?): self = .conversation(PostID(number))
    case ("author", 2, let number?): self = .author(AuthorID(number))
    case ("list", 2, let number?): self = .list(ListID(number))
    case ("direct", 2, let number?): self = .direct(AudienceGroupID(number))
    default: return nil
    }
  }
}
