/// A minimal model of visibility. Every text contains a unique mark, and each mark has an audience.
struct AttemptModel {
  /// The readers of a text.
  enum Audience: Equatable {
    case everyone
    /// The accounts that follow this one now, the account itself, and the writer.
    case followers(Int, writer: Int)
    case people(Set<Int>)
    /// The text was deleted or replaced.
    case nobody
  }

  /// A written or imported post.
  struct Post {
    var mark: Int
    var audience: Audience
    /// The schema's number, 0 to 3.
    var visibility: Int
    /// The account that wrote it; nil for an archive's author.
    var author: Int?
    /// The accounts that imported it.
    var importers: Set<Int> = []
    var id: UInt64 = 0
    /// The post's number in its archive.
    var number = 0
  }

  let accounts: Int
  /// The accounts that each account follows.
  var follows: [Set<Int>]
  /// The accounts that each account has muted.
  var muted: [Set<Int>]
  var posts: [Post] = []
  /// The current audience of each mark.
  private(set) var audiences: [Audience] = []

  /// Creates accounts that all follow each other, or none.
  init(accounts: Int, followEachOther: Bool) {
    self.accounts = accounts
    muted = Array(repeating: [], count: accounts)
    follows = (0..<accounts).map { followEachOther ? Set(0..<accounts).subtracting([$0]) : [] }
  }

  /// Returns a new mark for a text with this audience.
  mutating func makeMark(for audience: Audience) -> Int {
    audiences.append(audience)
    return audiences.count - 1
  }

  /// Changes the audience of a text.
  mutating func setAudience(of mark: Int, to audience: Audience) { audiences[mark] = audience }

  /// Returns true if an account may see a text. A nil account is a signed-out client.
  func sees(_ account: Int?, mark: Int) -> Bool { sees(account, audiences[mark]) }

  func sees(_ account: Int?, _ audience: Audience) -> Bool {
    guard let account else { return false }
    return switch audience {
    case .everyone: true
    case .followers(let leader, let writer): leader == account || writer == account || follows[account].contains(leader)
    case .people(let people): people.contains(account)
    case .nobody: false
    }
  }

  /// Returns the posts that an account may see.
  func visible(to account: Int) -> [Post] { posts.filter { sees(account, $0.audience) } }

  /// Returns the number of results of a search for a word that all posts contain.
  func searchCount(for account: Int) -> Int { visible(to: account).count { !isMuted($0, by: account) } }

  func isMuted(_ post: Post, by account: Int) -> Bool { post.author.map { muted[account].contains($0) } ?? false }

  /// Returns the number of posts in an account's timeline, muted ones included.
  func homeCount(of account: Int) -> Int {
    visible(to: account).count { post in
      post.author == account || post.importers.contains(account)
        || post.author.map { follows[account].contains($0) } ?? false
    }
  }

  /// Returns the audience and effective visibility of a post that names `named` and may reply to `parent`; nil if it
  /// must be refused. The audience never contains an account that may not see `parent`.
  func audience(by author: Int, _ visibility: Int, naming named: Set<Int>, replyingTo parent: Post?) -> (Audience, Int)?
  {
    guard let parent, parent.visibility > 1 else {
      switch visibility {
      case 0, 1: return (.everyone, visibility)
      case 2: return (.followers(author, writer: author), visibility)
      default: return named.isEmpty ? nil : (.people(named.union([author])), visibility)
      }
    }
    let effective = max(visibility, parent.visibility)
    if visibility == 3, named.contains(where: { $0 != author && !sees($0, parent.audience) }) { return nil }
    guard case .followers(let leader, _) = parent.audience else { return (parent.audience, effective) }
    guard visibility == 3 else { return (.followers(leader, writer: author), effective) }
    let people = named.union(parent.author.map { $0 == author ? [] : [$0] } ?? [])
    return people.isEmpty ? nil : (.people(people.union([author])), effective)
  }
}
