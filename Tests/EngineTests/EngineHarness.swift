import Dates
import Engine
import Posts
import Testing
import ViewState

/// Holds an engine, which cannot be copied, for a harness, which can.
private final class EngineBox {
  var engine: StackEngine

  init(_ engine: consuming StackEngine) { self.engine = engine }
}

/// An engine with a store of arrays, a manual clock, and mirrors of its views. Loads are answered and commits delivered
/// in order, when the test says so. Every frame is checked for posts that its account may not see.
struct EngineHarness {
  static let account = AccountID(1)
  static let start = Instant(seconds: 1_800_000_000)

  var engine: StackEngine {
    _read { yield box.engine }
    _modify { yield &box.engine }
  }
  private let box: EngineBox
  var now = Self.start
  var store = StoreModel()
  /// Posts of the store, in any order.
  var posts: [StoredPost] {
    get { store.posts }
    set { store.posts = newValue }
  }
  /// The store at each revision that the engine has not received, and the one before.
  private var states: [(revision: UInt64, store: StoreModel)] = []
  /// Posts that some account may not see or once could not, or that were deleted.
  private var restricted: Set<PostID> = []
  var savedSessions: [SessionKey: [UInt8]] = [:]
  var savedPlaces: [SessionKey: [UInt8]] = [:]
  /// Revisions at which sessions and places were last saved; 0 for those set by tests.
  var sessionRevisions: [SessionKey: UInt64] = [:]
  var placesRevisions: [SessionKey: UInt64] = [:]
  /// Number of saves of places.
  var placesSaves = 0
  /// The store's revision, which may be ahead of the engine's.
  var revision: UInt64 = 1
  /// If not nil, sessions cannot be saved, for this reason.
  var savingFails: EngineError?
  /// If true, saves wait until ``answerSaves()``.
  var holdsSaves = false
  var pendingSaves: [Input] = []
  /// If true, loads wait in `pendingLoads` until ``answerLoads()``.
  var holdsLoads = false
  var pendingLoads: [(LoadID, LoadResult)] = []
  /// If true, commits wait in `pendingCommits` until ``deliverCommits()``.
  var holdsCommits = false
  var pendingCommits: [CommittedPosts] = []
  var mirrors: [ViewID: ViewSnapshot] = [:]
  var frames: [ViewID: [Frame]] = [:]
  /// Account of each view.
  var accounts: [ViewID: AccountID] = [:]
  /// Views without a mirror.
  var unmirrored: Set<ViewID> = []
  /// Generation of the last viewport.
  var generation: UInt32 = 0
  var ended: [ViewID: EngineError] = [:]
  var answers: [RequestToken: RowsAnswer] = [:]
  var stackAnswers: [RequestToken: UInt64] = [:]
  var stackRevisions: [RequestToken: UInt64] = [:]
  var slides: [RequestToken: Slide] = [:]
  var sessionLists: [RequestToken: [SessionListing]] = [:]
  var refusals: [RequestToken: EngineError] = [:]
  /// Seen positions of accounts, as saved by the engine.
  var seen: [(account: AccountID, section: SeenSection, key: OrderKey)] = []
  /// Views that do not acknowledge frames automatically.
  var slow: Set<ViewID> = []
  /// Views whose streams take no frames.
  var blocked: Set<ViewID> = []
  /// Views reported as stalled, in order.
  var stalled: [ViewID] = []

  init(limits: EngineLimits = EngineLimits()) { box = EngineBox(StackEngine(epoch: 7, revision: 1, limits: limits)) }

  /// A post with a favourite, so that its row has a line of facts.
  static func post(
    _ id: Int64, at seconds: Int64? = nil, text: String? = nil, inReplyTo: Int64? = nil,
    visibility: Visibility = .public,
    owner: AccountID = account
  ) -> StoredPost {
    StoredPost(
      id: PostID(id), subject: PostID(id), createdAt: start.adding(milliseconds: (seconds ?? id) * 1000 - 100_000_000),
      author: AuthorID(1), repostedBy: nil, owner: owner, inReplyTo: inReplyTo.map { PostID($0) },
      body: PackedBody(
        PostBody(text: SafeText(text ?? "post number \(id)"), counts: Counts(favourites: 1), visibility: visibility)))
  }

