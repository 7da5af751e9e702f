internal import Posts
internal import Search

/// What accounts have muted, as far as they have lists open or a navigation pane (docs/adr/0019). A post that an
/// account may see and has muted is *hidden*: it belongs to the list, and is no row.
struct MuteFilter {
  private struct Known {
    var matcher: QuietMatcher
    /// The revision that it is known of.
    var revision: UInt64
  }

  private var known: [AccountID: Known] = [:]

  /// What an account does not want to see, as far as that is known.
  func quiet(of account: AccountID) -> Quiet { known[account]?.matcher.quiet ?? Quiet() }

  /// Takes what an account did not want to see at a revision; what it did not want to see before, if that is something
  /// else. O(words).
  mutating func learn(_ quiet: Quiet, of account: AccountID, at revision: UInt64) -> Quiet? {
    let old = known[account]
    if let old, old.revision > revision { return nil }
    if let old, old.matcher.quiet == quiet {
      known[account]?.revision = revision
      return nil
    }
    known[account] = Known(matcher: QuietMatcher(quiet), revision: revision)
    guard let old else { return quiet.isEmpty ? nil : Quiet() }
    return old.matcher.quiet.isEmpty && quiet.isEmpty ? nil : old.matcher.quiet
  }

  /// Whether a post is hidden in a list. O(length of the post) where words are muted.
  mutating func hides(_ post: StoredPost, in key: ListKey) -> Bool {
    switch key.quietness {
    case .none: false
    case .authors: known[key.account]?.matcher.quiet.hides(post.author, repostedBy: post.repostedBy) ?? false
    case .all: known[key.account]?.matcher.hides(post) ?? false
    }
  }
}

extension ListKey {
  /// What is hidden in a list.
  enum Quietness {
    /// What somebody opened on purpose, or wrote to the account alone.
    case none
    /// A search: who looks for a word wants to find it.
    case authors
    /// What comes by itself.
    case all
  }

  var quietness: Quietness {
    switch base {
    case .home, .mentions, .made: .all
    case .search: .authors
    case .lists, .messages, .direct, .author, .own, .conversation, .launch, .filtered: .none
    }
  }
}
