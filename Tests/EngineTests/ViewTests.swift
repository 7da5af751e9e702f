import Dates
import Engine
import Posts
import Testing
import ViewState

@Suite("Frames sent to a view")
struct ViewTests {
  private func harness(posts count: Int64, limits: EngineLimits = EngineLimits()) -> EngineHarness {
    var harness = EngineHarness(limits: limits)
    harness.posts = (0..<count).map { EngineHarness.post($0 + 1) }
    return harness
  }

  @Test("the first frame is a reset with the newest rows and the window around them")
  func first() throws {
    var harness = harness(posts: 1000)
    harness.open(1)
    let frame = try #require(harness.frames[ViewID(1)]?.first)
    #expect(frame.reset == .first && frame.number == 1 && frame.epoch == 7)
    let pane = try #require(harness.mirrors[ViewID(1)]?.panes.first)
    #expect(pane.header.kind == .timeline && pane.status.rowCount == 1000 && pane.status.rowsAbove == 0)
    #expect(pane.rows.map(\.rowID) == (0..<UInt64(pane.rows.count)).map { 1000 - $0 })
    #expect(pane.rows.reduce(0) { $0 + $1.layout.height } >= 48, "two viewports from the top")
    #expect(pane.rows[0].caps == .top && pane.rows[1].caps == [])
  }

  @Test("an empty timeline is a frame without rows, not silence") func empty() throws {
    var harness = EngineHarness()
    harness.open(1)
    let pane = try #require(harness.mirrors[ViewID(1)]?.panes.first)
    #expect(pane.rows == [] && pane.status.rowCount == 0 && pane.status.isExact)
  }

  @Test("a new post reaches every view as one inserted row and one changed cap")
  func insertion() throws {
    var harness = harness(posts: 10_000)
    for id in 1...3 as ClosedRange<UInt64> { harness.open(id, layout: EngineHarness.layout(width: 40 + Int(id))) }
    harness.pass(seconds: 1)
    let counts = harness.frames.mapValues(\.count)
    harness.commit(new: [EngineHarness.post(10_001)])
    for id in 1...3 as ClosedRange<UInt64> {
      let frames = try #require(harness.frames[ViewID(id)]).dropFirst(counts[ViewID(id)]!)
      #expect(frames.count == 1)
      var inserted: [UInt64] = []
      var caps: [RowChange] = []
      for operation in frames.first!.operations {
        switch operation {
        case .rowsInserted(_, let after, let rows):
          #expect(after == 0)
          inserted += rows.map(\.rowID)
        case .rowsChanged(_, let changes): caps += changes
        case .paneStatus, .rowsRemoved: continue
        default: Issue.record("unexpected \(operation)")
        }
      }
      #expect(inserted == [10_001])
      #expect(caps.count <= 4)
      #expect(caps == [RowChange(rowID: 10_000, caps: [], row: nil)])
      #expect(frames.first!.reset == nil)
    }
  }

