import Dates
import OrderedCollections
import Posts
import TestSupport
import Testing
import ViewState

@testable import Engine

@Suite("List invariants under random commits")
struct SectionLawTests {
  private static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6, 95, 131]

  private static var smallChunks: EngineLimits {
    var limits = EngineLimits()
    limits.lists.chunkCapacity = 2
    limits.lists.firstSlice = 5
    limits.lists.laterSlice = 3
    limits.lists.mutedRows = 4
    return limits
  }

  /// Checks that a list and its facts match the store.
  private func check(_ list: PostList, _ store: StoreModel, _ note: String) {
    var list = list
    let shown = (0..<list.count).map { list.post(displayed: $0) }
    switch list.key.base {
    case .conversation(let account, let subject):
      let tree = store.tree(around: subject, for: account)
      #expect(shown == tree.map(\.post), "\(note)")
      #expect((0..<list.count).map { list.depth(ofRank: $0) } == tree.map(\.depth), "\(note)")
    case .lists(let account):
      #expect(shown.map { $0.body.unpacked()!.text } == store.person(account).lists.map(\.made.name), "\(note)")
    default:
      let rows = store.rows(list.key)
      #expect(shown == (list.isNewestFirst ? rows : rows.reversed()), "\(note)")
    }
    #expect(list.isComplete && list.isCurrent && list.progress.missing == 0, "\(note)")
    if list.key.hasFacts { #expect(list.known.facts == store.facts(of: list.key.base), "\(note)") }
  }

  /// Checks that a view's rows are those of its lists, with their caps and numbers.
  private func check(_ view: ViewSnapshot, of account: AccountID, _ harness: EngineHarness, _ note: String) {
    for pane in view.panes where !pane.rows.isEmpty {
      let content = harness.engine.sessions.all.flatMap { session in
        session.stack.panes.map { (session.key.account, $0) }
      }
      .first {
        $0.0 == account && $0.1.id == pane.header.paneID
          && harness.engine.lists.header(of: $0.1, for: account) == pane.header
      }
      guard var list = content.flatMap({ harness.engine.lists[$0.1.list(of: account)] }) else { continue }
      list.arrange(content!.1.collapsed, unfolded: [])
      let all = (0..<list.count).map { UInt64(list.key(displayed: $0).id.rawValue) }
      let above = pane.status.rowsAbove
      #expect(pane.status.rowCount == all.count, "\(note)")
      #expect(pane.rows.map(\.rowID) == Array(all.dropFirst(above).prefix(pane.rows.count)), "\(note)")
      for (offset, row) in pane.rows.enumerated() {
        let index = above + offset
        #expect(row.caps == [index == 0 ? .top : [], index == all.count - 1 ? .bottom : []], "\(note), row \(index)")
        #expect(row.tree == list.place(ofRank: list.rank(ofDisplayed: index)), "\(note), row \(index)")
      }
      if let profile = pane.status.profile {
        #expect(profile.posts == all.count && harness.store.facts(of: list.key.base) == list.known.facts, "\(note)")
      }
    }
    guard view.navigation.width > 0 else { return }
    for section in SeenSection.allCases {
      let seen = harness.store.person(account).seen[section]
      let news = harness.store.news(of: section, for: account, since: seen)
      #expect(view.navigation.rows.first { $0.section == section.section }?.unseen == news, "\(note), \(section)")
    }
  }

  @Test(
    "after any commits every open list matches the store, and no frame shows what its account may not see",
    arguments: seeds)
  func lists(seed: UInt64) {
    var world = RandomStore(random: SeededGenerator(seed: seed))
    var harness = EngineHarness(limits: Self.smallChunks)
    harness.store = world.begin()
    for step in 0..<100 {
      harness.holdsLoads = Bool.random(using: &world.random)
      if !harness.holdsLoads { harness.answerLoads() }
      harness.holdsCommits = Int.random(in: 0..<4, using: &world.random) == 0
      if !harness.holdsCommits { harness.deliverCommits() }
      harness.now = harness.now.adding(milliseconds: .random(in: 0...300, using: &world.random))
      let view = UInt64.random(in: 1...6, using: &world.random)
      let account = AccountID(Int64(view % 3) + 1)
      let key = SessionKey(account: account, name: view > 4 ? "other" : "")
      switch Int.random(in: 0..<25, using: &world.random) {
      case 0...1:
        harness.open(
          view, layout: .random(using: &world.random), session: key.name, account: account)
      case 2:
        harness.send(.viewClosed(ViewID(view)))
        harness.mirrors[ViewID(view)] = nil
      case 3...5: for _ in 0..<Int.random(in: 1...4, using: &world.random) { harness.commit { world.write(&$0) } }
      case 6: harness.commit { store in for _ in 0..<3 { world.write(&store) } }
      case 7...8: harness.commit { world.edit(&$0) }
      case 9: harness.commit { world.delete(&$0) }
      case 10...11: harness.commit(isWholesale: true) { world.arrange(&$0) }
      case 12:
        guard let row = harness.mirrors[ViewID(view)]?.panes.last?.rows.randomElement(using: &world.random)?.rowID
        else { continue }
        harness.scroll(view, to: row)
      case 13:
        let section = Section.allCases.randomElement(using: &world.random)!
        let query = Bool.random(using: &world.random) ? "otter" : ""
        harness.send(.stackCommand(RequestToken(UInt64(step)), key, StackCommand(action: .open(section, query: query))))
      case 14...17:
        let subject = world.subject(harness.store, for: account)
        let action: StackCommand.Action =
          Int.random(in: 0..<6, using: &world.random) > 0 ? .push(subject, from: 0) : .back
        harness.send(.stackCommand(RequestToken(UInt64(step)), key, StackCommand(action: action)))
      case 18...20: harness.commit { world.changeMutes(&$0) }
      case 21...24:
        let panes = harness.engine.sessions[key]?.stack.panes ?? []
        let pane = panes.randomElement(using: &world.random)?.id ?? 0
        harness.send(
          .stackCommand(RequestToken(UInt64(step)), key, StackCommand(action: .limit(pane: pane, to: world.filter()))))
      default: break
      }
    }
    harness.holdsLoads = false
    harness.holdsCommits = false
    harness.deliverCommits()
    for _ in 0..<100 { harness.answerLoads() }
    harness.pass(seconds: 20)
    let note = "seed \(seed)"
    for list in harness.engine.lists.open.keys.compactMap({ harness.engine.lists[$0] }) {
      check(list, harness.store, "\(note), \(list.key)")
    }
    for (id, view) in harness.mirrors {
      check(view, of: harness.accounts[id]!, harness, "\(note), view \(id.rawValue)")
    }
    #expect(harness.ended.isEmpty, "\(note)")
  }
}
