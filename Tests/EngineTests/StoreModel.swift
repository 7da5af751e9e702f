import Dates
import Engine
import Posts
import Search
import ViewState

/// Everything a store knows, as plain arrays: visibility and list contents are computed by scanning everything each
/// time.
struct StoreModel {
  /// An account of the daemon.
  struct Person {
    var account: AccountID
    /// All its authors; the first is its local one.
    var identities: [AuthorID]
    /// Followed authors; nil means everyone.
    var follows: Set<AuthorID>?
    var lists: [(made: MadeListFacts, authors: Set<AuthorID>)] = []
    /// Posts that it imported after another account had.
    var imported: Set<PostID> = []
    var seen: [SeenSection: OrderKey] = [:]
    var muted: Set<AuthorID> = []
    var blocked: Set<AuthorID> = []
    /// Muted queries of one word, phrase or tag.
    var words: Set<String> = []
  }

  /// Every third post mentions every account, and every requested list and direct conversation exists: for tests that
  /// do not care.
  var isLenient = true
  /// Posts in any order.
  var posts: [StoredPost] = []
  /// Posts known only from inside a repost.
  var originals: Set<PostID> = []
  /// Known gaps of accounts, newest first.
  var gaps: [AccountID: [Gap]] = [:]
  /// Open requests to follow accounts, newest first.
  var followRequests: [AccountID: [PendingFollow]] = [:]
  /// Authors with known names.
  var authors: [AuthorID: Author] = [AuthorID(1): EngineHarness.author]
  var people: [Person] = []
  /// Owners of the followers groups; all other groups are direct.
  var followers: [AudienceGroupID: AccountID] = [:]
  var direct: [AudienceGroupID: Set<AccountID>] = [:]
  /// People of direct conversations who are no authors.
  var strangers: [AudienceGroupID: [SafeText]] = [:]

  /// Returns an account; one that was not set up follows everyone and is the author with its number.
  func person(_ account: AccountID) -> Person {
    people.first { $0.account == account } ?? Person(account: account, identities: [AuthorID(account.rawValue)])
  }

  func members(of group: AudienceGroupID) -> Set<AccountID> {
    guard let owner = followers[group] else { return direct[group] ?? [] }
    let author = person(owner).identities[0]
    return Set(people.filter { $0.follows?.contains(author) ?? true }.map(\.account) + [owner])
  }

  func sees(_ account: AccountID, _ post: StoredPost) -> Bool {
    switch post.audience {
    case .everyone: true
    case .only(let owner): owner == account
    case .group(let group): members(of: group).contains(account)
    case .nobody: false
    }
  }

  func post(_ id: PostID) -> StoredPost? { posts.first { $0.id == id } }

  // MARK: Mutes

  func muteList(of account: AccountID) -> MuteList {
    let person = person(account)
    var muteList = MuteList()
    (muteList.muted, muteList.blocked, muteList.words) = (person.muted, person.blocked, person.words)
    if !muteList.isEmpty { muteList.own = Set(person.identities) }
    return muteList
  }

  /// Returns true if a post that belongs to a list is visible there.
  func shows(_ key: ListKey, _ post: StoredPost) -> Bool {
    guard let account = key.account else { return true }
    let person = person(account)
    let poster = post.repostedBy ?? post.author
    if person.identities.contains(poster) { return true }
    let isByMute = [post.author, poster].contains { person.muted.contains($0) || person.blocked.contains($0) }
    let hasWord = person.words.contains { word in
      var index = SearchIndex()
      _ = index.open(SearchQuery(canonical: word)!)
      return !index.matches(post, by: []).isEmpty
    }
    switch key {
    case .home, .mentions, .made: return !isByMute && !hasWord
    case .search: return !isByMute
    case .direct: return !isBlocked(post, by: account)
    default: return true
    }
  }

