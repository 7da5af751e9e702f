import Dates
import Posts
import TestSupport
import Testing
import ViewState

@testable import Engine

@Suite("Memory of searches without a session")
struct EphemeralBudgetTests {
  private static let share = 12_000

  private func limits(share: Int = share) -> EngineLimits {
    var limits = EngineLimits()
    (limits.lists.ephemeralShare, limits.lists.ephemeralBytes) = (share, 3 * share)
    (limits.lists.firstSlice, limits.lists.laterSlice, limits.lists.chunkCapacity) = (20, 50, 16)
    return limits
  }

  private func harness() -> EngineHarness {
    var harness = EngineHarness(limits: limits())
    harness.posts = (1...400).map { EngineHarness.post($0, text: "an otter and a boat, number \($0)") }
    return harness
  }

  private func status(_ harness: EngineHarness, _ id: UInt64) -> PaneStatus? {
    harness.mirrors[ViewID(id)]?.panes.last?.status
  }

  @Test("a search is cut at the account's share, the next one is refused, and closing makes room") func share() throws {
    var harness = harness()
    harness.open(1, showing: .search("otter"))
    harness.pass(seconds: 1)
    let cut = try #require(status(harness, 1))
    #expect(cut.rowCount > 40 && cut.rowCount < 360 && !cut.isLoading)
    let page = Self.share / cut.rowCount * 50
    #expect(Self.share..<Self.share + 2 * page ~= harness.engine.lists.budget.total)
    harness.open(2, showing: .search("boat"))
    #expect(harness.ended[ViewID(2)]?.code == .resourceExhausted && harness.ended[ViewID(2)]?.limit == Self.share)
    harness.open(3, showing: .search("otter"))
    harness.open(4, showing: .timeline)
    harness.open(5, showing: .search("boat"), account: AccountID(2))
    #expect(harness.ended.count == 1, "what is open already, sections and other accounts have room")
    for id in [1, 3] as [UInt64] { harness.send(.viewClosed(ViewID(id))) }
    harness.open(2, showing: .search("boat"))
    harness.pass(seconds: 1)
    #expect(harness.ended.count == 1 && status(harness, 2)?.rowCount == cut.rowCount)
  }

  @Test("a cut search stays at its newest rows, and live") func live() throws {
    var harness = harness()
    harness.open(1, showing: .search("otter"))
    harness.pass(seconds: 1)
    let count = try #require(status(harness, 1)?.rowCount)
    harness.commit(new: (401...405).map { EngineHarness.post($0, text: "an otter") })
    harness.commit { $0.posts.removeAll { $0.id.rawValue == 390 } }
    harness.pass(seconds: 1)
    let rows = harness.mirrors[ViewID(1)]?.panes[0].rows.map(\.rowID) ?? []
    #expect(rows.prefix(6) == [405, 404, 403, 402, 401, 400])
    #expect(status(harness, 1).map { count - 1...count ~= $0.rowCount } == true)
    harness.scroll(1, to: 2)
    harness.pass(seconds: 1)
    #expect(harness.mirrors[ViewID(1)]?.viewportGeneration == 1, "a row that is left out does not exist")
  }

  @Test("a session that opens the same search has all of it, and so do the others while it does") func session() {
    var harness = harness()
    harness.open(1, showing: .search("otter"))
    harness.open(2, session: "work")
    harness.command(1, .push(.search("otter"), from: 0), session: "work")
    harness.pass(seconds: 1)
    #expect(status(harness, 2)?.rowCount == 400 && status(harness, 1)?.rowCount == 400)
    #expect(harness.engine.lists.budget.total == 0)
    harness.open(3, showing: .search("boat"))
    #expect(harness.ended.isEmpty)
    harness.send(.viewClosed(ViewID(2)))
    #expect(harness.engine.lists.budget.total > Self.share, "it counts again")
  }

  @Test("pages are read one at a time, accounts take turns, and first pages come first") func turns() {
    var harness = harness()
    harness.holdsLoads = true
    var view: UInt64 = 0
    for account in 1...3 as ClosedRange<Int64> {
      for word in ["otter", "boat", "number"] {
        view += 1
        harness.open(view, showing: .search(word), account: AccountID(account))
      }
    }
    var shown: [UInt64] = []
    for _ in 0..<10 {
      #expect(harness.pendingLoads.count == 1)
      harness.answerLoads()
      for id in 1...9 as ClosedRange<UInt64> where harness.mirrors[ViewID(id)] != nil && !shown.contains(id) {
        shown.append(id)
      }
    }
    #expect(shown == [1, 2, 4, 7, 3, 5, 8, 6, 9])
    // A timeline does not wait for them.
    harness.open(10)
    #expect(harness.pendingLoads.count == 2)
    harness.answerLoads()
    harness.send(.viewClosed(ViewID(1)))
    var rounds = 0
    while !harness.pendingLoads.isEmpty, rounds < 500 {
      #expect(harness.pendingLoads.count <= 2)
      harness.answerLoads()
      rounds += 1
    }
    harness.pass(seconds: 1)
    #expect((2...9).allSatisfy { status(harness, $0)?.isLoading == false })
  }

