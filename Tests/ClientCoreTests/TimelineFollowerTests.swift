import ClientCore
import TestSupport
import Testing
import ViewState

/// A miniature daemon: a timeline, and a view of its newest `windowRows`.
private struct MiniDaemon {
  var rows: [PlacedRow] = []
  var windowRows = 4
  var isExact = false
  var isLoading = false
  var revision: UInt64 = 1
  var epoch: UInt64 = 9
  private var sent = ViewSnapshot()

  var view: ViewSnapshot {
    var view = ViewSnapshot()
    view.epoch = epoch
    view.revision = revision
    var pane = Pane(header: PaneHeader(paneID: 1, kind: .timeline, subject: 0, title: []))
    pane.rows = isLoading ? [] : Array(rows.prefix(windowRows))
    pane.status.rowCount = pane.rows.isEmpty ? 0 : rows.count
    pane.status.isExact = isExact
    pane.status.isLoading = isLoading
    view.panes = [pane]
    return view
  }

  mutating func insert(_ row: PlacedRow) {
    rows.append(row)
    rows.sort { $0.comesBefore($1) }
    revision += 1
  }

  mutating func remove(_ id: UInt64) {
    rows.removeAll { $0.rowID == id }
    revision += 1
  }

  /// Returns the next frame; with `reset` a complete one, for a client that has just attached.
  mutating func frame(reset: Bool = false) -> Frame {
    let base = reset ? ViewSnapshot() : sent
    defer { sent = view }
    return Frame(
      number: 1, baseRevision: base.revision, to: view, reset: reset ? .first : nil,
      operations: view.operations(from: base))
  }
}

@Suite("Following a timeline")
struct TimelineFollowerTests {
  private static func position(_ id: UInt64) -> RowPosition { TestRow.at(Int64(id), id: id).position }

  private func started(_ daemon: inout MiniDaemon) throws -> TimelineFollower {
    var follower = TimelineFollower()
    #expect(try follower.apply(daemon.frame(reset: true)) == [])
    return follower
  }

  @Test("the newest rows of the starting point are reported once, when they are loaded") func initialRows() throws {
    var daemon = MiniDaemon()
    for id in 1...6 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    daemon.isLoading = true
    var follower = TimelineFollower(initialRows: 3)
    #expect(try follower.apply(daemon.frame(reset: true)) == [])
    daemon.isLoading = false
    #expect(try follower.apply(daemon.frame()) == (4...6).map { .inserted(TestRow.at($0, id: UInt64($0))) })
    daemon.insert(TestRow.at(7, id: 7))
    follower.discardMirror()
    #expect(try follower.apply(daemon.frame(reset: true)) == [.inserted(TestRow.at(7, id: 7))])
  }

  @Test("a post at the top is inserted; the row that leaves the window below is not removed") func top() throws {
    var daemon = MiniDaemon()
    for id in 1...6 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    var follower = try started(&daemon)
    let new = TestRow.at(7, id: 7)
    daemon.insert(new)
    #expect(try follower.apply(daemon.frame()) == [.inserted(new)])
  }

  @Test("several new posts are reported oldest first") func several() throws {
    var daemon = MiniDaemon()
    for id in 1...6 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    var follower = try started(&daemon)
    daemon.insert(TestRow.at(7, id: 7))
    daemon.insert(TestRow.at(8, id: 8))
    #expect(try follower.apply(daemon.frame()) == [.inserted(TestRow.at(7, id: 7)), .inserted(TestRow.at(8, id: 8))])
  }

  @Test("a deleted row is removed; the row that enters the window below is not new") func deletion() throws {
    var daemon = MiniDaemon()
    for id in 1...6 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    var follower = try started(&daemon)
    daemon.remove(5)
    #expect(try follower.apply(daemon.frame()) == [.removed(5)])
    daemon.insert(TestRow.at(5, id: 5))
    #expect(try follower.apply(daemon.frame()) == [.restored(TestRow.at(5, id: 5))])
    daemon.remove(1)
    #expect(try follower.apply(daemon.frame()) == [], "far below the window")
  }