  @Test("another width sends new lines and heights, but no text and no reset") func resize() throws {
    var harness = EngineHarness()
    harness.posts = (1...20).map { EngineHarness.post($0, text: "words and words and words and words and words \($0)") }
    harness.open(1)
    harness.send(.layoutChanged(ViewID(1), EngineHarness.layout(width: 20), .utc))
    let frame = try #require(harness.frames[ViewID(1)]?.last)
    #expect(frame.reset == nil && frame.generations.layout == 2)
    let heights = frame.operations.compactMap { operation -> [RowRelayout]? in
      if case .heightsChanged(_, let rows) = operation { rows } else { nil }
    }
    #expect(heights.count == 1)
    let inserted = frame.operations.contains { if case .rowsInserted = $0 { true } else { false } }
    #expect(!inserted, "20 rows were held and still are")
    let rows = try #require(harness.mirrors[ViewID(1)]?.panes.first?.rows)
    #expect(
      rows.allSatisfy {
        $0.layout.lineEnds.count > 1 && $0.layout.lineEnds.last == UInt32($0.content.fields.text.count)
      })
  }

  @Test("a viewport moved is answered by a frame that echoes its generation, even when nothing else changes")
  func viewport() throws {
    var harness = harness(posts: 500)
    harness.open(1)
    for (generation, anchor) in [(1, 300), (2, 300), (3, 0)] as [(UInt32, UInt64)] {
      var viewport = ViewportParameters()
      viewport.anchorRow = anchor
      viewport.generation = generation
      harness.send(.viewportMoved(ViewID(1), viewport))
      let view = try #require(harness.mirrors[ViewID(1)])
      #expect(view.viewportGeneration == generation)
      let ids = view.panes[0].rows.map(\.rowID)
      #expect(ids.contains(anchor == 0 ? 500 : anchor))
      #expect(ids.count <= 200 && ids.count >= 8)
    }
  }

  @Test("labels are sent only when one changes; without views nothing wakes up")
  func times() throws {
    var harness = harness(posts: 50)
    harness.open(1)
    let before = harness.frames[ViewID(1)]!.count
    harness.pass(seconds: 120_000)
    let frames = harness.frames[ViewID(1)]!.dropFirst(before)
    #expect(!frames.isEmpty)
    for frame in frames {
      #expect(frame.operations.count == 1)
      guard case .timesRefreshed(_, let labels, let rows, _) = frame.operations[0] else {
        Issue.record("unexpected \(frame.operations[0])")
        continue
      }
      #expect(Set(labels).count == labels.count && !rows.isEmpty)
    }
    harness.send(.viewClosed(ViewID(1)))
    #expect(harness.engine.nextDeadline == nil)
  }

  @Test("a slow view receives one frame with everything it missed, not a queue of frames") func slow() throws {
    var harness = harness(posts: 100)
    harness.slow = [ViewID(1)]
    harness.open(1)
    for id in 101...150 as ClosedRange<Int64> {
      harness.commit(new: [EngineHarness.post(id)])
      harness.pass(seconds: 1)
    }
    let sent = try #require(harness.frames[ViewID(1)])
    #expect(sent.count == 2, "two unacknowledged frames, then nothing")
    harness.slow = []
    harness.send(.acknowledged(ViewID(1), frame: 2))
    let frames = try #require(harness.frames[ViewID(1)])
    #expect(frames.count == 3)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].rows.first?.rowID == 150)
  }

  @Test("frames of one view keep their distance; an answer to its own command is not delayed") func pacing() throws {
    var harness = harness(posts: 100)
    harness.open(1)
    harness.now = harness.now.adding(milliseconds: 5)
    harness.commit(new: [EngineHarness.post(101)])
    #expect(harness.frames[ViewID(1)]!.count == 1)
    #expect(harness.engine.nextDeadline == EngineHarness.start.adding(milliseconds: 16))
    var viewport = ViewportParameters()
    viewport.generation = 1
    harness.send(.viewportMoved(ViewID(1), viewport))
    #expect(harness.frames[ViewID(1)]!.count == 2)
  }

  @Test("the anchor row stays in the window while others arrive above; when it is removed the next takes its place")
  func anchor() throws {
    var harness = harness(posts: 300)
    harness.open(1)
    var viewport = ViewportParameters()
    viewport.anchorRow = 150
    viewport.generation = 1
    harness.send(.viewportMoved(ViewID(1), viewport))
    for id in 301...400 as ClosedRange<Int64> {
      harness.commit(new: [EngineHarness.post(id)])
      harness.pass(seconds: 1)
    }
    let pane = try #require(harness.mirrors[ViewID(1)]?.panes[0])
    #expect(pane.rows.contains { $0.rowID == 150 } && !pane.rows.contains { $0.rowID == 400 })
    #expect(pane.status.rowsAbove == 400 - Int(pane.rows[0].rowID))
  }

  @Test("frames and answers stay below their byte limits, and the rest follows on request") func bytes() throws {
    var harness = EngineHarness()
    harness.posts = (1...40).map { EngineHarness.post($0, text: String(repeating: "word ", count: 20_000)) }
    harness.open(1, layout: EngineHarness.layout(height: 5000))
    let frame = try #require(harness.mirrors[ViewID(1)]?.panes[0])
    #expect(
      frame.rows.count == 6, "100,000 bytes and the line ends each: the sixth exceeds 512 KiB and is the last")
    var seen: [UInt64] = []
    var anchor: PostID?
    var more = true
    while more {
      var request = RowsRequest(account: EngineHarness.account, layout: EngineHarness.layout(), zone: .utc)
      (request.count, request.anchor) = (50, anchor)
      harness.send(.rowsRequested(RequestToken(1), request))
      let answer = try #require(harness.answers[RequestToken(1)])
      #expect(answer.rows.count <= 6 && !answer.rows.isEmpty)
      seen += answer.rows.map(\.rowID)
      anchor = answer.rows.last.map { PostID(Int64($0.rowID)) }
      more = answer.hasMore
    }
    #expect(seen == (1...40).reversed())
  }
}

@Suite("Frozen clock")
struct FrozenClockTests {
  @Test("labels never change and cause no wake-ups; frames are paced as usual") func frozen() throws {
    var harness = EngineHarness()
    harness.engine.frozenAt = EngineHarness.start
    harness.posts = (1...20).map { EngineHarness.post($0, at: 100_000 - $0) }
    harness.open(1)
    let labels = try #require(harness.mirrors[ViewID(1)]?.panes.first?.rows.map(\.label))
    #expect(labels.first == "now" && labels.contains("12s"))
    #expect(harness.mirrors[ViewID(1)]?.labelsAtMilliseconds == EngineHarness.start.milliseconds)
    let frames = harness.frames[ViewID(1)]!.count
    harness.pass(seconds: 3600)
    #expect(harness.frames[ViewID(1)]!.count == frames)
    for id in 30...40 as ClosedRange<Int64> { harness.commit(new: [EngineHarness.post(id, at: 100_000)]) }
    harness.pass(seconds: 1)
    #expect(harness.mirrors[ViewID(1)]?.panes.first?.rows.first?.rowID == 40)
    #expect(harness.mirrors[ViewID(1)]?.panes.first?.rows.first?.label == "now")
  }
}
