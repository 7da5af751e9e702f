import Dates
import Posts
import TestSupport

@testable import Store

/// The expected contents of a store, as plain arrays that every lookup scans.
struct Model {
  /// The audience of a post.
  enum Readers: Equatable {
    case everyone
    case only(AccountID)
    case followers(AccountID)
    case people(Set<AccountID>)
  }

  struct Post {
    var id: PostID
    var createdAt: Instant
    var owner: AccountID
    var author: AuthorID
    var isLocal: Bool
    var readers: Readers
    var isEntry: Bool
    var mentions: [String] = []
    var original: PostID?
    var replyTo: PostID?
    /// The accounts that imported it after its owner.
    var importers: Set<AccountID> = []
    /// The marks of accounts.
    var marks: [AccountID: Mark] = [:]

    var key: OrderKey { OrderKey(createdAt: createdAt, id: id) }
  }

  struct MadeList {
    var id: ListID
    var account: AccountID
    var name: String
    var authors: Set<AuthorID> = []
  }

  var accounts: [AccountID] = []
  var names: [AccountID: String] = [:]
  var ownAuthors: [AccountID: AuthorID] = [:]
  /// Handles of imported authors.
  var handles: [AuthorID: String] = [:]
  var identities: [AccountID: Set<AuthorID>] = [:]
  var follows: [AccountID: Set<AuthorID>] = [:]
  var lists: [MadeList] = []
  var posts: [PostID: Post] = [:]
  var seen: [AccountID: [SeenSection: OrderKey]] = [:]
  var blocked: [AccountID: Set<AuthorID>] = [:]

  // MARK: Visibility

  func isReader(_ account: AccountID, of readers: Readers) -> Bool {
    switch readers {
    case .everyone: true
    case .only(let owner): account == owner
    case .followers(let leader): account == leader || follows[account]!.contains(ownAuthors[leader]!)
    case .people(let people): people.contains(account)
    }
  }

  func maySee(_ account: AccountID, _ post: Post) -> Bool {
    guard isReader(account, of: post.readers) || (post.isLocal && post.owner == account) else { return false }
    guard let original = post.original else { return true }
    return maySee(account, posts[original]!)
  }

  // MARK: Lists

  func keys(_ isIncluded: (Post) -> Bool) -> [OrderKey] {
    posts.values.filter { $0.isEntry && isIncluded($0) }.map(\.key).sorted(by: >)
  }

  func home(_ account: AccountID) -> [OrderKey] {
    keys { post in
      maySee(account, post)
        && (post.owner == account || post.importers.contains(account) || identities[account]!.contains(post.author)
          || follows[account]!.contains(post.author))
    }
  }

  func mentions(_ account: AccountID) -> [OrderKey] {
    let own = identities[account]!
    let handles = own.compactMap { self.handles[$0] }
    return keys { post in
      guard maySee(account, post), !own.contains(post.author) else { return false }
      let called = post.isLocal ? [names[account]!] : handles
      if post.mentions.contains(where: { mention in called.contains { $0.lowercased() == mention.lowercased() } }) {
        return true
      }
      return post.replyTo.map { own.contains(posts[$0]!.author) } ?? false
    }
  }

  func made(_ list: MadeList) -> [OrderKey] {
    keys { maySee(list.account, $0) && list.authors.contains($0.author) }
  }

  func conversations(of account: AccountID) -> [Set<AccountID>: [OrderKey]] {
    var found: [Set<AccountID>: [OrderKey]] = [:]
    for post in posts.values where post.isEntry {
      if case .people(let people) = post.readers, people.contains(account) {
        found[people, default: []].append(post.key)
      }
    }
    return found.mapValues { $0.sorted(by: >) }
  }

  func messages(_ account: AccountID) -> [OrderKey] {
    conversations(of: account).values.compactMap { $0.first { !isHidden($0, from: account) } }.sorted(by: >)
  }

  /// Returns true if a post is by an author that an account has blocked, reposted by or of one.
  func isHidden(_ key: OrderKey, from account: AccountID) -> Bool {
    let post = posts[key.id]!
    guard !identities[account]!.contains(post.author) else { return false }
    let authors = [post.author, posts[post.original ?? post.id]!.author]
    return authors.contains { blocked[account, default: []].contains($0) }
  }

  func profile(_ author: AuthorID, for account: AccountID) -> [OrderKey] {
    let shown = author == ownAuthors[account] ? identities[account]! : [author]
    return keys { shown.contains($0.author) && maySee(account, $0) }
  }

  func unseen(_ section: SeenSection, _ account: AccountID) -> Int {
    let list =
      switch section {
      case .home: home(account)
      case .mentions: mentions(account)
      case .messages: messages(account)
      }
    let shown = list.filter { !isHidden($0, from: account) }
    guard let key = seen[account]?[section] else { return min(shown.count, StoreLimits.unseen) }
    return min(shown.count { $0 > key }, StoreLimits.unseen)
  }
}
