import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Engine invariants under random operations")
struct EngineLawTests {
  private static var smallChunks: EngineLimits {
    var limits = EngineLimits()
    limits.lists.chunkCapacity = 2
    limits.lists.firstSlice = 5
    limits.lists.laterSlice = 3
    return limits
  }

  /// Checks that a view's timeline rows are the model's rows at the same place, each as a row request shows it.
  private func check(_ harness: inout EngineHarness, _ id: ViewID, _ note: String) {
    guard let view = harness.mirrors[id] else { return }
    guard let pane = view.panes.first(where: { $0.header.kind == .timeline }), !pane.rows.isEmpty else { return }
    let model = harness.timeline().map { UInt64($0.id.rawValue) }
    #expect(pane.status.rowCount == model.count, "\(note)")
    let above = pane.status.rowsAbove
    let held = pane.rows.map(\.rowID)
    #expect(held == Array(model[min(above, model.count)..<min(above + held.count, model.count)]), "\(note)")
    for (offset, row) in pane.rows.enumerated() {
      let index = above + offset
      let caps: Caps = [index == 0 ? .top : [], index == model.count - 1 ? .bottom : []]
      #expect(row.caps == caps, "\(note), row \(index)")
    }
  }

  @Test("once all is quiet, every mirror shows the store's rows", arguments: seeds(0..<60 as Range<UInt64>))
  func mirrors(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var harness = EngineHarness(limits: Self.smallChunks)
    var next: Int64 = 1
    func fresh(_ random: inout SeededGenerator) -> StoredPost {
      defer { next += 1 }
      let parent = next > 3 && Bool.random(using: &random) ? Int64.random(in: 1..<next, using: &random) : nil
      return EngineHarness.post(
        next, at: .random(in: 0...500, using: &random),
        text: String(repeating: "word ", count: .random(in: 0...30, using: &random)),
        inReplyTo: parent)
    }
    for _ in 0..<Int.random(in: 0...40, using: &random) { harness.posts.append(fresh(&random)) }
    for step in 0..<60 {
      harness.holdsLoads = Bool.random(using: &random)
      if !harness.holdsLoads { harness.answerLoads() }
      let view = UInt64.random(in: 1...3, using: &random)
      switch Int.random(in: 0...9, using: &random) {
      case 0: harness.open(view, layout: .random(using: &random), acknowledges: Bool.random(using: &random))
      case 1:
        harness.send(.viewClosed(ViewID(view)))
        harness.mirrors[ViewID(view)] = nil
      case 2...4: harness.commit(new: (0..<Int.random(in: 1...4, using: &random)).map { _ in fresh(&random) })
      case 5:
        guard var post = harness.posts.randomElement(using: &random) else { continue }
        post.body = PackedBody(PostBody(text: SafeText("edited \(step)")))
        if Bool.random(using: &random) { post.createdAt = post.createdAt.adding(milliseconds: 3000) }
        harness.commit(changed: [post])
      case 6: harness.send(.layoutChanged(ViewID(view), .random(using: &random), .utc))
      case 7:
        var viewport = ViewportParameters()
        viewport.anchorRow = harness.posts.randomElement(using: &random).map { UInt64($0.id.rawValue) } ?? 0
        viewport.generation = UInt32(step + 1)
        harness.send(.viewportMoved(ViewID(view), viewport))
      case 8: harness.command(UInt64(step), .pushConversation(reference: "\(max(1, next - 2))", from: 0))
      default: harness.command(UInt64(step), .pop)
      }
    }
    harness.holdsLoads = false
    for _ in 0..<100 { harness.answerLoads() }
    harness.pass(seconds: 5)
    for id in harness.mirrors.keys { check(&harness, id, "seed \(seed), view \(id.rawValue)") }
  }

