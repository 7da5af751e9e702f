import Dates
import Engine
import Posts
import ViewState

/// A small world whose people make every kind of change to a store: four accounts, remote authors, audience groups and
/// lists.
struct RandomStore<Random: RandomNumberGenerator> {
  var random: Random
  private var nextPost: Int64 = 1
  private var nextList: Int64 = 1
  private var nextGroup: Int64 = 1

  static var accounts: [AccountID] { (1...4).map { AccountID($0) } }
  /// The first four write locally.
  static var authors: [AuthorID] { (1...7).map { AuthorID($0) } }
  static var searches: [String] { ["otter", "#sea", "from:a5", "river -otter", "@a2"] }
  private static var words: [String] {
    ["otter", "river", "wood", "#sea", "#sky", "@a1", "@a2", "@a5", "a long walk along the river in the evening"]
  }

  init(random: Random) { self.random = random }

  /// Returns the world in its initial state.
  mutating func begin() -> StoreModel {
    var store = StoreModel()
    store.isLenient = false
    for author in Self.authors {
      store.authors[author] = Author(
        id: author, handle: SafeText("a\(author.rawValue)"), displayName: "", avatarURL: "")
    }
    for account in Self.accounts {
      var person = StoreModel.Person(account: account, identities: [AuthorID(account.rawValue)])
      person.follows = Set(Self.authors.filter { $0 != person.identities[0] && Bool.random(using: &random) })
      store.people.append(person)
      store.followers[AudienceGroupID(nextGroup)] = account
      nextGroup += 1
    }
    for _ in 0..<Int.random(in: 0...40, using: &random) { write(&store) }
    return store
  }

  private mutating func element<T>(_ elements: some Collection<T>) -> T? { elements.randomElement(using: &random) }
  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private mutating func body(_ visibility: Visibility) -> PackedBody {
    let words = (0..<Int.random(in: 1...4, using: &random)).map { _ in element(Self.words)! }
    let text = SafeText(words.joined(separator: " "))
    var body = PostBody(text: text, spans: TextSpans.find(in: text), visibility: visibility)
    body.language = SafeText(element(["", "de", "en-GB"])!)
    if chance(20) { body.media = [Media(kind: .image, url: "https://example.org/a", altText: "")] }
    return PackedBody(body)
  }

  // MARK: Posts

  /// Adds a post: written, imported, a reply or a repost.
  mutating func write(_ store: inout StoreModel) {
    defer { nextPost += 1 }
    let account = element(Self.accounts)!
    let isOwn = chance(60)
    var post = StoredPost(
      id: PostID(nextPost), subject: PostID(nextPost),
      createdAt: EngineHarness.start.adding(milliseconds: 1000 * Int64.random(in: -400...0, using: &random)),
      author: isOwn ? store.person(account).identities[0] : element(Self.authors.dropFirst(4))!, repostedBy: nil,
      owner: account,
      inReplyTo: nil, body: body(.public), audience: .everyone)
    switch Int.random(in: 0..<10, using: &random) {
    case 0...1: if isOwn { (post.body, post.audience) = (body(.followers), .group(followers(of: account, store))) }
    case 2...3: if isOwn { (post.body, post.audience) = (body(.direct), .group(direct(with: account, &store))) }
    case 4: (post.body, post.audience) = (body(.followers), .only(account))
    case 5...6: repost(&post, store)
    default: break
    }
    if post.repostedBy == nil, chance(50) { answer(&post, store) }
    if chance(8) { store.originals.insert(post.id) }
    store.posts.append(post)
  }

  private func followers(of account: AccountID, _ store: StoreModel) -> AudienceGroupID {
    store.followers.first { $0.value == account }!.key
  }

  private mutating func direct(with account: AccountID, _ store: inout StoreModel) -> AudienceGroupID {
    let people = Set(Self.accounts.filter { _ in chance(40) } + [account])
    if let known = store.direct.first(where: { $0.value == people }) { return known.key }
    defer { nextGroup += 1 }
    store.direct[AudienceGroupID(nextGroup)] = people
    return AudienceGroupID(nextGroup)
  }

  private mutating func repost(_ post: inout StoredPost, _ store: StoreModel) {
    guard let original = element(store.posts.filter { $0.repostedBy == nil && store.sees(post.owner, $0) }) else {
      return
    }
    post.repostedBy = post.author
    post.author = original.author
    post.subject = original.id
    post.body = original.body
    post.inReplyTo = original.inReplyTo
    post.audience = original.audience.intersection(post.audience)
  }

  private mutating func answer(_ post: inout StoredPost, _ store: StoreModel) {
    guard let parent = element(store.posts.filter { $0.repostedBy == nil && store.sees(post.owner, $0) }) else {
      return
    }
    post.inReplyTo = parent.id
    guard parent.audience != .everyone else { return }
    post.audience = parent.audience
    post.body = body(parent.body.visibility)
  }

