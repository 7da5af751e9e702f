import Dates
import Posts
import TestSupport
import Testing
import ViewState

@testable import Engine

@Suite("Session table and commands")
struct SessionTableTests {
  private let key = SessionKey(account: AccountID(1), name: "main")
  private let limits = EngineLimits()

  private func loaded(_ stack: PaneStack = PaneStack(), isStored: Bool = true) -> Session {
    var session = Session(key: key)
    session.load(LoadedSession(bytes: isStored ? stack.encoded : nil, revision: 5), endedAt: 2, limits)
    return session
  }

  private func lists() -> ListTable { ListTable(limits: limits, fingerprint: Fingerprint(epoch: 7)) }

  /// Returns the outcome of a command.
  private func step(
    _ action: StackCommand.Action, in session: Session, ifRevision: UInt64 = 0
  ) throws(EngineError) -> CommandStep {
    var table = SessionTable(limits: limits)
    table.insert(session)
    var lists = lists()
    let command = StackCommand(action: action, ifRevision: ifRevision)
    return try session.step(
      for: CommandQueue.Waiting(token: RequestToken(1), command: command),
      CommandContext(account: AccountID(1), revision: 9, limits: limits, sessions: table, viewer: nil), &lists)
  }

  @Test("a session's stored state decides whether it may be stored") func storage() {
    #expect(Session(key: key).isLoaded == false)
    #expect(loaded().isStored && loaded().revisions.changed == 5 && loaded().revisions.begun == 5)
    let new = loaded(isStored: false)
    #expect(new.isLoaded && !new.isStored && new.mayBeStored && new.revisions.begun == 2)
    var refused = Session(key: key)
    refused.load(LoadedSession(bytes: nil, revision: 0, sessionCount: limits.sessions.perAccount), endedAt: 0, limits)
    #expect(refused.isLoaded && !refused.mayBeStored)
  }

  @Test("commands that change the stack are stored; others are answered at once") func steps() throws {
    guard case .store(.stack(let stack), let pane) = try step(.open(.mentions), in: loaded()) else {
      Issue.record("it is not stored")
      return
    }
    #expect(stack.top.content == .mentions && pane == stack.top.id)
    guard case .answer = try step(.select(pane: 0, row: 0), in: loaded()) else {
      Issue.record("it is not answered")
      return
    }
    guard case .find(.conversation(_, let reference)) = try step(.push(.conversation("7"), from: 0), in: loaded())
    else {
      Issue.record("its post is not looked up")
      return
    }
    #expect(reference == "7")
  }

  @Test("commands for another revision, beyond the session limit or on an unknown session are refused") func refusals()
  {
    #expect(throws: EngineError.self) { try step(.open(.mentions), in: loaded(), ifRevision: 4) }
    var full = Session(key: key)
    full.load(LoadedSession(bytes: nil, revision: 0, sessionCount: limits.sessions.perAccount), endedAt: 0, limits)
    #expect {
      try step(.open(.mentions), in: full)
    } throws: {
      ($0 as? EngineError)?.code == .resourceExhausted
    }
    #expect {
      try step(.delete, in: loaded(isStored: false))
    } throws: {
      ($0 as? EngineError)?.code == .notFound
    }
  }

  @Test("a deletion waits while places are being saved") func waiting() throws {
    var session = loaded()
    session.places.beginSaving(Places())
    guard case .wait = try step(.delete, in: session) else {
      Issue.record("it does not wait")
      return
    }
  }

  @Test("commands are taken in order, up to the queue's limit") func queue() {
    var queue = CommandQueue()
    let added = (1...3).map { queue.add(StackCommand(action: .pop), RequestToken($0), limit: 2) }
    #expect(added == [true, true, false] && !queue.isIdle)
    queue.beginSaving(.end, pane: 4)
    #expect(queue.saving?.command?.token == RequestToken(1) && queue.waiting.count == 1)
    let ended = queue.endSaving()
    #expect(ended?.paneID == 4 && queue.saving == nil)
    queue.takeFirst()
    #expect(queue.isIdle)
  }

  @Test("panes that close by themselves also close in the stack being stored") func closing() {
    var queue = CommandQueue()
    var stack = PaneStack()
    _ = try? stack.push(.author(AuthorID(3)), from: 0, limit: 9)
    queue.beginSaving(.stack(stack))
    var shown = PaneStack()
    let isChanged = queue.closePanes(in: &shown) { $0.close { $0 == .author(AuthorID(3)) } }
    #expect(!isChanged && queue.hasClosedPanes)
    guard case .stack(let stored)? = queue.saving?.change else {
      Issue.record("nothing is being stored")
      return
    }
    #expect(stored.panes.count == 1)
  }

  @Test("a repeated request is answered again, even after its session was renamed") func answers() {
    var table = SessionTable(limits: limits)
    table.insert(loaded())
    let done = { (action: StackCommand.Action, id: String) in
      CommandQueue.Waiting(token: RequestToken(1), command: StackCommand(action: action, requestID: id))
    }
    _ = table.answer(done(.pop, "a"), pane: 3, revision: 6, in: key)
    _ = table.answer(done(.rename("other"), "b"), pane: 1, revision: 7, in: key)
    _ = table.answer(done(.pop, ""), pane: 1, revision: 7, in: key)
    table.rename(key, to: SessionKey(account: AccountID(1), name: "other"))
    #expect(table.answer(to: "b", key)?.revision == 7)
    #expect(table.answer(to: "a", key) == nil && table.answer(to: "", key) == nil)
    #expect(table.answer(to: "a", SessionKey(account: AccountID(1), name: "other"))?.paneID == 3)
  }

  @Test("places are saved in turn, but not during a rename or deletion") func places() {
    var table = SessionTable(limits: limits)
    table.insert(loaded())
    let now = Instant(seconds: 100)
    table.expectPlaces(of: key, at: now)
    #expect(table.placesDue == now.adding(milliseconds: limits.sessions.placesMilliseconds) && !table.mayForget(key))
    table.edit(key) { $0.commands.beginSaving(.end, pane: 0) }
    let early = table.takeTurn(key)
    #expect(!early && table.mayHaveUnsavedPlaces(key))
    table.edit(key) { _ = $0.commands.endSaving() }
    let turns = [table.takeTurn(key), table.takeTurn(key)]
    #expect(turns == [true, false] && table.mayForget(key))
  }

  @Test("a reading position has the revision that stored it") func reading() {
    var places = SessionPlaces()
    let old = RowAnchor(key: OrderKey(createdAt: Instant(seconds: 1), id: PostID(1)), place: .head(0))
    let new = RowAnchor(key: OrderKey(createdAt: Instant(seconds: 2), id: PostID(2)), place: .head(0))
    places.current.readings[.timeline] = Places.Reading(anchor: old, revision: nil)
    places.beginSaving(places.current)
    #expect(places.isSaving && !places.areUnsaved)
    places.current.readings[.timeline] = Places.Reading(anchor: new, revision: nil)
    places.saveEnded(at: 8, nil)
    #expect(places.current.readings[.timeline]?.revision == nil, "it has moved meanwhile")
    places.beginSaving(places.current)
    places.saveEnded(at: 9, nil)
    #expect(places.current.readings[.timeline]?.revision == 9 && !places.areUnsaved)
    places.saveFailed()
    #expect(places.areUnsaved)
  }
}

