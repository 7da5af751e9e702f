/// Who may see what, as plainly as it can be said: every text that somebody writes has a mark, and each mark says for whom it is.
struct AttemptModel {
  /// For whom a text is.
  enum Audience: Equatable {
    case everyone
    /// The accounts that follow this one now, and itself.
    case followers(Int)
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
  var posts: [Post] = []
  /// By mark.
  private(set) var audiences: [Audience] = []

  /// Accounts that follow each other, as new ones do.
  init(accounts: Int) {
    self.accounts = accounts
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
    case .followers(let leader): leader == account || follows[account].contains(leader)
    case .people(let people): people.contains(account)
    case .nobody: false
    }
  }

  /// The posts that an account may see.
  func visible(to account: Int) -> [Post] { posts.filter { sees(account, $0.audience) } }

  /// How many posts are in an account's timeline.
  func home(of account: Int) -> Int {
    visible(to: account).count { post in
      post.author == account || post.importers.contains(account) || post.author.map { follows[account].contains($0) } ?? false
    }
  }

  /// For whom a post is that answers `parent` and names `named`; nil where it is refused.
  func audience(by author: Int, _ visibility: Int, naming named: Set<Int>, answering parent: Post?) -> (Audience, Int)? {
    let effective = parent.map { $0.visibility > 1 ? max(visibility, $0.visibility) : visibility } ?? visibility
    if let parent, parent.author == nil, parent.visibility > 1 {
      // What came with an import for its owner alone is answered for its owner alone.
      return effective == 3 && !named.subtracting([author]).isEmpty ? nil : (.people([author]), effective)
    }
    if let parent, case .people(let people) = parent.audience, parent.visibility < 3 {
      return effective == 3 && !named.subtracting([author]).isEmpty ? nil : (.people(people), effective)
    }
    switch effective {
    case 0, 1: return (.everyone, effective)
    case 2: return (.followers(author), effective)
    default:
      var people = named
      if let parent, case .people(let others) = parent.audience { people.formUnion(others) }
      return people.isEmpty ? nil : (.people(people.union([author])), effective)
    }
  }
}
