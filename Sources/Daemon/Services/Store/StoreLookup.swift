internal import Engine
internal import Messages
internal import Posts
internal import Search
internal import Store
internal import ViewState

/// What an account means by the names that it says, and what it may know of it. Used where the store is read.
struct StoreLookup {
  let reader: StoreReader
  /// Who asks.
  let account: AccountID

  /// The author of this number, `source:native-id` or @handle.
  func author(_ reference: String) throws(EngineError) -> AuthorID {
    guard let author = try Self.attempt({ () throws(StoreError) in try reader.resolve(author: reference, for: account) }) else {
      throw Self.missing("author", reference, "name one by number, as source:id or as @handle")
    }
    return author
  }

  /// The list of the account of this number or name; a number that is none is a name.
  func list(_ reference: String) throws(EngineError) -> Store.MadeList {
    let lists = try Self.attempt { () throws(StoreError) in try reader.madeLists(of: account) }
    let number = ListNames.isNumber(reference) ? Int64(reference) : nil
    let name = SafeText(line: reference)
    guard let list = lists.first(where: { $0.id.rawValue == number }) ?? lists.first(where: { $0.name == name }) else {
      throw Self.missing("list", reference, "name one of yours by its number or its name")
    }
    return list
  }

  /// An author's profile; the account's own where none is named.
  func profile(_ reference: String) throws(EngineError) -> ProfileSummary {
    let author = try authorOrOwn(reference)
    guard let profile = try Self.attempt({ () throws(StoreError) in try reader.profile(of: author, for: account) }) else {
      throw EngineError(.notFound, "there is no author \(author.rawValue)")
    }
    var summary = ProfileSummary(author: RowAuthor(profile.author))
    summary.posts = profile.posts
    summary.followers = profile.followers
    summary.following = profile.following
    summary.isFollowed = profile.isFollowed
    summary.followsMe = profile.followsMe
    summary.isMe = profile.isMe
    return summary
  }

  /// Those who follow an author, or whom an author follows, by handle; authors of whom the account can see nothing are left out.
  func follows(_ reference: String, followers: Bool) throws(EngineError) -> [RowAuthor] {
    let author = try authorOrOwn(reference)
    let found = try Self.attempt { () throws(StoreError) in
      try reader.snapshot { () throws(StoreError) in
        if followers {
          var authors: [AuthorID] = []
          for follower in try reader.followers(of: author) {
            if let id = try reader.resolve(author: Self.name(of: follower), for: account) { authors.append(id) }
          }
          return try reader.authors(authors)
        }
        guard let leader = try reader.account(writingAs: author) else { return [] }
        let followed = try reader.followed(by: leader.id)
        if leader.id == account { return followed }
        var known: [Author] = []
        for author in followed {
          if try reader.resolve(author: String(author.id.rawValue), for: account) != nil { known.append(author) }
        }
        return known
      }
    }
    return Self.sorted(found)
  }

  /// The account's lists in the order in which they were made; or one of them with its authors.
  func lists(_ reference: String) throws(EngineError) -> [ListSummary] {
    guard reference.isEmpty else {
      let list = try list(reference)
      var summary = ListSummary(list)
      summary.authors = Self.sorted(
        try Self.attempt { () throws(StoreError) in try reader.authors(in: list.id, of: account) } ?? [])
      return [summary]
    }
    return try Self.attempt { () throws(StoreError) in try reader.madeLists(of: account) }.map { ListSummary($0) }
  }

  /// What a pane is to show.
  func pane(_ subject: StackCommand.Subject) throws(EngineError) -> PaneContent {
    switch subject {
    case .conversation(let reference):
      guard let post = try Self.attempt({ () throws(StoreError) in try reader.resolve(reference: reference, visibleTo: account) }) else {
        throw Self.missing(post: reference)
      }
      return .conversation(post)
    case .author(let reference): return .author(try author(reference))
    case .list(let reference): return .list(try list(reference).id)
    case .direct(let number):
      let circle = CircleID(Int64(clamping: number))
      guard try Self.attempt({ () throws(StoreError) in try reader.people(of: circle, for: account) }) != nil else {
        throw EngineError(.notFound, "there is no direct conversation \(number); rows of the messages name theirs")
      }
      return .direct(circle)
    case .search(let text):
      do throws(SearchQueryError) {
        return .search(try SearchQuery(parsing: text).canonical)
      } catch {
        throw EngineError(.invalidArgument, error.message)
      }
    }
  }

  // MARK: Parts

  private func authorOrOwn(_ reference: String) throws(EngineError) -> AuthorID {
    if !reference.isEmpty { return try author(reference) }
    guard let account = try Self.attempt({ () throws(StoreError) in try reader.account(account) }) else {
      throw EngineError(.notFound, "there is no account \(account.rawValue)")
    }
    return try author(Self.name(of: account))
  }

  /// What an account's own author is called.
  private static func name(of account: Account) -> String { "stack:\(account.name)" }

  private static func sorted(_ authors: [Author]) -> [RowAuthor] {
    authors.sorted { ($0.handle.string, $0.id.rawValue) < ($1.handle.string, $1.id.rawValue) }.map { RowAuthor($0) }
  }

  /// The refusal of a post that is not there, or not for who asks.
  static func missing(post reference: String) -> EngineError {
    missing("post", reference, "name one by its number or as source:id")
  }

  private static func missing(_ what: String, _ reference: String, _ advice: String) -> EngineError {
    EngineError(.notFound, "there is no \(what) \(reference.shortened); \(advice)")
  }

  /// What the store reads, or its failure in the terms of the protocol.
  static func attempt<Value>(_ body: () throws(StoreError) -> Value) throws(EngineError) -> Value {
    do throws(StoreError) {
      return try body()
    } catch {
      throw EngineError(error)
    }
  }
}

extension RowAuthor {
  /// An author as messages have them.
  init(_ author: Author) {
    self.init(
      id: UInt64(author.id.rawValue), handle: Array(author.handle.utf8), displayName: Array(author.displayName.utf8),
      avatarURL: Array(author.avatarURL.utf8))
  }
}

extension ListSummary {
  fileprivate init(_ list: Store.MadeList) {
    self.init()
    listID = UInt64(list.id.rawValue)
    name = list.name.string
    authorCount = list.authorCount
    postCount = list.postCount
  }
}