  @Test("an old post that arrives late is new inside the window, and not reported below it") func late() throws {
    var daemon = MiniDaemon()
    for id in [10, 20, 30, 40, 50] { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    var follower = try started(&daemon)
    daemon.insert(TestRow.at(35, id: 35))
    #expect(try follower.apply(daemon.frame()) == [.inserted(TestRow.at(35, id: 35))])
    daemon.insert(TestRow.at(5, id: 5))
    #expect(try follower.apply(daemon.frame()) == [])
  }

  @Test("more than a window at once leaves a gap, reported before the rows above it") func burst() throws {
    var daemon = MiniDaemon()
    for id in 1...6 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    var follower = try started(&daemon)
    for id in 7...20 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    let events = try follower.apply(daemon.frame())
    #expect(events.first == .gap(newer: Self.position(17), older: Self.position(6)))
    #expect(events.dropFirst() == (17...20).map { .inserted(TestRow.at($0, id: UInt64($0))) }[...])
  }

  @Test("more than a window below a complete timeline is a gap down to its end") func belowTheEnd() throws {
    var daemon = MiniDaemon()
    for id in 98...99 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    var follower = try started(&daemon)
    for id in 1...20 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    #expect(try follower.apply(daemon.frame()).first == .gap(newer: Self.position(19), older: nil))
  }

  @Test("posts far below the window are reported as a whole, if the daemon's count is exact") func older() throws {
    var daemon = MiniDaemon()
    daemon.isExact = true
    for id in 94...99 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    var follower = try started(&daemon)
    for id in 1...20 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    #expect(try follower.apply(daemon.frame()) == [.olderRows])
    daemon.insert(TestRow.at(100, id: 100))
    #expect(try follower.apply(daemon.frame()) == [.inserted(TestRow.at(100, id: 100))])
    daemon.insert(TestRow.at(101, id: 101))
    daemon.insert(TestRow.at(30, id: 30))
    #expect(try follower.apply(daemon.frame()) == [.inserted(TestRow.at(101, id: 101)), .olderRows])
    daemon.remove(3)
    daemon.remove(101)
    #expect(try follower.apply(daemon.frame()) == [.removed(101)])
    daemon.isExact = false
    daemon.insert(TestRow.at(31, id: 31))
    #expect(try follower.apply(daemon.frame()) == [], "an estimate may be anything")
    daemon.isExact = true
    daemon.insert(TestRow.at(102, id: 102))
    #expect(try follower.apply(daemon.frame()) == [.inserted(TestRow.at(102, id: 102)), .olderRows])
  }

  @Test("more than a window between two old rows is a gap down to the lower one") func between() throws {
    var daemon = MiniDaemon()
    for id in [10, 90, 98, 99] { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    var follower = try started(&daemon)
    for id in 20...40 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    #expect(try follower.apply(daemon.frame()).first == .gap(newer: Self.position(40), older: Self.position(10)))
  }

  @Test("a first import into an empty timeline is a gap down to its end") func firstImport() throws {
    var daemon = MiniDaemon()
    var follower = try started(&daemon)
    for id in 1...20 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    #expect(try follower.apply(daemon.frame()).first == .gap(newer: Self.position(17), older: nil))
  }

  @Test("the first posts of an empty timeline are new") func firstPosts() throws {
    var daemon = MiniDaemon()
    var follower = try started(&daemon)
    daemon.insert(TestRow.at(1, id: 1))
    #expect(try follower.apply(daemon.frame()) == [.inserted(TestRow.at(1, id: 1))])
  }

  @Test("an edited row has changed; new labels, caps and lines are not an event") func changed() throws {
    var daemon = MiniDaemon()
    for id in 1...3 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    var follower = try started(&daemon)
    daemon.rows[0].label = "5m"
    daemon.rows[1].caps = [.top]
    daemon.rows[1].layout.lineEnds = [1]
    daemon.revision += 1
    #expect(try follower.apply(daemon.frame()) == [])
    var fields = daemon.rows[1].content.fields
    fields.fingerprint = 99
    daemon.rows[1].row = LaidOutRow(content: RowContent(fields), layout: daemon.rows[1].layout)
    daemon.revision += 1
    #expect(try follower.apply(daemon.frame()) == [], "a fingerprint is not visible")
    daemon.rows[1] = TestRow.at(2, id: 2, text: "edited")
    daemon.revision += 1
    #expect(try follower.apply(daemon.frame()) == [.changed(TestRow.at(2, id: 2, text: "edited"))])
  }

  @Test("after a reconnection only posts added meanwhile are new") func reconnection() throws {
    var daemon = MiniDaemon()
    for id in 1...6 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    var follower = try started(&daemon)
    follower.discardMirror()
    daemon.insert(TestRow.at(7, id: 7))
    #expect(try follower.apply(daemon.frame(reset: true)) == [.inserted(TestRow.at(7, id: 7))])
    follower.discardMirror()
    #expect(try follower.apply(daemon.frame(reset: true)) == [])
  }

  @Test("parts of a change report nothing before the last one") func pieces() throws {
    var daemon = MiniDaemon()
    for id in 1...6 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    var follower = try started(&daemon)
    var empty = daemon
    empty.rows = []
    var first = empty.frame(reset: true)
    first.pacing.hasMore = true
    #expect(try follower.apply(first) == [])
    daemon.insert(TestRow.at(7, id: 7))
    #expect(try follower.apply(daemon.frame(reset: true)) == [.inserted(TestRow.at(7, id: 7))])
  }

  @Test("a new epoch is a new history") func epoch() throws {
    var daemon = MiniDaemon()
    for id in 1...6 { daemon.insert(TestRow.at(Int64(id), id: UInt64(id))) }
    var follower = try started(&daemon)
    follower.discardMirror()
    daemon.epoch = 10
    daemon.rows = [TestRow.at(99, id: 1)]
    #expect(try follower.apply(daemon.frame(reset: true)) == [.historyLost])
  }

  @Test("a frame that does not apply is refused, and nothing changes") func mismatch() throws {
    var daemon = MiniDaemon()
    daemon.insert(TestRow.at(1, id: 1))
    var follower = try started(&daemon)
    let before = follower.mirror
    var frame = daemon.frame()
    frame.baseRevision = 77
    #expect(throws: FrameMismatch.self) { try follower.apply(frame) }
    #expect(follower.mirror == before)
  }

  @Test(
    "random histories: nothing is reported twice, and nothing above the start is missed",
    arguments: seeds(0..<200 as Range<UInt64>))
  func law(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var daemon = MiniDaemon()
    daemon.windowRows = .random(in: 1...6, using: &random)
    for id in 1...UInt64.random(in: 1...8, using: &random) { daemon.insert(TestRow.at(Int64(id), id: id)) }
    var follower = try started(&daemon)
    let top = daemon.rows[0]
    var inserted: [UInt64: Int] = [:]
    var nextID: UInt64 = 100
    for _ in 0..<40 {
      for _ in 0..<Int.random(in: 0...9, using: &random) {
        if Int.random(in: 0..<4, using: &random) == 0, let row = daemon.rows.randomElement(using: &random) {
          daemon.remove(row.rowID)
        } else {
          daemon.insert(TestRow.at(Int64(nextID), id: nextID))
          nextID += 1
        }
      }
      let reconnects = Int.random(in: 0..<5, using: &random) == 0
      if reconnects { follower.discardMirror() }
      for event in try follower.apply(daemon.frame(reset: reconnects)) {
        switch event {
        case .inserted(let row): inserted[row.rowID, default: 0] += 1
        case .gap(let newer, let older):
          // As a client does: it requests the rows between the two.
          for row in daemon.rows where row.rowID < newer.rowID && row.rowID > max(older?.rowID ?? 0, top.rowID) {
            inserted[row.rowID, default: 0] += 1
          }
        default: break
        }
      }
      #expect(follower.mirror == daemon.view)
    }
    #expect(inserted.values.allSatisfy { $0 == 1 }, "seed \(seed)")
    for row in daemon.rows where row.comesBefore(top) {
      #expect(inserted[row.rowID] == 1, "seed \(seed) row \(row.rowID)")
    }
  }
}
