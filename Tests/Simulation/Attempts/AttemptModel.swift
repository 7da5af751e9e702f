/// Who may see what, as plainly as it can be said: every text that somebody writes has a mark, and each mark says for
/// whom it is.
struct AttemptModel {
  /// For whom a text is.
  enum Audience: Equatable {
    case everyone
    /// The accounts that follow this one now, itself, and who wrote it.
    case followers(Int, writer: Int)
    case people(Set<Int>)
    /// It is gone.
    case nobody
  }

  /// A post that was written or imported.
  struct Post {
    var mark: Int
    var audience: Audience
    /// 0 to 3, as in the schema.
    var visibility: Int
    /// Who wrote it; nil for somebody of an archive.
    var author: Int?
    /// Who imported it.
    var importers: Set<Int> = []
    var id: UInt64 = 0
    /// Which of an archive's it is.
    var number = 0
  }

  let accounts: Int
  /// Of each account, whom it follows.
  var follows: [Set<Int>]
  /// Of each account, whom it has muted.
  var muted: [Set<Int>]
  var posts: [Post] = []
  /// By mark.
  private(set) var audiences: [Audience] = []

  /// Accounts that follow each other, as new ones do.
  init(accounts: Int) {
    self.accounts = accounts
    muted = Array(repeating: [], count: accounts)
    follows = (0..<accounts).map { Set(0..<accounts).subtracting([$0]) }
  }

  /// A new mark for a text that is for `audience`.
  mutating func mark(_ audience: Audience) -> Int {
    audiences.append(audience)
    return audiences.count - 1
  }

  /// Another audience for a text.
  mutating func change(_ mark: Int, to audience: Audience) { audiences[mark] = audience }

  /// Whether an account may see a text; nil is somebody who is signed out.
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

  /// The posts that an account may see.
  func visible(to account: Int) -> [Post] { posts.filter { sees(account, $0.audience) } }

  /// How many of them a search for what all have finds.
  func found(by account: Int) -> Int { visible(to: account).count { !isMuted($0, by: account) } }

  func isMuted(_ post: Post, by account: Int) -> Bool { post.author.map { muted[account].contains($0) } ?? false }

  /// How many posts are in an account's timeline, shown or not.
  func home(of account: Int) -> Int {
    visible(to: account).count { post in
      post.author == account || post.importers.contains(account)
        || post.author.map { follows[account].contains($0) } ?? false
    }
  }

  /// For whom a post is that answers `parent` and names `named`; nil where it is refused. Never for somebody who may
  /// not see `parent`.
  func audience(by author: Int, _ visibility: Int, naming named: Set<Int>, answering parent: Post?) -> (Audience, Int)?
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
