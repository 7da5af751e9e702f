/// The authors, words and conversations that an account does not want to see (docs/BEHAVIOUR.md, rule 48;
/// docs/adr/0019).
public struct MuteList: Equatable, Sendable {
  /// Authors whose posts and reposts are hidden, as are reposts of their posts.
  public var muted: Set<AuthorID> = []
  /// Authors hidden like muted ones, and in direct conversations too; the store handles the other effects of a block.
  public var blocked: Set<AuthorID> = []
  /// Spellings of `MutedWord`s.
  public var words: Set<String> = []
  /// First posts of muted conversations. The account's marks on posts determine which of their posts are hidden.
  public var conversations: Set<PostID> = []
  /// The account, if it has muted conversations.
  public var account: AccountID?
  /// The identities of the account. Their posts and reposts are never hidden from it.
  public var own: Set<AuthorID> = []

  /// Creates a list that hides nothing.
  public init() {}

  /// True if the list hides nothing.
  public var isEmpty: Bool { muted.isEmpty && blocked.isEmpty && words.isEmpty && conversations.isEmpty }

  /// True if a post by an author, or a repost of it, is hidden regardless of its text.
  public func hides(_ author: AuthorID, repostedBy reposter: AuthorID?) -> Bool {
    guard !own.contains(reposter ?? author) else { return false }
    return isHidden(author) || reposter.map(isHidden) ?? false
  }

  /// True if a post by an author, or a repost of it, is hidden by a block.
  public func blocks(_ author: AuthorID, repostedBy reposter: AuthorID?) -> Bool {
    guard !own.contains(reposter ?? author) else { return false }
    return blocked.contains(author) || reposter.map(blocked.contains) ?? false
  }

  /// True if a post is hidden where posts arrive on their own, regardless of its text.
  public func hides(_ post: StoredPost) -> Bool {
    hides(post.author, repostedBy: post.repostedBy) || isHiddenByConversation(post)
  }

  private func isHiddenByConversation(_ post: StoredPost) -> Bool {
    guard let account, post.mark(of: account).isSuperset(of: [.muted, .withheld]) else { return false }
    return !own.contains(post.repostedBy ?? post.author)
  }

  /// True if something is visible now that `old` hid.
  public func isLess(than old: MuteList) -> Bool {
    !muted.union(blocked).isSuperset(of: old.muted.union(old.blocked)) || !words.isSuperset(of: old.words)
      || !conversations.isSuperset(of: old.conversations) || !blocked.isSuperset(of: old.blocked)
      || !old.isEmpty && own != old.own
  }

  /// True if posts that `old` did not hide may be hidden, and their authors alone do not determine which.
  public func hidesMorePosts(than old: MuteList) -> Bool {
    !words.isSubset(of: old.words) || !conversations.isSubset(of: old.conversations)
  }

  private func isHidden(_ author: AuthorID) -> Bool { muted.contains(author) || blocked.contains(author) }
}

extension Mark {
  /// The account has muted the post's conversation.
  public static let muted = Mark(.muted)
  /// The post arrived while the account had muted its conversation; hidden as long as the conversation is muted.
  public static let withheld = Mark(.withheld)
}