@Suite("Navigation table")
struct NavigationTableTests {
  private let account = AccountID(1)
  private let now = Instant(seconds: 100)

  private func table(count: Int) -> NavigationTable {
    var table = NavigationTable(limits: EngineLimits())
    _ = table.open(account)
    _ = table.endLoad(account)
    var facts = NavigationFacts(author: AuthorID(1))
    facts.news[.mentions] = NavigationFacts.News(seen: nil, count: count)
    table.receive(facts, of: account, at: 5)
    return table
  }

  @Test("one load is under way at a time; an outdated one is followed by another") func loads() {
    var table = NavigationTable(limits: EngineLimits())
    let asked = [table.open(account), table.open(account), table.reload(account)]
    #expect(asked == [.navigation(account, seen: [:]), nil, nil])
    let hasEnded = table.endLoad(account)
    #expect(hasEnded)
    let again = [table.loadIfOutdated(account), table.loadIfOutdated(account)]
    #expect(again == [.navigation(account, seen: [:]), nil])
  }

  @Test("a section whose newest rows are visible has nothing new") func watched() {
    var table = table(count: 4)
    #expect(table.changedAccounts.map(\.sections) == [[.mentions]])
    let changed = (0..<2).map { _ in table.updateShownCounts(of: account, watched: []) }
    #expect(changed == [true, false] && table[account]?.news[.mentions]?.shown == 4)
    let isGone = table.updateShownCounts(of: account, watched: [.mentions])
    #expect(isGone && table[account]?.news[.mentions]?.shown == 0)
    table.forgetChanges()
    #expect(table.changedAccounts.isEmpty)
  }

  @Test("seen positions are saved at once, then at intervals, and again after a failure") func seen() {
    var table = table(count: 4)
    let keys = (1...3).map { OrderKey(createdAt: Instant(seconds: $0), id: PostID($0)) }
    table.markSeen(upTo: keys[0], newer: 3, at: 5, in: .mentions, of: account)
    let first = table.save(account, at: now, isLast: false)
    #expect(first.map(\.1) == [keys[0]] && table.seenDue == nil)
    table.markSeen(upTo: keys[1], newer: 2, at: 5, in: .mentions, of: account)
    let second = table.save(account, at: now, isLast: false)
    #expect(second.isEmpty && table.seenDue == now.adding(milliseconds: EngineLimits().sessions.seenMilliseconds))
    let last = table.saveAll(at: now, isLast: true)
    #expect(last.map(\.2) == [keys[1]])
    table.notSaved(account, .mentions, at: now)
    #expect(table.seenDue != nil)
  }
}
