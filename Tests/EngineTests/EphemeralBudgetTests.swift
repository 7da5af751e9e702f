import Dates
import Posts
import TestSupport
import Testing
import ViewState

@testable import Engine

@Suite("Memory of searches without a session")
struct EphemeralBudgetTests {
  private static let share = 40_000

  private func limits() -> EngineLimits {
    var limits = EngineLimits()
    (limits.lists.ephemeralShare, limits.lists.ephemeralBytes) = (Self.share, 3 * Self.share)
    (limits.lists.firstSlice, limits.lists.laterSlice, limits.lists.chunkCapacity) = (20, 50, 16)
    return limits
  }

  private func harness() -> EngineHarness {
    var harness = EngineHarness(limits: limits())
    harness.posts = (1...1_000).map { EngineHarness.post($0, text: "an otter and a boat, number \($0)") }
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
    #expect(cut.rowCount > 100 && cut.rowCount < 900 && !cut.isLoading)
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
    harness.commit(new: (1_001...1_005).map { EngineHarness.post($0, text: "an otter") })
    harness.commit { $0.posts.removeAll { $0.id.rawValue == 990 } }
    harness.pass(seconds: 1)
    let rows = harness.mirrors[ViewID(1)]?.panes[0].rows.map(\.rowID) ?? []
    #expect(rows.prefix(6) == [1_005, 1_004, 1_003, 1_002, 1_001, 1_000])
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
    #expect(status(harness, 2)?.rowCount == 1_000 && status(harness, 1)?.rowCount == 1_000)
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

  @Test(
    "whatever opens, closes and arrives, what is counted is what is held, and every search shows its newest hits",
    arguments: seeds(0..<40 as Range<UInt64>))
  func anything(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var harness = EngineHarness(limits: limits())
    let words = ["otter", "boat", "gull", "reef", "wood"]
    var next: Int64 = 0
    func posts(_ count: Int, _ random: inout SeededGenerator) -> [StoredPost] {
      (0..<count).map { _ in
        next += 1
        let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        return EngineHarness.post(next, text: text.joined(separator: " "))
      }
    }
    harness.posts = posts(600, &random)
    for step in 0..<60 {
      let view = UInt64.random(in: 1...12, using: &random)
      let account = AccountID(Int64(view % 4) + 1)
      let word = words.randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<8, using: &random) {
      case 0...3: harness.open(view, showing: .search(word), account: account)
      case 4: harness.send(.viewClosed(ViewID(view)))
      case 5: harness.commit(new: posts(.random(in: 1...20, using: &random), &random))
      case 6:
        let gone = Set(harness.posts.shuffled(using: &random).prefix(20).map(\.id))
        harness.commit { store in store.posts.removeAll { gone.contains($0.id) } }
      default:
        harness.open(20)
        harness.command(UInt64(step), .push(.search(word), from: 1))
      }
      harness.pass(seconds: 1)
      expectBudget(harness, "seed \(seed), step \(step)")
    }
    for view in 1...20 as ClosedRange<UInt64> { harness.send(.viewClosed(ViewID(view))) }
    #expect(harness.engine.lists.budget.total == 0, "seed \(seed)")
  }

  private func expectBudget(_ harness: EngineHarness, _ note: String) {
    var total = 0
    for key in harness.engine.lists.open.keys {
      guard var list = harness.engine.lists[key], case .search = key else { continue }
      let isEphemeral = harness.engine.lists.use.isEphemeral(key)
      if isEphemeral { total += list.byteCount }
      let held = (0..<list.count).map { list.key(displayed: $0) }
      let model = harness.store.list(key).map(\.orderKey)
      #expect(held == Array(model.prefix(held.count)), "\(note): \(key)")
      if !isEphemeral { #expect(held.count == model.count, "\(note): \(key) is whole") }
    }
    #expect(harness.engine.lists.budget.total == total, "\(note)")
    // A search that both a session and a view without one showed may be larger.
    #expect(total <= 4 * Self.share * 2, "\(note)")
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