  /// Returns true if a post is by an author that an account has blocked.
  func isBlocked(_ post: StoredPost, by account: AccountID) -> Bool {
    let person = person(account)
    guard !person.identities.contains(post.repostedBy ?? post.author) else { return false }
    return [post.author, post.repostedBy ?? post.author].contains(where: person.blocked.contains)
  }

  /// Returns the rows of a list, newest first.
  func rows(_ key: ListKey) -> [StoredPost] {
    let rows = list(key.base).filter { shows(key.base, $0) }
    guard case .filtered(_, let filter) = key, let account = key.account else { return rows }
    return rows.filter { passes($0, filter, for: account) }
  }

  /// Returns true if a filter lets a post through.
  func passes(_ post: StoredPost, _ filter: ListFilter, for reader: AccountID) -> Bool {
    let wanted = PostFilter(canonical: filter.words)!
    let body = post.body.unpacked()!
    let isReply = post.repostedBy == nil && post.inReplyTo != nil
    let reading = post.mark(of: reader).reading
    let isUnread = reading == .none ? filter.since.map { post.orderKey > $0 } ?? true : reading == .unread
    let language = body.language.string.lowercased().split(separator: "-").first.map { String($0) } ?? ""
    var index = SearchIndex()
    if let query = wanted.query { _ = index.open(query) }
    return (wanted.reposts.map { $0 == (post.repostedBy != nil) } ?? true)
      && (wanted.replies.map { $0 == isReply } ?? true)
      && (wanted.media.map { $0 != body.media.isEmpty } ?? true)
      && (wanted.languages.isEmpty || wanted.languages.contains(language))
      && !wanted.excludedLanguages.contains(language) && (!wanted.isUnread || isUnread)
      && wanted.patterns.allSatisfy { has($0, body.text) } && !wanted.excludedPatterns.contains { has($0, body.text) }
      && (wanted.query == nil || !index.matches(post, by: authors[post.author]?.searchNames ?? []).isEmpty)
  }

  /// Matches with Swift's own regular expressions, which suffice for texts without accents.
  private func has(_ pattern: TextPattern, _ text: SafeText) -> Bool {
    text.string.lowercased().firstMatch(of: try! Regex(pattern.spelling)) != nil
  }

  // MARK: Lists

  /// Returns true if a post is in a list whose content depends only on posts.
  func holds(_ key: ListKey, _ post: StoredPost) -> Bool {
    guard let account = key.account, sees(account, post) else { return false }
    let person = person(account)
    let poster = post.repostedBy ?? post.author
    let isEntry = !originals.contains(post.id)
    switch key {
    case .home(let account):
      let isOwn = post.owner == account || person.imported.contains(post.id) || person.identities.contains(poster)
      return isEntry && (isOwn || person.follows?.contains(poster) ?? true)
    case .mentions:
      if isLenient { return isEntry && post.id.rawValue % 3 == 0 }
      guard isEntry, !person.identities.contains(poster) else { return false }
      let names = person.identities.compactMap { authors[$0]?.handle }
      if post.body.unpacked()!.spans.contains(where: { $0.kind == .mention && names.contains($0.target) }) {
        return true
      }
      return post.inReplyTo.flatMap { self.post($0) }.map { person.identities.contains($0.author) } ?? false
    case .direct(_, let group): return isEntry && post.audience == .group(group) && direct[group] != nil
    case .made(_, let list):
      return isEntry && person.lists.first { $0.made.id == list }?.authors.contains(poster) ?? false
    case .author(_, let author):
      return isEntry && (poster == author || author == person.identities[0] && person.identities.contains(poster))
    case .own: return isEntry && person.identities.contains(poster)
    case .search(_, let query):
      guard post.repostedBy == nil, let query = SearchQuery(canonical: query) else { return false }
      var index = SearchIndex()
      _ = index.open(query)
      return !index.matches(post, by: authors[post.author]?.searchNames ?? []).isEmpty
    case .lists, .messages, .conversation, .launch, .filtered: return false
    }
  }

