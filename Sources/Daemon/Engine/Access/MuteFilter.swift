internal import Posts
internal import Search

/// The mutes of accounts that have lists or a navigation pane open (docs/adr/0019). A post that an account may see but
/// has muted is *hidden*: it belongs to the list but is not a row.
struct MuteFilter {
  private struct Known {
    var matcher: MuteMatcher
    /// The revision as of which it is known.
    var revision: UInt64
  }

  private var known: [AccountID: Known] = [:]

  /// Returns an account's mutes, as far as they are known.
  func muteList(of account: AccountID) -> MuteList { known[account]?.matcher.muteList ?? MuteList() }

  /// Sets an account's mutes as of a revision. Returns the previous ones if they differ; nil otherwise. O(words).
  mutating func setMuteList(_ muteList: MuteList, of account: AccountID, at revision: UInt64) -> MuteList? {
    let old = known[account]
    if let old, old.revision > revision { return nil }
    if let old, old.matcher.muteList == muteList {
      known[account]?.revision = revision
      return nil
    }
    known[account] = Known(matcher: MuteMatcher(muteList), revision: revision)
    guard let old else { return muteList.isEmpty ? nil : MuteList() }
    return old.matcher.muteList.isEmpty && muteList.isEmpty ? nil : old.matcher.muteList
  }

  /// Returns true if a post is hidden in a list. O(length of the post) if words are muted.
  mutating func hides(_ post: StoredPost, in key: ListKey) -> Bool {
    guard let account = key.account else { return false }
    return switch key.muteScope {
    case .none: false
    case .all: known[account]?.matcher.hides(post) ?? false
    case let scope: scope.hides(post.author, repostedBy: post.repostedBy, by: muteList(of: account))
    }
  }
}

extension ListKey {
  /// The kinds of mutes that apply to a list.
  enum MuteScope {
    /// Mutes do not apply: the reader opened the list deliberately, or the store applies blocks.
    case none
    /// Only blocked authors are hidden: the posts are addressed to the reader.
    case blocks
    /// Only muted authors are hidden: in a search for a word, posts with that word are wanted.
    case authors
    /// All mutes apply: the posts arrive unasked.
    case all

    /// Returns true if a post by an author, or a repost of it, is hidden regardless of its text.
    func hides(_ author: AuthorID, repostedBy reposter: AuthorID?, by muteList: MuteList) -> Bool {
      switch self {
      case .none: false
      case .blocks: muteList.blocks(author, repostedBy: reposter)
      case .authors, .all: muteList.hides(author, repostedBy: reposter)
      }
    }
  }

  var muteScope: MuteScope {
    switch base {
    case .home, .mentions, .made: .all
    case .search: .authors
    case .direct: .blocks
    case .lists, .messages, .author, .own, .conversation, .launch, .filtered: .none
    }
  }
}