  @Test("muted hits count as well, and a search of nothing else is cut too") func muted() throws {
    let (share, newest): (Int, Int64) = triesAllSeeds ? (12_000, 2_000) : (4_000, 700)
    var harness = EngineHarness(limits: limits(share: share))
    harness.posts = (1...newest).map { EngineHarness.post($0, text: "an otter") }
    let reader = AccountID(2)
    harness.store.people = [.init(account: reader, identities: [AuthorID(2)], lists: [])]
    harness.store.people[0].muted = [AuthorID(1), AuthorID(3)]
    harness.open(1, showing: .search("otter"), account: reader)
    harness.pass(seconds: 1)
    let cut = try #require(status(harness, 1))
    #expect(cut.rowCount == 0 && !cut.isLoading)
    #expect(share..<2 * share ~= harness.engine.lists.budget.total)
    var post = EngineHarness.post(newest + 1, text: "an otter")
    post.author = AuthorID(2)
    harness.commit(new: [post])
    harness.pass(seconds: 1)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].rows.map(\.rowID) == [UInt64(newest) + 1])
    // A row that goes makes room for another, and with other mutes everything is read again: but not all that is muted.
    harness.commit { $0.posts.removeAll { $0.id.rawValue == newest + 1 } }
    harness.pass(seconds: 1)
    #expect(share..<2 * share ~= harness.engine.lists.budget.total)
    harness.commit { $0.people[0].muted = [AuthorID(1)] }
    harness.pass(seconds: 1)
    #expect(share..<2 * share ~= harness.engine.lists.budget.total)
    harness.commit { $0.people[0].muted = [] }
    harness.pass(seconds: 1)
    let rows = harness.mirrors[ViewID(1)]?.panes[0].rows.map(\.rowID) ?? []
    #expect(Array(rows.prefix(3)) == [0, 1, 2].map { UInt64(newest) - $0 })
    #expect(harness.engine.lists.budget.total < 3 * share)
    expectBudget(harness, share: share, "unmuted")
  }

  @Test("a search that waits for its turn is read at once when a session shows it") func noLongerWaiting() throws {
    var harness = harness()
    harness.open(2, session: "work")
    harness.pass(seconds: 1)
    harness.holdsLoads = true
    harness.open(1, showing: .search("otter"))
    harness.open(3, showing: .search("boat"))
    #expect(harness.pendingLoads.count == 1)
    harness.command(1, .push(.search("boat"), from: 0), session: "work")
    #expect(harness.pendingLoads.count == 2)
  }

  @Test(
    "a search that was kept for requests for rows is read to its end once a view shows it", arguments: [true, false])
  func kept(inSession: Bool) {
    var harness = EngineHarness(limits: limits(share: 1_000_000))
    harness.posts = (1...400).map { EngineHarness.post($0, text: "an otter") }
    var request = RowsRequest(account: EngineHarness.account, layout: EngineHarness.layout(), zone: .utc)
    request.subject = .search("otter")
    request.count = 5
    harness.send(.rowsRequested(RequestToken(1), request))
    #expect(harness.answers[RequestToken(1)]?.rows.count == 5)
    if inSession {
      harness.open(1, session: "work")
      harness.command(2, .push(.search("otter"), from: 0), session: "work")
    } else {
      harness.open(1, showing: .search("otter"))
    }
    harness.pass(seconds: 1)
    #expect(status(harness, 1)?.rowCount == 400 && status(harness, 1)?.isLoading == false)
  }

  @Test(
    "whatever opens, closes and arrives, what is counted is what is held, and every search shows its newest hits",
    arguments: seeds(0..<24 as Range<UInt64>))
  func anything(seed: UInt64) {
    var world = BudgetWorld(seed: seed, limits: limits(share: BudgetWorld.share))
    for step in 0..<30 {
      let note = "seed \(seed), step \(step): \(world.step(step))"
      repeat { expectCount(world.harness, note) } while world.answerLoads()
      if world.isIdle { expectBudget(world.harness, share: BudgetWorld.share, note) }
    }
    for view in 1...20 as ClosedRange<UInt64> { world.harness.send(.viewClosed(ViewID(view))) }
    #expect(world.harness.engine.lists.budget.total == 0, "seed \(seed)")
  }

  /// Expects that the budget equals a fresh count.
  private func expectCount(_ harness: EngineHarness, _ note: String) {
    let lists = harness.engine.lists.open.keys.filter { harness.engine.lists.use.isEphemeral($0) }
    let total = lists.reduce(0) { $0 + (harness.engine.lists[$1]?.byteCount ?? 0) }
    #expect(harness.engine.lists.budget.total == total, "\(note)")
  }

  private func expectBudget(_ harness: EngineHarness, share: Int, _ note: String) {
    expectCount(harness, note)
    for key in harness.engine.lists.open.keys {
      guard var list = harness.engine.lists[key], case .search = key else { continue }
      #expect(list.columns.count <= list.limit, "\(note): \(key)")
      // A list that is only kept for requests is read when the next one comes.
      guard harness.engine.lists.use.isShown(key) else { continue }
      let held = (0..<list.count).map { list.key(displayed: $0).id.rawValue }
      let model = harness.store.list(key).filter { harness.store.shows(key, $0) }.map(\.id.rawValue)
      #expect(held == Array(model.prefix(held.count)), "\(note): \(key)")
      if !harness.engine.lists.use.isEphemeral(key) {
        #expect(held.count == model.count, "\(note): \(key) is whole")
      }
    }
    // A search that both a session and a view without one showed may be larger.
    #expect(harness.engine.lists.budget.total <= 4 * share * 2, "\(note)")
  }

  @Test("the index of posts gives back the memory of closed lists", arguments: [1, 7, 100] as [UInt32])
  func holders(lists: UInt32) {
    var holders = Holders()
    var open: Set<UInt32> = []
    let rows = 100_000 / Int(lists)
    for list in 1...lists {
      open.insert(list)
      for row in 0..<rows { holders.insert(PostID(Int64(row * 3)), list) { open.contains($0) } }
    }
    let most = holders.slotCount
    for list in 1...lists {
      open.remove(list)
      holders.close(count: rows) { open.contains($0) }
      for row in [0, rows / 2, rows - 1] {
        let found = holders.lists(of: PostID(Int64(row * 3))).filter { open.contains($0) }
        #expect(Set(found) == open)
      }
    }
    #expect(holders.slotCount * 16 < most, "\(most) slots, then \(holders.slotCount)")
  }
}