  static func layout(width: Int = 80, height: Int = 24, singlePane: Bool = true) -> LayoutParameters {
    var layout = LayoutParameters(width: width, height: height)
    layout.isSinglePane = singlePane
    return layout
  }

  mutating func send(_ input: Input) {
    begin()
    var effects = engine.handle(input, at: now)
    while !effects.isEmpty {
      let effect = effects.removeFirst()
      switch effect {
      case .load(let id, let load):
        let result = answer(load)
        if holdsLoads {
          pendingLoads.append((id, result))
        } else {
          effects += engine.handle(.loaded(id, result), at: now)
        }
      case .saveSession(let key, let bytes):
        if savingFails == nil { savedSessions[key] = bytes }
        effects += saved(.sessionSaved(key, savingFails.map { .failure($0) } ?? .success(revision + 1)))
      case .renameSession(let key, let name):
        guard let account = key.account else { preconditionFailure("\(key) cannot be renamed") }
        let new = SessionKey(account: account, name: name)
        let refusal =
          savingFails
          ?? (savedSessions[new] == nil ? nil : EngineError(.alreadyExists, "there is a session of that name"))
        if refusal == nil {
          savedSessions[new] = savedSessions.removeValue(forKey: key)
          savedPlaces[new] = savedPlaces.removeValue(forKey: key)
        }
        effects += saved(.sessionSaved(key, refusal.map { .failure($0) } ?? .success(revision + 1)))
      case .deleteSession(let key):
        if savingFails == nil { (savedSessions[key], savedPlaces[key]) = (nil, nil) }
        effects += saved(.sessionSaved(key, savingFails.map { .failure($0) } ?? .success(revision + 1)))
      case .savePlaces(let key, let bytes):
        placesSaves += 1
        if savingFails == nil {
          savedPlaces[key] = bytes
          savedSessions[key] = savedSessions[key] ?? []
        }
        effects += saved(.placesSaved(key, savingFails.map { .failure($0) } ?? .success(revision + 1)))
      case .viewsReady(let ids):
        for id in ids where !blocked.contains(id) {
          guard let frame = engine.nextFrame(of: id, at: now) else { continue }
          receive(frame, of: id)
          if !slow.contains(id) { effects += engine.handle(.acknowledged(id, frame: frame.number), at: now) }
        }
      case .markSeen(let account, let section, let key):
        seen.append((account, section, key))
        guard let index = store.people.firstIndex(where: { $0.account == account }) else { continue }
        store.people[index].seen[section] = max(store.people[index].seen[section] ?? key, key)
      case .viewBlocked: break
      case .viewStalled(let id): stalled.append(id)
      case .endView(let id, let error): ended[id] = error
      case .answerRows(let token, let rows): answers[token] = rows
      case .answerStack(let token, let pane, let revision):
        (stackAnswers[token], stackRevisions[token]) = (pane, revision)
      case .answerSlide(let token, let position, let moved): slides[token] = Slide(position: position, moved: moved)
      case .answerSessions(let token, let sessions): sessionLists[token] = sessions
      case .refuse(let token, let error): refusals[token] = error
      }
    }
  }

  /// Answer to a slide: the new position, and whether the stack moved.
  struct Slide: Equatable {
    var position: Int
    var moved: Bool
  }

  /// Applies the end of a save, successful or not.
  private mutating func saved(_ input: Input) -> [Effect] {
    switch input {
    case .sessionSaved(let key, .success(let next)): (revision, sessionRevisions[key]) = (next, next)
    case .placesSaved(let key, .success(let next)): (revision, placesRevisions[key]) = (next, next)
    default: break
    }
    states.append((revision, store))
    if holdsSaves {
      pendingSaves.append(input)
      return []
    }
    deliverCommits()
    return engine.handle(input, at: now)
  }

