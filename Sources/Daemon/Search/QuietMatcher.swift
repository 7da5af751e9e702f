public import Posts

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

  /// Whether a post is hidden: whatever it says, or else for a word of it. O(length of the post) where words are muted.
  public mutating func hides(_ post: StoredPost) -> Bool {
    if quiet.hides(post) { return true }
    return !quiet.words.isEmpty && !quiet.own.contains(post.repostedBy ?? post.author)
      && !index.matches(post, by: .empty).isEmpty
  }
}