/// Accounts that open and close searches, in sessions and without, while posts and mutes come and go.
private struct BudgetWorld {
  static let share = 4_000
  private static let words = ["otter", "boat", "gull", "reef", "wood"]

  var harness: EngineHarness
  private var random: SeededGenerator
  private var next: Int64 = 0

  init(seed: UInt64, limits: EngineLimits) {
    harness = EngineHarness(limits: limits)
    random = SeededGenerator(seed: seed)
    harness.holdsLoads = true
    harness.store.people = (1...4).map {
      .init(account: AccountID($0), identities: [AuthorID($0)], lists: [])
    }
    harness.posts = posts(100)
  }

  private mutating func posts(_ count: Int) -> [StoredPost] {
    var posts: [StoredPost] = []
    for _ in 0..<count {
      next += 1
      let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in word() }
      var post = EngineHarness.post(next, text: text.joined(separator: " "))
      post.author = AuthorID(.random(in: 1...3, using: &random))
      posts.append(post)
    }
    return posts
  }

  private mutating func word() -> String { Self.words.randomElement(using: &random) ?? "" }

  /// True if no load is under way.
  var isIdle: Bool { harness.pendingLoads.isEmpty }

  /// Answers the loads under way. Returns false if there are none, and now and then although there are.
  mutating func answerLoads() -> Bool {
    harness.pass(seconds: 1)
    guard !isIdle, Int.random(in: 0..<20, using: &random) > 0 else { return false }
    harness.answerLoads()
    return true
  }

  /// Does something, and returns what. The loads that it leads to wait for ``answerLoads()``.
  mutating func step(_ number: Int) -> String {
    let view = UInt64.random(in: 1...12, using: &random)
    let account = AccountID(Int64(view % 4) + 1)
    let word = Int.random(in: 0..<6, using: &random) == 0 ? "from:bob" : word()
    switch Int.random(in: 0..<11, using: &random) {
    case 0...3:
      harness.open(view, showing: .search(word), account: account)
      return "view \(view) shows \(word)"
    case 4:
      harness.send(.viewClosed(ViewID(view)))
      return "view \(view) closes"
    case 5:
      harness.commit(new: posts(.random(in: 1...9, using: &random)))
      return "posts arrive"
    case 6:
      let gone = Set(harness.posts.shuffled(using: &random).prefix(9).map(\.id))
      harness.commit { store in store.posts.removeAll { gone.contains($0.id) } }
      return "posts go"
    case 7:
      let muted: Set<AuthorID> = Bool.random(using: &random) ? [AuthorID(.random(in: 1...3, using: &random))] : []
      harness.commit { store in store.people[Int(account.rawValue) - 1].muted = muted }
      return "\(account) mutes \(muted)"
    case 8:
      var request = RowsRequest(account: account, layout: EngineHarness.layout(), zone: .utc)
      request.subject = .search(word)
      harness.send(.rowsRequested(RequestToken(UInt64(number + 1_000)), request))
      return "\(account) requests rows of \(word)"
    case 9:
      let handle: SafeText = Bool.random(using: &random) ? "bob" : "rob"
      harness.commit(authors: [Author(id: AuthorID(2), handle: handle, displayName: "Bob", avatarURL: "")])
      return "@\(handle.string) has that name"
    default:
      harness.open(20)
      harness.command(UInt64(number), .push(.search(word), from: 1))
      return "a session shows \(word)"
    }
  }
}