  /// Delivers the pending answers of saves.
  mutating func answerSaves() {
    let saves = pendingSaves
    pendingSaves = []
    deliverCommits()
    for input in saves { send(input) }
  }

  private mutating func begin() {
    guard states.isEmpty else { return }
    states = [(revision, store)]
    recordRestricted(store.posts)
  }

  private mutating func recordRestricted(_ posts: [StoredPost]) {
    restricted.formUnion(posts.filter { $0.audience != .everyone }.map(\.id))
  }

  private mutating func receive(_ frame: Frame, of id: ViewID) {
    frames[id, default: []].append(frame)
    guard !unmirrored.contains(id) else { return }
    do {
      try mirrors[id, default: ViewSnapshot()].apply(frame)
    } catch {
      Issue.record("frame \(frame.number) of view \(id.rawValue): \(error.reason)")
    }
    expectNothingHidden(in: mirrors[id]!, of: id)
  }

  /// Checks that a frame shows only what its account may see, at its revision or later as the store already knows.
  private func expectNothingHidden(in view: ViewSnapshot, of id: ViewID) {
    guard let account = accounts[id] else { return }
    for row in view.panes.flatMap({ $0.rows + ($0.selection.row.map { [$0] } ?? []) })
    where row.content.fields.kind != .list {
      if row.content.fields.kind == .notice {
        let asks = ([(engine.revision, store)] + states).contains { state in
          let requests = state.1.followRequests[account] ?? []
          return state.0 >= engine.revision && requests.contains { UInt64($0.id.rawValue) == row.rowID }
        }
        #expect(asks, "view \(id.rawValue) shows a notice")
        continue
      }
      let post = PostID(Int64(row.rowID))
      guard restricted.contains(post) else { continue }
      let isSeen = states.contains { state in
        state.revision >= engine.revision && state.store.post(post).map { state.store.sees(account, $0) } ?? false
      }
      if !isSeen {
        Issue.record("view \(id.rawValue) of \(account.rawValue) shows \(post.rawValue) at revision \(engine.revision)")
      }
    }
  }

  mutating func answerLoads() {
    let loads = pendingLoads
    pendingLoads = []
    for (id, result) in loads { send(.loaded(id, result)) }
  }

  mutating func deliverCommits() {
    while !pendingCommits.isEmpty { send(.committed(pendingCommits.removeFirst())) }
    let revision = engine.revision
    states.removeAll { $0.revision < revision }
  }

  /// Advances the clock through the engine's deadlines, up to `seconds` later.
  mutating func pass(seconds: Int64) {
    let end = now.adding(milliseconds: seconds * 1000)
    while let deadline = engine.nextDeadline, deadline <= end {
      now = max(now, deadline)
      send(.timePassed)
    }
    now = end
  }

  mutating func open(
    _ id: UInt64, layout: LayoutParameters = layout(), session: String = "", showing content: PaneContent? = nil,
    viewport: ViewportParameters? = nil, acknowledges: Bool = true, onlyLooks: Bool = false,
    account: AccountID = account, resume: Resume? = nil
  ) {
    accounts[ViewID(id)] = account
    if !store.people.contains(where: { $0.account == account }) { store.people.append(store.person(account)) }
    let named = SessionKey(account: account, name: session)
    send(
      .viewOpened(
        ViewID(id),
        ViewOpening(
          session: content.map { .ephemeral(account, $0) } ?? named, layout: layout, zone: .utc, viewport: viewport,
          acknowledges: acknowledges, onlyLooks: onlyLooks, resume: resume)))
  }

