public import Posts

/// Matches posts against an account's mute list, with all muted words checked at once (``SearchIndex``).
public struct MuteMatcher {
  public let muteList: MuteList
  private var index = SearchIndex()

  /// Prepares the words for matching. O(words).
  public init(_ muteList: MuteList) {
    self.muteList = muteList
    for word in muteList.words.sorted() {
      if let query = SearchQuery(canonical: word) { _ = index.open(query) }
    }
  }

  /// True if a post is hidden, by its author or conversation or by a word in it. O(length of the post) if words are
  /// muted.
  public mutating func hides(_ post: StoredPost) -> Bool {
    if muteList.hides(post) { return true }
    return !muteList.words.isEmpty && !muteList.own.contains(post.repostedBy ?? post.author)
      && !index.matches(post, by: []).isEmpty
  }
}
