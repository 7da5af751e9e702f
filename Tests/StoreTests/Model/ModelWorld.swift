import Dates
import Posts
import TestSupport
import Testing

@testable import Store

/// A store and a model of it that undergo the same random changes, as a seed decides.
struct ModelWorld {
  let folder = TemporaryFolder()
  let store: PostStore
  var model = Model()
  var mirror = Mirror()
  var random: SeededGenerator
  private var clock: Int64 = 0
  /// The only account that acts; nil for any.
  var actor: AccountID?
  /// False for tests of undo, which restores no follows that a block has ended.
  var blocksAuthors = true

  init(seed: UInt64, accounts: Int = 4) throws {
    random = SeededGenerator(seed: seed)
    store = try PostStore(path: folder.file("posts.db"), epoch: 7)
    for _ in 0..<accounts { try openAccount() }
  }

  /// Makes a random change.
  mutating func step() throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<17: try compose()
    case 17..<22: try edit()
    case 22..<28: try mark()
    case 28..<30: try markRead()
    case 30..<50: try importShared()
    case 50..<65: try importOwn()
    case 65..<77: try follow()
    case 77..<80: if blocksAuthors { try block() }
    case 80..<90: try changeList()
    case 90..<96: try deletePost()
    case 96..<98: try claim()
    case 98: try markSeen()
    default: if model.accounts.count < 7 { try openAccount() }
    }
  }

  /// Makes a random change that can be undone.
  mutating func act() throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<25: try compose()
    case 25..<43: try mark()
    case 43..<50: try markRead()
    case 50..<65: try follow()
    case 65..<75: try changeList()
    case 75..<85: try edit()
    default: try deletePost()
    }
  }

  // MARK: Choices

  mutating func account() -> AccountID { actor ?? model.accounts.randomElement(using: &random)! }

  /// Returns an author that everyone may know of: a local author, or one of a public post.
  mutating func author() -> AuthorID {
    let known = Set(model.posts.values.filter { $0.readers == .everyone && $0.original == nil }.map(\.author))
    return (known.union(model.ownAuthors.values)).sorted { $0.rawValue < $1.rawValue }.randomElement(using: &random)!
  }

  /// Returns an instant: mostly later than all before, sometimes in between, sometimes equal.
  private mutating func instant() -> Instant {
    clock += Int64.random(in: 0...2, using: &random)
    return Instant(
      seconds: Int.random(in: 0..<4, using: &random) == 0 ? Int64.random(in: 0...clock, using: &random) : clock)
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  // MARK: Changes

  @discardableResult
  mutating func commit(_ write: Write) throws -> Outcome {
    let commit = try store.commit([write])
    mirror.apply(commit, store)
    return commit.outcomes[0]
  }

  private mutating func openAccount() throws {
    let name = "user\(model.accounts.count + 1)"
    guard case .accountOpened(let account) = try commit(.makeAccount(name: name)) else { return }
    let author = try store.localAuthor(of: account.id)!.id
    model.follows[account.id] = Set(model.ownAuthors.values)
    for other in model.accounts { model.follows[other]!.insert(author) }
    model.accounts.append(account.id)
    model.names[account.id] = name
    model.ownAuthors[account.id] = author
    model.identities[account.id] = [author]
    mirror.watch(account.id, store)
  }

  private mutating func compose() throws {
    let account = account()
    let visibility = [Visibility.public, .unlisted, .followers, .direct, .direct].randomElement(using: &random)!
    var named: [AccountID] = []
    for _ in 0..<(visibility == .direct ? 2 : chance(3) ? 1 : 0) { named.append(self.account()) }
    let parent: Model.Post? =
      chance(3) ? model.posts.values.sorted { $0.id < $1.id }.randomElement(using: &random) : nil
    var readers = readers(visibility, account, Set(named))
    var isTooWide = false
    if let subject = parent.map({ $0.original.map { model.posts[$0]! } ?? $0 }), model.maySee(account, parent!) {
      isTooWide = visibility == .direct && named.contains { $0 != account && !model.maySee($0, subject) }
      readers = narrowed(readers, to: subject, by: account)
    }
    let names = named.map { chance(3) ? model.names[$0]!.uppercased() : model.names[$0]! }
    let text = SafeText(names.map { "@\($0) " }.joined() + describe(readers, account))
    let body = PostBody(text: text, spans: TextSpans.find(in: text), visibility: visibility)
    let composition = Composition(
      account: account, body: body, recipients: names, inReplyTo: parent?.id, createdAt: instant())
    switch try commit(.compose(composition)) {
    case .composed(let composed):
      #expect(!isTooWide)
      model.posts[composed.post.id] = Model.Post(
        id: composed.post.id, createdAt: composition.createdAt, owner: account, author: model.ownAuthors[account]!,
        isLocal: true, readers: readers, isEntry: true, mentions: names, replyTo: composed.post.inReplyTo)
      #expect(composed.post.inReplyTo == parent.map { $0.original ?? $0.id })
    case .refused(.noSuchPost): #expect(!model.maySee(account, parent!))
    case .refused(.answersPrivate), .refused(.answersFewer): #expect(isTooWide)
    case let other: throw Unexpected(other)
    }
  }

  private func readers(_ visibility: Visibility, _ account: AccountID, _ named: Set<AccountID>) -> Model.Readers {
    switch visibility {
    case .public, .unlisted: .everyone
    case .followers: .followers(account)
    case .direct: .people(named.union([account]))
    }
  }

  /// Narrows the readers of a reply to those of its parent.
  private func narrowed(_ readers: Model.Readers, to parent: Model.Post, by account: AccountID) -> Model.Readers {
    switch (parent.readers, readers) {
    case (.everyone, _): readers
    case (.only, _): .only(account)
    case (.followers, .people(let people)): .people(people.union([parent.owner]))
    case (.followers, _), (.people, _): parent.readers
    }
  }

  /// Imports one of a few posts that all accounts import, always for everyone; each import may differ.
  private mutating func importShared() throws {
    let account = account()
    let name = "s\(Int.random(in: 0..<25, using: &random))"
    if chance(3) {
      try importRepost(of: post(name, .public), by: account)
    } else {
      try importPost(post(name, .public), by: account, isEntry: true)
    }
  }

  /// Imports one of the account's own posts, sometimes for everyone, sometimes for itself.
  private mutating func importOwn() throws {
    let account = account()
    let name = "p\(account.rawValue)-\(Int.random(in: 0..<6, using: &random))"
    let post = post(name, Visibility.allCases.randomElement(using: &random)!)
    if chance(3) { try importRepost(of: post, by: account) } else { try importPost(post, by: account, isEntry: true) }
  }

  private mutating func post(_ name: String, _ visibility: Visibility) -> ImportedPost {
    let names =
      chance(3) ? ["h\(Int.random(in: 1...4, using: &random))", "nobody"].map { chance(2) ? $0.uppercased() : $0 } : []
    let answers = chance(3) ? "s\(Int.random(in: 0..<25, using: &random))" : nil
    var post = tweet(name, by: "\(Int.random(in: 1...4, using: &random))", answers: answers, visibility)
    post.createdAt = instant()
    post.body.text = SafeText(names.map { "@\($0) " }.joined())
    post.body.spans = TextSpans.find(in: post.body.text)
    return post
  }

  private mutating func importPost(_ post: ImportedPost, by account: AccountID, isEntry: Bool) throws {
    var post = post
    describe(&post, account)
    if try importAll(post, by: account) { try recordPost(post, by: account, isEntry: isEntry) }
  }

  private mutating func importRepost(of original: ImportedPost, by account: AccountID) throws {
    var original = original
    describe(&original, account)
    var repost = post(
      "r\(account.rawValue)-\(Int.random(in: 0..<6, using: &random))",
      [.public, .direct].randomElement(using: &random)!)
    repost.original = [original]
    guard try importAll(repost, by: account) else { return }
    try recordPost(original, by: account, isEntry: false)
    try recordPost(repost, by: account, isEntry: true)
  }

  /// Imports a post; returns false if it is refused because it is a new post by an author of another account.
  private mutating func importAll(_ post: ImportedPost, by account: AccountID) throws -> Bool {
    let isTaken = try (post.original + [post]).contains { try isAnothers($0, account) }
    guard case .imported(let report) = try commit(.importBatch([post], owner: account)) else {
      throw Unexpected(.refused(.emptyName))
    }
    #expect(report.refused.map(\.reason) == (isTaken ? [.anotherAccount] : []))
    return !isTaken
  }

  private func isAnothers(_ post: ImportedPost, _ account: AccountID) throws -> Bool {
    let twitter = "source_id = (SELECT id FROM sources WHERE name = 'twitter')"
    let author = try store.database.prepare("SELECT id FROM authors WHERE native_id = ?1 AND \(twitter)")
    author.bind(1, text: post.author.nativeID)
    guard readers(post, account) == .everyone, try author.step(), isAnotherAccount(AuthorID(author.integer(0)), account)
    else { return false }
    let shared = try store.database.prepare(
      "SELECT author_id FROM posts WHERE native_id = ?1 AND scope = 0 AND \(twitter)")
    shared.bind(1, text: post.nativeID)
    return try !(shared.step() && shared.integer(0) == author.integer(0))
  }

  private func isAnotherAccount(_ author: AuthorID, _ account: AccountID) -> Bool {
    !model.identities[account]!.contains(author) && model.identities.values.contains { $0.contains(author) }
  }

  private func readers(_ post: ImportedPost, _ account: AccountID) -> Model.Readers {
    post.body.visibility == .public || post.body.visibility == .unlisted ? .everyone : .only(account)
  }

  /// Adds an imported post to the model.
  private mutating func recordPost(_ imported: ImportedPost, by account: AccountID, isEntry: Bool) throws {
    let id = try #require(try store.resolve(reference: "twitter:\(imported.nativeID)", visibleTo: account))
    let known = try store.resolve(author: "twitter:\(imported.author.nativeID)", for: account)
    if let known, !isAnotherAccount(known, account) { model.handles[known] = imported.author.handle.string }
    let old = model.posts[id]
    if let old, !mayChange(old, account) {
      model.posts[id]!.isEntry = old.isEntry || isEntry
      if isEntry { model.posts[id]!.importers.insert(account) }
      return try readReplies()
    }
    let author = try #require(known)
    var post = Model.Post(
      id: id, createdAt: imported.createdAt, owner: old?.owner ?? account, author: author, isLocal: false,
      readers: readers(imported, account), isEntry: isEntry || old?.isEntry ?? false, importers: old?.importers ?? [])
    if isEntry && post.owner != account { post.importers.insert(account) }
    if let original = imported.original.first {
      post.original = try store.resolve(reference: "twitter:\(original.nativeID)", visibleTo: account)
    } else {
      post.mentions = imported.body.mentions.map(\.string)
    }
    post.marks = old?.marks ?? [:]
    model.posts[id] = post
    try readReplies()
  }

  private func mayChange(_ post: Model.Post, _ account: AccountID) -> Bool {
    model.identities[account]!.contains(post.author)
      || (post.owner == account && !isAnotherAccount(post.author, account))
  }

  /// Reads all parents from the store, because replies are tested elsewhere.
  private mutating func readReplies() throws {
    let replies = try store.database.prepare("SELECT id, reply_to FROM posts")
    while try replies.step() {
      model.posts[PostID(replies.integer(0))]?.replyTo = replies.optionalInteger(1).map { PostID($0) }
    }
  }

  private mutating func follow() throws {
    let account = account()
    let author = author()
    if author == model.ownAuthors[account] {
      #expect(try commit(.follow(account, author)) == .refused(.ownAuthor))
    } else if chance(2) {
      let refusal = model.follows[account]!.contains(author) ? nil : refusal(of: author, followedBy: account)
      #expect(try commit(.follow(account, author)) == refusal.map { .refused($0) } ?? .followed(author))
      if refusal == nil { model.follows[account]!.insert(author) }
    } else {
      #expect(try commit(.unfollow(account, author)) == .unfollowed(author))
      model.follows[account]!.remove(author)
    }
  }

  private mutating func changeList() throws {
    let account = account()
    let indices = model.lists.indices.filter { model.lists[$0].account == account }
    guard let index = indices.randomElement(using: &random), !(indices.count < 3 && chance(4)) else {
      let name = "list\(Int.random(in: 0..<5, using: &random))"
      switch try commit(.makeList(account, name: SafeText(name))) {
      case .listMade(let id):
        model.lists.append(Model.MadeList(id: id, account: account, name: name))
        mirror.watch(.made(account, id), account, store)
      case let outcome:
        #expect(outcome == .refused(.nameTaken(name)) && indices.contains { model.lists[$0].name == name })
      }
      return
    }
    let list = model.lists[index].id
    let author = author()
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      #expect(try commit(.deleteList(account, list)) == .listDeleted(list))
      model.lists.remove(at: index)
    case 1, 2:
      #expect(try commit(.removeFromList(account, list, author)) == .listChanged(list))
      model.lists[index].authors.remove(author)
    default:
      #expect(try commit(.addToList(account, list, author)) == .listChanged(list))
      model.lists[index].authors.insert(author)
    }
  }

  private mutating func edit() throws {
    let account = account()
    guard let post = model.posts.values.sorted(by: { $0.id < $1.id }).randomElement(using: &random) else { return }
    let subject = post.original.map { model.posts[$0]! } ?? post
    var named: [AccountID] = []
    for _ in 0..<Int.random(in: 0...2, using: &random) { named.append(self.account()) }
    let names = named.map { model.names[$0]! }
    let text = SafeText(
      names.map { "@\($0) " }.joined() + describe(subject.readers, account) + (chance(4) ? "" : " again"))
    let outcome = try commit(
      .edit(Edition(account: account, post: post.id, text: text, spans: TextSpans.find(in: text))))
    let isOwn = subject.owner == account && model.identities[account]!.contains(subject.author)
    guard model.maySee(account, post), isOwn else {
      #expect(outcome == .refused(model.maySee(account, post) ? .notOwnText(post.id) : .noSuchPost(post.id)))
      return
    }
    guard subject.author == model.ownAuthors[account] else {
      #expect(outcome == .refused(.notWrittenHere(post.id)))
      return
    }
    guard case .edited(let edited) = outcome else { throw Unexpected(outcome) }
    #expect(edited.post == subject.id)
    model.posts[subject.id]!.mentions = names
  }

  private mutating func deletePost() throws {
    let account = account()
    guard let post = model.posts.values.sorted(by: { $0.id < $1.id }).randomElement(using: &random) else { return }
    let isOwn = post.owner == account && model.identities[account]!.contains(post.author)
    let outcome = try commit(.deletePost(account, post.id, requestID: ""))
    guard isOwn && model.maySee(account, post) else {
      #expect(outcome == .refused(model.maySee(account, post) ? .notOwn(post.id) : .noSuchPost(post.id)))
      return
    }
    #expect(outcome == .postDeleted(post.id))
    let gone = Set(model.posts.values.filter { $0.original == post.id }.map(\.id) + [post.id])
    if let original = post.original, !hasRepost(of: original, by: account, except: post.id) {
      model.posts[original]!.marks[account]?.remove(.reposted)
    }
    for id in gone { model.posts[id] = nil }
    for id in model.posts.keys where model.posts[id]!.replyTo.map(gone.contains) ?? false {
      model.posts[id]!.replyTo = nil
    }
  }

  private func hasRepost(of post: PostID, by account: AccountID, except gone: PostID) -> Bool {
    model.posts.values.contains {
      $0.original == post && $0.owner == account && $0.id != gone && model.identities[account]!.contains($0.author)
    }
  }

  private mutating func mark() throws {
    let account = account()
    guard let post = model.posts.values.sorted(by: { $0.id < $1.id }).randomElement(using: &random) else { return }
    let mark = [Mark.favourited, .reposted, .saved].randomElement(using: &random)!
    let isOn = !chance(3)
    let instant = instant()
    let outcome = try commit(.mark(Marking(account: account, post: post.id, mark: mark, isOn: isOn, at: instant)))
    guard model.maySee(account, post) else {
      #expect(outcome == .refused(.noSuchPost(post.id)))
      return
    }
    let subject = model.posts[post.original ?? post.id]!
    guard mark != .reposted || !isOn || subject.readers == .everyone else {
      #expect(outcome == .refused(.notForEverybody(subject.id)))
      return
    }
    guard case .marked(let marked) = outcome else { throw Unexpected(outcome) }
    let isChange = (subject.marks[account] ?? []).contains(mark) != isOn
    #expect(
      marked.post == subject.id && marked.hasChanged == isChange
        && (marked.repost != nil) == (isChange && isOn && mark == .reposted))
    guard isChange else { return }
    if isOn {
      model.posts[subject.id]!.marks[account, default: []].insert(mark)
    } else {
      model.posts[subject.id]!.marks[account]!.remove(mark)
    }
    guard mark == .reposted else { return }
    if let repost = marked.repost {
      model.posts[repost.post.id] = Model.Post(
        id: repost.post.id, createdAt: instant, owner: account, author: model.ownAuthors[account]!, isLocal: true,
        readers: .everyone,
        isEntry: true, original: subject.id)
    } else {
      for (id, repost) in model.posts where repost.original == subject.id && repost.owner == account {
        if model.identities[account]!.contains(repost.author) { model.posts[id] = nil }
      }
    }
  }

  private mutating func markRead() throws {
    let account = account()
    let all = model.posts.values.sorted { $0.id < $1.id }
    let posts = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in all.randomElement(using: &random) }
    let isRead = !chance(3)
    let outcome = try commit(.markRead(ReadMarking(account: account, posts: posts.map(\.id), isRead: isRead)))
    if let unknown = posts.first(where: { !model.maySee(account, $0) }) {
      #expect(outcome == .refused(.noSuchPost(unknown.id)))
      return
    }
    var changed = 0
    for subject in Set(posts.map { $0.original ?? $0.id }) {
      var mark = model.posts[subject]!.marks[account] ?? []
      if mark.reading != (isRead ? .read : .unread) { changed += 1 }
      mark.reading = isRead ? .read : .unread
      model.posts[subject]!.marks[account] = mark
    }
    #expect(outcome == .readMarked(changed))
  }

  private mutating func claim() throws {
    let account = account()
    let name = "\(Int.random(in: 1...4, using: &random))"
    let outcome = try commit(.claimIdentity(account, source: "twitter", authorNativeID: name))
    if case .refused(.claimed(let other)) = outcome {
      let author = try #require(try store.resolve(author: "twitter:\(name)", for: account))
      #expect(
        model.names.contains { $0.value == other && $0.key != account && model.identities[$0.key]!.contains(author) })
    }
    guard case .identityClaimed(let author) = outcome else { return }
    #expect(!isAnotherAccount(author.id, account))
    model.identities[account]!.insert(author.id)
    model.blocked[account]?.remove(author.id)
    model.handles[author.id] = author.handle.string
  }

  private mutating func markSeen() throws {
    let account = account()
    let section = SeenSection.allCases.randomElement(using: &random)!
    guard let key = model.home(account).randomElement(using: &random) else { return }
    let isNewer = model.seen[account]?[section].map { $0 < key } ?? true
    #expect(try commit(.markSeen(account, section, key)) == .seen(isNewer: isNewer))
    if isNewer { model.seen[account, default: [:]][section] = key }
  }

  // MARK: Texts

  private func describe(_ post: inout ImportedPost, _ account: AccountID) {
    let description = describe(readers(post, account), account)
    post.body.text = SafeText(post.body.text.string + description)
    post.native = Array(description.utf8)
    post.aliases = ["alias \(post.nativeID)"]
  }

  /// Returns a text that names its readers, so that a leak shows in the text.
  private func describe(_ readers: Model.Readers, _ writer: AccountID) -> String {
    switch readers {
    case .everyone: "everyone"
    case .only(let account): "only \(account.rawValue)"
    case .followers(let account): "followers \(account.rawValue) \(writer.rawValue)"
    case .people(let people): "people " + people.map { "\($0.rawValue)" }.sorted().joined(separator: ",")
    }
  }

  /// Returns true if an account may read a text, according to the text itself.
  func mayRead(_ text: String, _ account: AccountID, publicOnly: Bool = false) -> Bool {
    let words = text.split(separator: " ").filter { !$0.hasPrefix("@") }
    if words.first == "everyone" { return true }
    if publicOnly || words.count < 2 { return false }
    switch words[0] {
    case "only": return words[1] == "\(account.rawValue)"
    case "followers":
      return words[2] == "\(account.rawValue)" || model.isReader(account, of: .followers(AccountID(Int64(words[1])!)))
    default: return words[1].split(separator: ",").contains { $0 == "\(account.rawValue)" }
    }
  }
}