  /// Returns the posts of a list as they are read, newest first.
  func list(_ key: ListKey) -> [StoredPost] {
    switch key {
    case .messages(let account):
      let lists = direct.keys.map { list(.direct(account, $0)) }
      return lists.compactMap { $0.first { !isBlocked($0, by: account) } }.sorted { $0.orderKey > $1.orderKey }
    case .conversation(let account, let subject):
      return tree(around: subject, for: account).map(\.post).sorted { $0.orderKey > $1.orderKey }
    case .lists, .launch: return []
    case .search: return Array(posts.filter { holds(key, $0) }.sorted { $0.orderKey > $1.orderKey }.prefix(10_000))
    default: return posts.filter { holds(key, $0) }.sorted { $0.orderKey > $1.orderKey }
    }
  }

  /// Returns a conversation as it is shown.
  func tree(around subject: PostID, for account: AccountID) -> [(post: StoredPost, depth: Int)] {
    let visible = posts.filter { $0.repostedBy == nil && sees(account, $0) }
    guard let root = visible.first(where: { $0.id == subject }) else { return [] }
    var chain = [root]
    while let parent = chain[0].inReplyTo, let post = visible.first(where: { $0.id == parent }), !chain.contains(post) {
      chain.insert(post, at: 0)
    }
    var rows = chain.map { (post: $0, depth: 0) }
    func addReplies(to post: StoredPost, _ depth: Int) {
      for reply in visible.filter({ $0.inReplyTo == post.id }).sorted(by: { $0.orderKey < $1.orderKey })
      where !rows.contains(where: { $0.post.id == reply.id }) {
        rows.append((reply, min(depth, 5)))
        addReplies(to: reply, depth + 1)
      }
    }
    addReplies(to: root, 1)
    return rows
  }

  /// Returns the lists of an account that a store reports changes of.
  func keptLists(of account: AccountID) -> [ListKey] {
    [.home(account), .mentions(account), .messages(account)] + direct.keys.map { .direct(account, $0) }
      + person(account).lists.map { .made(account, $0.made.id) }
  }

  // MARK: Facts

  func facts(of key: ListKey) -> ListFacts? {
    switch key {
    case .author(let account, let author):
      let identities = person(account).identities
      return .profile(profile(of: author, authors: author == identities[0] ? Set(identities) : [author], for: account))
    case .own(let account):
      let identities = person(account).identities
      return .profile(profile(of: identities[0], authors: Set(identities), for: account))
    case .made(_, let list) where isLenient: return .made(MadeListFacts(id: list, name: "list", authorCount: 0))
    case .made(let account, let list): return person(account).lists.first { $0.made.id == list }.map { .made($0.made) }
    case .direct where isLenient: return .direct([])
    case .direct(let account, let group):
      guard let people = direct[group], people.contains(account) else { return nil }
      return .direct(
        people.subtracting([account]).map { person($0).identities[0] }.sorted { $0.rawValue < $1.rawValue },
        unknown: strangers[group] ?? [])
    case .lists(let account): return .lists(person(account).lists.map(\.made), person(account).identities[0])
    default: return nil
    }
  }

  private func profile(of author: AuthorID, authors: Set<AuthorID>, for account: AccountID) -> ProfileFacts {
    let me = person(account)
    let them = people.first { $0.identities[0] == author }
    var facts = ProfileFacts(author: author, authors: authors)
    facts.followers = people.count { $0.identities[0] != author && $0.follows?.contains(author) ?? true }
    facts.following = them?.follows?.count ?? 0
    facts.isFollowed = me.follows?.contains(author) ?? true
    facts.followsMe = them?.follows?.contains(me.identities[0]) ?? false
    facts.isMe = me.identities.contains(author)
    facts.isMuted = me.muted.contains(author)
    facts.isBlocked = me.blocked.contains(author)
    return facts
  }

  /// Returns the number of a section's entries that are newer than what was seen.
  func news(of section: SeenSection, for account: AccountID, since seen: OrderKey?) -> Int {
    let key: ListKey =
      switch section {
      case .home: .home(account)
      case .mentions: .mentions(account)
      case .messages: .messages(account)
      }
    return rows(key).count { post in seen.map { post.orderKey > $0 } ?? true }
  }
}