  /// Changes a post's text, time or audience, and its reposts with it.
  mutating func edit(_ store: inout StoreModel) {
    guard let old = element(store.posts.filter { $0.repostedBy == nil }) else { return }
    var post = old
    switch Int.random(in: 0..<4, using: &random) {
    case 0: post.createdAt = post.createdAt.adding(milliseconds: 1000 * Int64.random(in: -50...50, using: &random))
    case 1:
      let isPublic = post.audience == .only(post.owner)
      post.body = body(isPublic ? .public : .followers)
      post.audience = isPublic ? .everyone : .only(post.owner)
    case 2: post.inReplyTo = chance(50) ? nil : element(store.posts.filter { $0.repostedBy == nil })?.id
    default: post.body = body(post.body.visibility)
    }
    if store.originals.contains(post.id), chance(50) { store.originals.remove(post.id) }
    for index in store.posts.indices where store.posts[index].subject == post.id {
      if store.posts[index].repostedBy == nil {
        store.posts[index] = post
      } else {
        store.posts[index].body = post.body
        store.posts[index].inReplyTo = post.inReplyTo
        store.posts[index].audience = post.audience
      }
    }
  }

  /// Deletes a post with its reposts; its replies become plain posts.
  mutating func delete(_ store: inout StoreModel) {
    guard let post = element(store.posts) else { return }
    store.posts.removeAll { $0.subject == post.id || $0.id == post.id }
    store.originals.remove(post.id)
    for index in store.posts.indices where store.posts[index].inReplyTo == post.id {
      store.posts[index].inReplyTo = nil
    }
  }

  // MARK: Accounts

  /// Changes follows, lists or claimed identities.
  mutating func arrange(_ store: inout StoreModel) {
    let index = Int.random(in: 0..<store.people.count, using: &random)
    let author = element(Self.authors)!
    switch Int.random(in: 0..<7, using: &random) {
    case 0...2:
      guard author != store.people[index].identities[0] else { return }
      if store.people[index].follows!.remove(author) == nil { store.people[index].follows!.insert(author) }
    case 3:
      let made = MadeListFacts(id: ListID(nextList), name: SafeText("list \(nextList)"), authorCount: 0)
      store.people[index].lists.append((made, []))
      nextList += 1
    case 4:
      guard let list = store.people[index].lists.indices.randomElement(using: &random) else { return }
      if chance(30) {
        store.people[index].lists.remove(at: list)
      } else {
        let old = store.people[index].lists[list].made
        store.people[index].lists[list].made = MadeListFacts(
          id: old.id, name: SafeText("\(old.name.string)'"), authorCount: old.authorCount)
      }
    case 5:
      guard let list = store.people[index].lists.indices.randomElement(using: &random) else { return }
      var (made, authors) = store.people[index].lists[list]
      if authors.remove(author) == nil { authors.insert(author) }
      made.authorCount = authors.count
      store.people[index].lists[list] = (made, authors)
    default:
      let isTaken = author.rawValue < 5 || store.people.contains { $0.identities.contains(author) }
      guard !isTaken else { return }
      store.people[index].identities.append(author)
      store.people[index].muted.remove(author)
      store.people[index].blocked.remove(author)
    }
  }

  /// Mutes or blocks an author, or mutes a word, or undoes that.
  mutating func changeMutes(_ store: inout StoreModel) {
    let index = Int.random(in: 0..<store.people.count, using: &random)
    let author = element(Self.authors)!
    switch Int.random(in: 0..<5, using: &random) {
    case 0...1:
      guard !store.people[index].identities.contains(author) else { return }
      if store.people[index].muted.remove(author) == nil { store.people[index].muted.insert(author) }
    case 2:
      guard !store.people[index].identities.contains(author) else { return }
      if store.people[index].blocked.remove(author) == nil { store.people[index].blocked.insert(author) }
    default:
      let word = element(Self.mutedWords)!
      if store.people[index].words.remove(word) == nil { store.people[index].words.insert(word) }
    }
  }

  /// Returns a random filter for a pane.
  mutating func filter() -> String { element(Self.filters)! }

  private static var filters: [String] {
    [
      "", "-is:repost", "is:repost", "-is:reply", "is:reply -has:media", "has:media", "lang:de", "-lang:en otter",
      "from:a5", "-from:a1 river", "is:unread",
      "/OTT.r/", "/^(#s|@a)/ -/r$/ -is:repost",
    ]
  }

  private static var mutedWords: [String] { ["otter", "#sea", "\"river in\"", "wood"] }

  /// Returns a random subject for a pane.
  mutating func subject(_ store: StoreModel, for account: AccountID) -> StackCommand.Subject {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .author("\(element(Self.authors)!.rawValue)")
    case 1: return .search(element(Self.searches)!)
    case 2: return .list("\(element(store.person(account).lists)?.made.id.rawValue ?? 99)")
    case 3: return .direct(UInt64(element(store.direct.keys.sorted { $0.rawValue < $1.rawValue })?.rawValue ?? 99))
    default: return .conversation("\(element(store.posts)?.id.rawValue ?? 1)")
    }
  }
}