  /// Scrolls a pane of a view, 0 for the topmost, so that a line of a row is the first visible one.
  mutating func scroll(_ id: UInt64, pane: UInt64 = 0, to row: UInt64, line: Int = 0) {
    generation += 1
    var viewport = ViewportParameters()
    (viewport.paneID, viewport.anchorRow, viewport.line, viewport.generation) = (pane, row, line, generation)
    send(.viewportMoved(ViewID(id), viewport))
  }

  /// Returns the first row that a view shows of a pane and its line, as reported by the daemon: row 0 if it leaves that
  /// to the client.
  func place(_ id: UInt64, _ pane: UInt64) -> [UInt64] {
    let status = mirrors[ViewID(id)]?.panes.first { $0.header.paneID == pane }?.status
    return [status?.anchorRow ?? 0, UInt64(status?.anchorLine ?? 0)]
  }

  /// Returns a daemon restarted from what this one saved.
  func restarted(limits: EngineLimits = EngineLimits()) -> EngineHarness {
    var next = EngineHarness(limits: limits)
    (next.store, next.revision, next.now) = (store, revision, now)
    next.accounts = accounts
    (next.savedSessions, next.savedPlaces) = (savedSessions, savedPlaces)
    (next.sessionRevisions, next.placesRevisions) = (sessionRevisions, placesRevisions)
    next.engine = StackEngine(epoch: 7, revision: revision, limits: limits)
    return next
  }

  /// Marks everything as seen by an account, now and later, so that navigation panes stay unchanged.
  mutating func hasSeenEverything(_ account: AccountID = account) {
    var person = store.person(account)
    let end = OrderKey(createdAt: .distantFuture, id: PostID(.max))
    person.seen = [.home: end, .mentions: end, .messages: end]
    store.people.removeAll { $0.account == account }
    store.people.append(person)
  }

  /// Stores posts and delivers the commit.
  mutating func commit(new: [StoredPost] = [], changed: [StoredPost] = [], authors: [Author] = []) {
    commit(authors: authors) { store in
      store.posts.removeAll { old in changed.contains { $0.id == old.id } }
      store.posts += new + changed
      for author in authors { store.authors[author.id] = author }
    }
  }

  /// Changes the store and delivers the commit. `isWholesale`: more than posts changes, and the commit names lists to
  /// reload.
  mutating func commit(isWholesale: Bool = false, authors: [Author] = [], _ change: (inout StoreModel) -> Void) {
    begin()
    let old = store
    change(&store)
    revision += 1
    states.append((revision, store))
    let commit = store.commit(from: old, revision: revision, isWholesale: isWholesale, authors: authors)
    recordRestricted(commit.new + commit.changes.originals + commit.changes.changed)
    restricted.formUnion(commit.changes.removed.map(\.id))
    pendingCommits.append(commit)
    if !holdsCommits { deliverCommits() }
  }

  mutating func command(
    _ token: UInt64, _ action: StackCommand.Action, requestID: String = "", ifRevision: UInt64 = 0, session: String = ""
  ) {
    send(
      .stackCommand(
        RequestToken(token), SessionKey(account: Self.account, name: session),
        StackCommand(action: action, requestID: requestID, ifRevision: ifRevision)))
  }

  /// Returns the account's expected timeline, newest first.
  func timeline(of account: AccountID = account) -> [StoredPost] { store.rows(.home(account)) }

  static let author = Author(id: AuthorID(1), handle: "ann", displayName: "Ann", avatarURL: "")

  private var authors: [Author] { store.authors.values.sorted { $0.id.rawValue < $1.id.rawValue } }