extension StoreModel {
  /// Returns the commit from `old` to this store. If more than posts has changed, the affected lists are to be
  /// reloaded.
  func commit(from old: StoreModel, revision: UInt64, isWholesale: Bool, authors: [Author]) -> CommittedPosts {
    let before = Dictionary(uniqueKeysWithValues: old.posts.map { ($0.id, $0) })
    let after = Dictionary(uniqueKeysWithValues: posts.map { ($0.id, $0) })
    var commit = CommittedPosts(revision: revision, authors: authors)
    for post in posts {
      let isChanged = before[post.id].map {
        $0 != post || old.originals.contains(post.id) != originals.contains(post.id)
      }
      if isChanged == false { continue }
      if originals.contains(post.id) {
        commit.changes.originals.append(post)
      } else if isChanged == nil {
        commit.new.append(post)
      } else {
        commit.changes.changed.append(post)
      }
    }
    commit.changes.removed = old.posts.filter { after[$0.id] == nil }.map(\.orderKey)
    let gone = Set(commit.changes.removed)
    let touched = Set((commit.new + commit.changes.originals + commit.changes.changed).map(\.id)).union(gone.map(\.id))
    for key in (people.map(\.account) + [EngineHarness.account]).uniqued().flatMap({ keptLists(of: $0) }) {
      let isWhole = isWholesale || { if case .messages = key { true } else { false } }()
      let was = (isWhole ? old.list(key) : old.posts.filter { touched.contains($0.id) && old.holds(key, $0) })
      let now = (isWhole ? list(key) : posts.filter { touched.contains($0.id) && holds(key, $0) })
      let (wasKeys, nowKeys) = (Set(was.map(\.orderKey)), Set(now.map(\.orderKey)))
      let left = was.map(\.orderKey).filter { !nowKeys.contains($0) }
      let entered = now.filter { !wasKeys.contains($0.orderKey) }
      guard !left.isEmpty || !entered.isEmpty, let name = key.name else { continue }
      if case .direct(let group) = name { commit.changes.groups.members[group] = members(of: group) }
      if isWholesale {
        commit.changes.reload(name)
      } else {
        if !left.isEmpty { commit.changes.left[name] = left }
        if !entered.isEmpty { commit.changes.entered[name] = entered.map(\.id) }
        for post in entered where !touched.contains(post.id) && !commit.changes.changed.contains(post) {
          commit.changes.changed.append(post)
        }
      }
    }
    for account in gaps.keys where gaps[account] != old.gaps[account] { commit.changes.gaps[account] = gaps[account] }
    for (account, requests) in followRequests where requests != old.followRequests[account] {
      commit.changes.followRequests[account] = requests
    }
    for post in commit.new + commit.changes.originals + commit.changes.changed {
      if case .group(let group) = post.audience { commit.changes.groups.members[group] = members(of: group) }
    }
    for group in followers.keys where members(of: group) != old.members(of: group) {
      commit.changes.groups.members[group] = members(of: group)
    }
    for group in Array(followers.keys) + Array(direct.keys) {
      let (now, then) = (members(of: group), old.members(of: group))
      for account in now.subtracting(then) { commit.changes.groups.join(account, group) }
      for account in then.subtracting(now) { commit.changes.groups.withdraw(account, group) }
    }
    for person in people {
      let former = old.person(person.account)
      if person.lists.map(\.made) != former.lists.map(\.made) { commit.changes.listsChanged.insert(person.account) }
      if muteList(of: person.account) != old.muteList(of: person.account) {
        commit.changes.muteLists[person.account] = muteList(of: person.account)
        commit.profilesChanged = true
      }
      if person.follows != former.follows || person.identities != former.identities { commit.profilesChanged = true }
    }
    return commit
  }
}

extension Array where Element: Hashable {
  /// Returns each element once, in order of first appearance.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
