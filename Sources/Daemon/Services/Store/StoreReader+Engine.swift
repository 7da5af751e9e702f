internal import Engine
internal import Posts
internal import Search
internal import Store

/// Reads for the engine, in the engine's types.
extension StoreReader {
  /// A page of a list; nil if the list does not exist or the account may not see it.
  func listPage(of list: ListKey, before: OrderKey?, limit: Int) throws(StoreError) -> PostPage? {
    guard let account = list.account else { return nil }
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

  /// The facts of a list beside its posts, with the authors that they name; nil if the list does not exist or the
  /// account may not see it.
  func facts(of list: ListKey) throws(StoreError) -> (facts: ListFacts, authors: [Author])? {
    guard let account = list.account else { return nil }
    switch list {
    case .author(_, let author): return try facts(of: author, for: account)
    case .own:
      guard let author = try localAuthor(of: account) else { return nil }
      return try facts(of: author.id, for: account)
    case .made(_, let list):
      guard let made = try madeList(list, of: account) else { return nil }
      return (.made(MadeListFacts(made)), [])
    case .direct(_, let group):
      guard let people = try people(of: group, for: account) else { return nil }
      var authors: [Author] = []
      for person in people where person.id != account {
        if let author = try localAuthor(of: person.id) { authors.append(author) }
      }
      let others = try remoteAuthors(of: group)
      authors += others.known
      return (.direct(authors.map(\.id), unknown: others.unknown), authors)
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

  /// The unseen posts of an account's sections, counted from the later of the stored position and `known`; nil if there
  /// is no such account.
  func navigation(
    of account: AccountID, seen known: [SeenSection: OrderKey]
  ) throws(StoreError) -> (facts: NavigationFacts, author: Author)? {
    guard let author = try localAuthor(of: account) else { return nil }
    var facts = NavigationFacts(author: author.id)
    for section in SeenSection.allCases {
      let seen = [try seen(section, of: account), known[section]].compactMap(\.self).max()
      facts.news[section] = NavigationFacts.News(seen: seen, count: try unseen(section, of: account, since: seen))
    }
    facts.muteList = try muteList(of: account)
    return (facts, author)
  }
}

extension ProfileFacts {
  /// The facts of a stored profile.
  init(_ profile: Profile) {
    self.init(author: profile.author.id, authors: Set(profile.identities))
    followers = profile.followers
    following = profile.following
    isFollowed = profile.isFollowed
    followsMe = profile.followsMe
    isMe = profile.isMe
    isMuted = profile.isMuted
    isBlocked = profile.isBlocked
    about = profile.about
  }
}

extension MadeListFacts {
  fileprivate init(_ list: MadeList) { self.init(id: list.id, name: list.name, authorCount: list.authorCount) }
}