  private func answer(_ load: Load) -> LoadResult {
    switch load {
    case .page(let key, let before, let limit):
      let all = store.list(key)
      let older = all.filter { post in before.map { post.orderKey < $0 } ?? true }
      var gaps: [Gap]?
      if case .home(let account) = key, before == nil { gaps = store.gaps[account] ?? [] }
      var requests: [PendingFollow]?
      if case .mentions(let account) = key, before == nil { requests = store.followRequests[account] ?? [] }
      return .page(
        ListPage(
          posts: Array(older.prefix(limit)), authors: authors, revision: revision, total: all.count,
          isLast: older.count <= limit,
          muteList: before == nil ? key.account.map { store.muteList(of: $0) } : nil, gaps: gaps,
          followRequests: requests))
    case .facts(let key):
      guard let facts = store.facts(of: key) else { return .failed(EngineError(.notFound, "there is no such list")) }
      return .facts(facts, authors: authors, revision: revision)
    case .navigation(let account, let seen):
      let person = store.person(account)
      var facts = NavigationFacts(author: person.identities[0])
      for section in SeenSection.allCases {
        let seen = [person.seen[section], seen[section]].compactMap { $0 }.max()
        let count = store.news(of: section, for: account, since: seen)
        facts.news[section] = NavigationFacts.News(seen: seen, count: min(count, NavigationFacts.most))
      }
      facts.muteList = store.muteList(of: account)
      let nobody = Author(id: person.identities[0], handle: "nobody", displayName: "", avatarURL: "")
      return .navigation(facts, store.authors[person.identities[0]] ?? nobody, revision: revision)
    case .conversation(let account, let reference):
      guard let post = find(reference, account) else {
        return .failed(EngineError(.notFound, "there is no post \(reference)"))
      }
      let posts = store.tree(around: post.subject, for: account).map(\.post).sorted { $0.orderKey < $1.orderKey }
      return .conversation(subject: post.subject, posts: posts, authors: authors, revision: revision)
    case .post(let account, let reference):
      guard let post = find(reference, account) else {
        return .failed(EngineError(.notFound, "there is no post \(reference)"))
      }
      return .post(post, authors: authors, revision: revision)
    case .session(let account, let name):
      let key = SessionKey.named(account, name)
      let count = savedSessions.keys.count { $0.account == account }
      return .session(
        LoadedSession(
          bytes: savedSessions[key], revision: sessionRevisions[key] ?? 0, places: savedPlaces[key],
          placesRevision: placesRevisions[key] ?? 0, sessionCount: count))
    case .sessions(let account):
      let own = savedSessions.filter { $0.key.account == account }.sorted { $0.key.name < $1.key.name }
      return .sessions(
        own.map { StoredSession(name: $0.key.name, bytes: $0.value, revision: sessionRevisions[$0.key] ?? 0) })
    case .pane(_, .conversation): return .failed(EngineError(.internal, "conversations are loaded as such"))
    case .pane(_, .search(let query)): return .pane(.search(query))
    case .pane(_, .direct(let number)): return .pane(.direct(AudienceGroupID(Int64(number))))
    case .pane(let account, .list(let reference)):
      let made = store.person(account).lists.map(\.made).first {
        "\($0.id.rawValue)" == reference || $0.name.string == reference
      }
      if store.isLenient, let number = number(reference) { return .pane(.list(ListID(number))) }
      return made.map { .pane(.list($0.id)) } ?? .failed(EngineError(.notFound, "there is no list \(reference)"))
    case .pane(_, .author(let reference)):
      if let number = number(reference) { return .pane(.author(AuthorID(number))) }
      guard let author = authors.first(where: { "@\($0.handle.string)" == reference }) else {
        return .failed(EngineError(.notFound, "there is no author \(reference)"))
      }
      return .pane(.author(author.id))
    }
  }

  /// Returns the number of a reference, if it is plausible.
  private func number(_ reference: String) -> Int64? { Int64(reference).flatMap { $0 < 1000 ? $0 : nil } }

  private func find(_ reference: String, _ account: AccountID) -> StoredPost? {
    store.posts.first { "\($0.id.rawValue)" == reference && store.sees(account, $0) }
  }
}

extension StackCommand.Action {
  /// Opens the conversation around a post.
  static func pushConversation(reference: String, from origin: UInt64) -> StackCommand.Action {
    .push(.conversation(reference), from: origin)
  }
}