  @Test(
    "commits that arrive while older posts load are neither lost nor duplicated",
    arguments: seeds(0..<100 as Range<UInt64>))
  func loading(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var harness = EngineHarness(limits: Self.smallChunks)
    harness.posts = (1...30).map { EngineHarness.post($0) }
    harness.holdsLoads = true
    harness.open(1)
    var next: Int64 = 31
    while !harness.pendingLoads.isEmpty {
      if Bool.random(using: &random) {
        harness.commit(new: [EngineHarness.post(next, at: .random(in: -5...40, using: &random))])
        next += 1
      } else {
        harness.answerLoads()
      }
    }
    var request = RowsRequest(account: EngineHarness.account, layout: EngineHarness.layout(), zone: .utc)
    request.count = 200
    harness.send(.rowsRequested(RequestToken(9), request))
    let answer = try #require(harness.answers[RequestToken(9)])
    #expect(answer.rows.map(\.rowID) == harness.timeline().map { UInt64($0.id.rawValue) }, "seed \(seed)")
    #expect(!answer.hasMore)
  }

  @Test("reading rows page by page in either direction repeats and skips nothing", arguments: [1, 7, 50])
  func paging(size: Int) throws {
    var harness = EngineHarness(limits: Self.smallChunks)
    harness.posts = (1...60).map { EngineHarness.post($0, at: $0 / 3) }
    let model = harness.timeline().map { UInt64($0.id.rawValue) }
    for newer in [false, true] {
      var seen: [UInt64] = []
      var anchor: PostID?
      var more = true
      var token: UInt64 = 1
      while more {
        var request = RowsRequest(account: EngineHarness.account, layout: EngineHarness.layout(), zone: .utc)
        (request.count, request.anchor, request.newer) = (size, anchor, newer)
        harness.send(.rowsRequested(RequestToken(token), request))
        let answer = try #require(harness.answers[RequestToken(token)])
        let ids = answer.rows.map(\.rowID)
        seen = newer ? ids + seen : seen + ids
        anchor = (newer ? ids.first : ids.last).map { PostID(Int64($0)) }
        more = answer.hasMore
        token += 1
      }
      #expect(seen == model)
    }
  }

  @Test("followers-only and direct posts of one account reach no other account") func visibility() throws {
    var harness = EngineHarness()
    for (id, visibility) in Visibility.allCases.enumerated() {
      harness.posts.append(EngineHarness.post(Int64(id) + 1, visibility: visibility, owner: AccountID(2)))
    }
    harness.open(1)
    harness.open(2, account: AccountID(2))
    for (id, visibility) in Visibility.allCases.enumerated() {
      harness.commit(new: [EngineHarness.post(Int64(id) + 11, visibility: visibility, owner: AccountID(2))])
    }
    harness.pass(seconds: 1)
    harness.commit(changed: [EngineHarness.post(1, visibility: .direct, owner: AccountID(2))])
    harness.pass(seconds: 1)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].rows.map(\.rowID) == [12, 11, 2], "a post that became private leaves")
    harness.commit(changed: [EngineHarness.post(1, visibility: .public, owner: AccountID(2))])
    harness.pass(seconds: 1)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].rows.map(\.rowID) == [12, 11, 2, 1])
    #expect(harness.mirrors[ViewID(2)]?.panes[0].rows.map(\.rowID) == [14, 13, 12, 11, 4, 3, 2, 1])
  }

  @Test("an author's new name reaches unchanged rows") func authors() throws {
    var harness = EngineHarness()
    harness.posts = [EngineHarness.post(1)]
    harness.open(1)
    harness.now = harness.now.adding(milliseconds: 100)
    harness.commit(authors: [Author(id: AuthorID(1), handle: "ann", displayName: "Anna", avatarURL: "")])
    #expect(harness.mirrors[ViewID(1)]?.panes[0].rows.first?.content.fields.author.displayName == Array("Anna".utf8))
  }
}

extension LayoutParameters {
  static func random(using random: inout some RandomNumberGenerator) -> LayoutParameters {
    EngineHarness.layout(
      width: .random(in: 10...200, using: &random), height: .random(in: 1...60, using: &random),
      singlePane: Bool.random(using: &random))
  }
}
