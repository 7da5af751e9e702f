import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Rows of requests to follow")
struct FollowRequestRowTests {
  private static let view = ViewID(1)
  private static let account = EngineHarness.account

  private static func request(_ id: Int64, at seconds: Int64) -> PendingFollow {
    let name = SafeText("bob\(id)")
    return PendingFollow(
      id: PostID(id), name: name, author: Author(id: AuthorID(id), handle: name, displayName: "Bob", avatarURL: ""),
      askedAt: EngineHarness.post(1, at: seconds).createdAt)
  }

  /// Opens the mentions, of sixty posts of which every third mentions the account, with one request.
  private static func reading() -> EngineHarness {
    var harness = EngineHarness()
    harness.hasSeenEverything()
    harness.posts = (1...60).map { EngineHarness.post($0, at: $0) }
    harness.store.followRequests[account] = [request(900, at: 58)]
    harness.open(1, layout: EngineHarness.layout(width: 80, height: 12, singlePane: false))
    harness.command(1, .open(.mentions))
    harness.pass(seconds: 1)
    return harness
  }

  private static func rows(_ harness: EngineHarness) -> [UInt64] {
    harness.mirrors[view]?.panes[0].rows.map(\.rowID) ?? []
  }

  @Test("a request lies at its time until it is decided, and is not a post") func comesAndGoes() throws {
    var harness = Self.reading()
    #expect(Self.rows(harness).prefix(3) == [60, 900, 57])
    let pane = try #require(harness.mirrors[Self.view]?.panes[0])
    let fields = try #require(pane.rows.first { $0.rowID == 900 }).content.fields
    #expect(fields.kind == .notice && fields.postID == 0 && fields.author.handle == Array("bob900".utf8))
    let text = String(decoding: fields.text, as: UTF8.self)
    #expect(text.hasPrefix("@bob900 asks to follow you") && text.contains("stack-client followers approve @bob900"))
    #expect(pane.status.rowCount == 21)
    harness.commit { $0.followRequests[Self.account] = [Self.request(901, at: 61), Self.request(900, at: 58)] }
    harness.pass(seconds: 1)
    #expect(Self.rows(harness).prefix(4) == [901, 60, 900, 57])
    harness.commit { $0.followRequests[Self.account] = [] }
    harness.pass(seconds: 1)
    #expect(Self.rows(harness).prefix(2) == [60, 57])
    #expect(harness.mirrors[Self.view]?.panes[0].status.rowCount == 20)
  }

  @Test("a request does not count as new") func unread() {
    var harness = Self.reading()
    harness.scroll(1, to: 30)
    harness.pass(seconds: 1)
    harness.commit { store in
      store.posts.append(EngineHarness.post(63, at: 63))
      store.followRequests[Self.account] = [Self.request(901, at: 62), Self.request(900, at: 58)]
    }
    harness.pass(seconds: 1)
    let status = harness.mirrors[Self.view]?.panes[0].status
    #expect(status?.newRows == 1 && status?.rowCount == 23)
  }

  @Test("a request is shown in mentions alone, also where nothing else is, and survives that everything is read again")
  func alone() {
    var harness = EngineHarness()
    harness.store.followRequests[Self.account] = [Self.request(900, at: 58)]
    harness.open(1, showing: .mentions)
    harness.open(2)
    #expect(Self.rows(harness) == [900])
    #expect(harness.mirrors[ViewID(2)]?.panes[0].rows.isEmpty == true)
    harness.commit(isWholesale: true) { $0.posts = [EngineHarness.post(3, at: 3)] }
    harness.pass(seconds: 1)
    #expect(Self.rows(harness) == [900, 3])
  }

  /// Returns the screen line at which a row begins, from the place that the daemon reports.
  private static func line(of row: UInt64, _ harness: EngineHarness) -> Int? {
    guard let pane = harness.mirrors[view]?.panes[0] else { return nil }
    func top(_ row: UInt64) -> Int? {
      guard let index = pane.rows.firstIndex(where: { $0.rowID == row }) else { return nil }
      return pane.rows[..<index].reduce(0) { $0 + $1.height }
    }
    guard let first = top(pane.status.anchorRow), let found = top(row) else { return nil }
    return found - first - pane.status.anchorLine
  }

  @Test("the row below a request stays on its line when the request goes") func place() throws {
    var harness = Self.reading()
    harness.commit { $0.followRequests[Self.account] = [Self.request(900, at: 31)] }
    harness.scroll(1, to: 900)
    harness.pass(seconds: 1)
    let height = try #require(harness.mirrors[Self.view]?.panes[0].rows.first { $0.rowID == 900 }).height
    #expect(height > 0 && Self.line(of: 30, harness) == height)
    harness.commit { $0.followRequests[Self.account] = [] }
    harness.pass(seconds: 1)
    #expect(Self.line(of: 30, harness) == height)
  }

  @Test(
    "after any requests, decisions and posts, the rows of mentions are its posts and its requests",
    arguments: seeds(0..<40 as Range<UInt64>))
  func law(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var limits = EngineLimits()
    (limits.lists.chunkCapacity, limits.lists.firstSlice, limits.lists.laterSlice) = (3, 6, 4)
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...45).map { EngineHarness.post($0, at: $0) }
    harness.open(1, showing: .mentions)
    var next: Int64 = 1000
    for _ in 0..<60 {
      harness.holdsLoads = Bool.random(using: &random)
      if !harness.holdsLoads { harness.answerLoads() }
      next += 1
      var requests = harness.store.followRequests[Self.account] ?? []
      switch Int.random(in: 0..<4, using: &random) {
      case 0: requests.append(Self.request(next, at: .random(in: 0...60, using: &random)))
      case 1: if !requests.isEmpty { requests.remove(at: .random(in: requests.indices, using: &random)) }
      case 2:
        let id = next
        let seconds = Int64.random(in: 0...60, using: &random)
        harness.commit(new: [EngineHarness.post(id * 3, at: seconds)])
      default:
        if let row = Self.rows(harness).randomElement(using: &random) { harness.scroll(1, to: row) }
      }
      requests.sort { $0.orderKey > $1.orderKey }
      harness.commit { $0.followRequests[Self.account] = requests }
      harness.pass(seconds: 1)
    }
    harness.holdsLoads = false
    for _ in 0..<100 { harness.answerLoads() }
    harness.pass(seconds: 5)
    let posts = harness.store.rows(.mentions(Self.account)).map(\.orderKey)
    let requests = (harness.store.followRequests[Self.account] ?? []).map(\.orderKey)
    let model = (posts + requests).sorted(by: >).map { UInt64($0.id.rawValue) }
    guard let pane = harness.mirrors[Self.view]?.panes[0] else {
      Issue.record("seed \(seed): there is no pane")
      return
    }
    let above = pane.status.rowsAbove
    #expect(pane.status.rowCount == model.count, "seed \(seed)")
    #expect(pane.rows.map(\.rowID) == Array(model[above..<min(above + pane.rows.count, model.count)]), "seed \(seed)")
  }
}
