internal import Engine
internal import Posts
internal import Search
internal import Store

/// What the engine asks of the store, in the engine's terms.
extension StoreReader {
  /// A page of a list; nil where there is no such list, or not for who looks.
  func listPage(of list: ListKey, before: OrderKey?, limit: Int) throws(StoreError) -> PostPage? {
    let account = list.account
    if let name = list.name { return try page(of: name, for: account, before: before, limit: limit) }
    switch list {
    case .author(_, let author): return try page(by: author, for: account, before: before, limit: limit)
    case .own:
      guard let author = try localAuthor(of: account) else { return nil }
      return try page(by: author.id, for: account, before: before, limit: limit)
    case .search(_, let query):
      guard let query = SearchQuery(canonical: query) else { return nil }
      return try search(query, for: account, before: before, limit: limit)
    case .home, .mentions, .messages, .direct, .made, .lists, .conversation, .launch, .filtered: return nil
    }
  }

  /// What is known of a list beside its posts, with the authors that this names; nil where there is no such list, or
  /// not for who looks.
  func facts(of list: ListKey) throws(StoreError) -> (facts: ListFacts, authors: [Author])? {
    let account = list.account
    switch list {
    case .author(_, let author): return try facts(of: author, for: account)
    case .own:
      guard let author = try localAuthor(of: account) else { return nil }
      return try facts(of: author.id, for: account)
    case .made(_, let list):
      guard let made = try madeList(list, of: account) else { return nil }
      return (.made(MadeListFacts(made)), [])
    case .direct(_, let circle):
      guard let people = try people(of: circle, for: account) else { return nil }
      var authors: [Author] = []
      for person in people where person.id != account {
        if let author = try localAuthor(of: person.id) { authors.append(author) }
      }
      return (.direct(authors.map(\.id)), authors)
    case .lists:
      guard let author = try localAuthor(of: account) else { return nil }
      return (.lists(try madeLists(of: account).map { MadeListFacts($0) }, author.id), [author])
    case .home, .mentions, .messages, .search, .conversation, .launch, .filtered: return nil
    }
  }

  private func facts(of author: AuthorID, for account: AccountID) throws(StoreError) -> (
    facts: ListFacts, authors: [Author]
  )? {
    guard let profile = try profile(of: author, for: account) else { return nil }
    return (.profile(ProfileFacts(profile)), [profile.author])
  }

  /// What an account has not seen of its sections, counted from the later of what is noted and of `known`; nil for no
  /// account.
  func navigation(
    of account: AccountID, seen known: [SeenSection: OrderKey]
  ) throws(StoreError) -> (facts: NavigationFacts, author: Author)? {
    guard let author = try localAuthor(of: account) else { return nil }
    var facts = NavigationFacts(author: author.id)
    for section in SeenSection.allCases {
      let seen = [try seen(section, of: account), known[section]].compactMap(\.self).max()
      facts.news[section] = NavigationFacts.News(seen: seen, count: try unseen(section, of: account, since: seen))
    }
    facts.quiet = try quiet(of: account)
    return (facts, author)
  }
}

extension ProfileFacts {
  /// What the store tells of somebody.
  init(_ profile: Profile) {
    self.init(author: profile.author.id, authors: Set(profile.identities))
    followers = profile.followers
    following = profile.following
    isFollowed = profile.isFollowed
    followsMe = profile.followsMe
    isMe = profile.isMe
    isMuted = profile.isMuted
    isBlocked = profile.isBlocked
  }
}

extension MadeListFacts {
  fileprivate init(_ list: MadeList) { self.init(id: list.id, name: list.name, authorCount: list.authorCount) }
}
