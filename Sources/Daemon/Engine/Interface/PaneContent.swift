public import Posts
internal import Search
public import ViewState

/// What a pane of a stack shows.
public enum PaneContent: Hashable, Sendable {
  /// The account's timeline; only as the root.
  case timeline
  /// Posts of others that name the account or answer it; only as the root.
  case mentions
  /// The lists that the account made; only as the root.
  case lists
  /// The newest post of each of its direct conversations; only as the root.
  case messages
  /// Its own posts; only as the root.
  case profile
  /// What a search finds, in the search's canonical form; without one nothing, and that only as the root.
  case search(String)
  /// The conversation around a post.
  case conversation(PostID)
  /// An author's posts.
  case author(AuthorID)
  /// Posts of the authors of a list.
  case list(ListID)
  /// A direct conversation.
  case direct(CircleID)
  /// All that a view shows that is not signed in.
  case launch
}

extension PaneContent {
  /// What a search finds, as somebody typed it. INVALID_ARGUMENT where that is no search, with the path of its `field`
  /// if that is known.
  public init(searching words: String, field: String? = nil) throws(EngineError) {
    do throws(SearchQueryError) {
      self = .search(try SearchQuery(parsing: words).canonical)
    } catch {
      throw EngineError(.invalidArgument, error.message, field: field)
    }
  }

  /// What a section shows; a search that is not empty with `query`.
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

  /// The section it is the root of; nil if it cannot be a root.
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

  /// Whether it is a list of posts by time, which can be limited to some of them.
  var isFilterable: Bool {
    switch self {
    case .timeline, .mentions, .profile, .author, .list: true
    case .search(let query): !query.isEmpty
    case .lists, .messages, .conversation, .direct, .launch: false
    }
  }

  /// Whether it can lie on another pane.
  var isPushable: Bool {
    switch self {
    case .timeline, .mentions, .lists, .messages, .profile, .launch: false
    case .search(let query): !query.isEmpty
    case .conversation, .author, .list, .direct: true
    }
  }
}

extension PaneContent {
  /// The list a pane shows, as `account` sees it.
  func list(of account: AccountID) -> ListKey {
    switch self {
    case .timeline: .home(account)
    case .mentions: .mentions(account)
    case .lists: .lists(account)
    case .messages: .messages(account)
    case .profile: .own(account)
    case .search(let query): .search(account, query)
    case .conversation(let post): .conversation(account, post)
    case .author(let author): .author(account, author)
    case .list(let list): .made(account, list)
    case .direct(let circle): .direct(account, circle)
    case .launch: .launch
    }
  }
}

// MARK: - As words

extension PaneContent {
  /// The content in a saved stack: its kind, then what it is about, without spaces.
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
    case .direct(let circle): "direct \(circle.rawValue)"
    case .launch: "launch"
    }
  }

  /// A content that was saved; nil for words of another version.
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
    case ("direct", 2, let number?): self = .direct(CircleID(number))
    default: return nil
    }
  }
}
