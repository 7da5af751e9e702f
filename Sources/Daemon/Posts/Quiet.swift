/// What an account does not want to see (behaviour.md, rule 48; docs/adr/0019).
public struct Quiet: Equatable, Sendable {
  /// Authors whose posts and reposts are not shown, nor reposts of what they wrote.
  public var muted: Set<AuthorID> = []
  /// The same, and more that is the store's business.
  public var blocked: Set<AuthorID> = []
  /// Spellings of `MutedWord`s.
  public var words: Set<String> = []
  /// First posts of muted conversations. What is hidden of those the account's marks on posts say.
  public var conversations: Set<PostID> = []
  /// The account, if there are such.
  public var account: AccountID?
  /// Who the account is: what these write and repost is never hidden from it.
  public var own: Set<AuthorID> = []

  /// Nothing is hidden.
  public init() {}

  /// Whether nothing is hidden.
  public var isEmpty: Bool { muted.isEmpty && blocked.isEmpty && words.isEmpty && conversations.isEmpty }

  /// Whether a post by an author, or a repost of one, is hidden whatever it says.
  public func hides(_ author: AuthorID, repostedBy reposter: AuthorID?) -> Bool {
    guard !own.contains(reposter ?? author) else { return false }
    return isHidden(author) || reposter.map(isHidden) ?? false
  }

  /// Whether a post is hidden where posts come by themselves, whatever it says.
  public func hides(_ post: StoredPost) -> Bool {
    hides(post.author, repostedBy: post.repostedBy) || isWithheld(post)
  }

  private func isWithheld(_ post: StoredPost) -> Bool {
    guard let account, post.mark(of: account).isSuperset(of: [.muted, .withheld]) else { return false }
    return !own.contains(post.repostedBy ?? post.author)
  }

  /// Whether something is shown that was hidden before.
  public func isLess(than old: Quiet) -> Bool {
    !muted.union(blocked).isSuperset(of: old.muted.union(old.blocked)) || !words.isSuperset(of: old.words)
      || !conversations.isSuperset(of: old.conversations)
      || !old.isEmpty && own != old.own
  }

  /// Whether posts may be hidden that were shown before, of which their authors alone do not tell.
  public func hidesMorePosts(than old: Quiet) -> Bool {
    !words.isSubset(of: old.words) || !conversations.isSubset(of: old.conversations)
  }

  private func isHidden(_ author: AuthorID) -> Bool { muted.contains(author) || blocked.contains(author) }
}

extension Mark {
  /// The account has muted the post's conversation.
  public static let muted = Mark(.muted)
  /// The post came while the account had muted its conversation: hidden while that is so.
  public static let withheld = Mark(.withheld)
}
