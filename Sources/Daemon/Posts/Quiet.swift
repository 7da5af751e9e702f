/// What an account does not want to see (behaviour.md, rule 48; docs/adr/0019).
public struct Quiet: Equatable, Sendable {
  /// Authors whose posts and reposts are not shown, nor reposts of what they wrote.
  public var muted: Set<AuthorID> = []
  /// The same, and more that is the store's business.
  public var blocked: Set<AuthorID> = []
  /// Spellings of `MutedWord`s.
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

  /// Whether a post is hidden where posts come by themselves, whatever it says.
  public func hides(_ post: StoredPost) -> Bool { hides(post.author, repostedBy: post.repostedBy) }

  /// Whether something is shown that was hidden before.
  public func isLess(than old: Quiet) -> Bool {
    !muted.union(blocked).isSuperset(of: old.muted.union(old.blocked)) || !words.isSuperset(of: old.words)
      || !old.isEmpty && own != old.own
  }

  /// Whether posts may be hidden that were shown before, of which their authors alone do not tell.
  public func hidesMorePosts(than old: Quiet) -> Bool { !words.isSubset(of: old.words) }

  private func isHidden(_ author: AuthorID) -> Bool { muted.contains(author) || blocked.contains(author) }
}
