public import Posts

/// What an account does not want to see (behaviour.md, rule 48; docs/adr/0019).
public struct Quiet: Equatable, Sendable {
  /// Authors whose posts and reposts are not shown, nor reposts of what they wrote.
  public var muted: Set<AuthorID> = []
  /// The same, and more that is the store's business.
  public var blocked: Set<AuthorID> = []
  /// Spellings of ``MutedWord``s.
  public var words: Set<String> = []
  /// Who the account is: what these write and repost is never hidden from it.
  public var own: Set<AuthorID> = []

  /// Nothing is hidden.
  public init() {}

  /// Whether nothing is hidden.
  public var isEmpty: Bool { muted.isEmpty && blocked.isEmpty && words.isEmpty }

  /// Whether a post by an author, or a repost of one, is hidden whatever it says.
  public func hides(_ author: AuthorID, repostedBy reposter: AuthorID?) -> Bool {
    guard !own.contains(reposter ?? author) else { return false }
    return isHidden(author) || reposter.map(isHidden) ?? false
  }

  private func isHidden(_ author: AuthorID) -> Bool { muted.contains(author) || blocked.contains(author) }
}

/// What an account does not want to see, with its words in a form in which posts are asked for all of them at once
/// (``SearchIndex``).
public struct QuietMatcher {
  /// What is hidden.
  public let quiet: Quiet
  private var index = SearchIndex()

  /// Makes the words ready. O(words).
  public init(_ quiet: Quiet) {
    self.quiet = quiet
    for word in quiet.words.sorted() {
      if let query = SearchQuery(canonical: word) { _ = index.open(query) }
    }
  }

  /// Whether a post is hidden: for its authors, or else for a word of it. O(length of the post) where words are muted.
  public mutating func hides(_ post: StoredPost) -> Bool {
    if quiet.hides(post.author, repostedBy: post.repostedBy) { return true }
    return !quiet.words.isEmpty && !quiet.own.contains(post.repostedBy ?? post.author)
      && !index.matches(post, by: .empty).isEmpty
  }
}
