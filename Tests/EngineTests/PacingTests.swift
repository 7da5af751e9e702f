import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Pacing of frames")
struct PacingTests {
  private func harness(posts count: Int64 = 100, limits: EngineLimits = EngineLimits()) -> EngineHarness {
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...count).map { EngineHarness.post($0) }
    return harness
  }

  private func wait(_ harness: inout EngineHarness, _ milliseconds: Int64) {
    harness.now = harness.now.adding(milliseconds: milliseconds)
    harness.send(.timePassed)
  }

  private func count(_ harness: EngineHarness, _ view: UInt64 = 1) -> Int { harness.frames[ViewID(view)]?.count ?? 0 }

  @Test(
    "frames are half the client's round trip apart, at least 16 ms and at most 250 ms",
    arguments: [(0, 16), (20, 16), (100, 50), (300, 150), (5000, 250)])
  func roundTrip(trip: Int64, interval: Int64) {
    var harness = harness()
    harness.slow = [ViewID(1)]
    harness.open(1)
    wait(&harness, trip)
    harness.send(.acknowledged(ViewID(1), frame: 1))
    // Long after the first frame a change is sent at once; the next one waits.
    wait(&harness, 10_000)
    harness.commit(new: [EngineHarness.post(200)])
    #expect(count(harness) == 2)
    harness.commit(new: [EngineHarness.post(201)])
    #expect(count(harness) == 2)
    wait(&harness, interval - 1)
    #expect(count(harness) == 2)
    wait(&harness, 1)
    #expect(count(harness) == 3)
  }

  @Test("a newly opened pane's first rows are sent as soon as they are loaded, not 16 ms later")
  func firstRows() {
    var harness = harness()
    harness.open(1, layout: EngineHarness.layout(width: 120, height: 40, singlePane: false))
    wait(&harness, 10_000)
    harness.holdsLoads = true
    let session = SessionKey(account: EngineHarness.account, name: "")
    harness.send(.stackCommand(RequestToken(1), session, StackCommand(action: .open(.profile, query: ""))))
    let mirror = harness.mirrors[ViewID(1)]!
    #expect(count(harness) == 2 && mirror.panes.map(\.header.kind) == [.profile] && mirror.panes[0].rows == [])
    harness.answerLoads()
    #expect(harness.mirrors[ViewID(1)]!.panes[0].rows.count > 10)
    // From then on frames are paced as usual.
    let now = count(harness)
    harness.commit(new: [EngineHarness.post(200)])
    #expect(count(harness) == now)
    wait(&harness, 16)
    #expect(count(harness) == now + 1)
  }

  @Test("with many views each view's frames are further apart, leaving time for other work") func manyViews() {
    var limits = EngineLimits()
    limits.frames.microseconds = 60
    var harness = harness(limits: limits)
    for id in 1...500 as ClosedRange<UInt64> { harness.open(id, acknowledges: false) }
    wait(&harness, 10_000)
    harness.commit(new: [EngineHarness.post(200)])
    let before = count(harness, 77)
    harness.commit(new: [EngineHarness.post(201)])
    // 500 frames of 60 µs in 70 % of the time.
    wait(&harness, 41)
    #expect(count(harness, 77) == before)
    wait(&harness, 1)
    #expect(count(harness, 77) == before + 1)
  }

  @Test("a frame has the age of its oldest change and the number of skipped states") func age() throws {
    var harness = harness()
    harness.slow = [ViewID(1)]
    harness.open(1)
    wait(&harness, 100)
    harness.commit(new: [EngineHarness.post(200)])
    #expect(harness.frames[ViewID(1)]!.last!.pacing.ageMilliseconds == 0)
    for id in 201...205 as ClosedRange<Int64> {
      wait(&harness, 100)
      harness.commit(new: [EngineHarness.post(id)])
    }
    wait(&harness, 300)
    harness.send(.acknowledged(ViewID(1), frame: 2))
    let frame = try #require(harness.frames[ViewID(1)]?.last)
    #expect(frame.number == 3 && frame.pacing.ageMilliseconds == 700 && frame.pacing.skipped == 4)
    #expect(frame.revision - frame.baseRevision == 5)
  }

  @Test("a revision that changes nothing for a view is sent once after 15 s; an idle daemon has no wake-ups")
  func bookmarks() throws {
    var harness = harness()
    var layout = EngineHarness.layout()
    layout.timeStyle = .long
    harness.open(1, layout: layout)
    #expect(harness.engine.nextDeadline == nil)
    harness.commit(new: [EngineHarness.post(200, visibility: .direct, owner: AccountID(9))])
    #expect(count(harness) == 1)
    harness.pass(seconds: 14)
    #expect(count(harness) == 1)
    harness.pass(seconds: 2)
    let frame = try #require(harness.frames[ViewID(1)]?.last)
    #expect(frame.number == 2 && frame.operations.isEmpty && frame.revision == harness.revision)
    #expect(harness.mirrors[ViewID(1)]?.revision == harness.revision)
    harness.pass(seconds: 600)
    #expect(count(harness) == 2 && harness.engine.nextDeadline == nil)
  }

  @Test("some frame reaches a command's revision, whatever the command changes") func readYourWrites() throws {
    var harness = harness()
    harness.open(1)
    harness.command(1, .pushConversation(reference: "5", from: 0))
    #expect(harness.mirrors[ViewID(1)]!.revision == harness.revision)
    harness.commit(new: [EngineHarness.post(200, visibility: .direct, owner: AccountID(9))])
    let written = harness.revision
    harness.pass(seconds: 20)
    #expect(harness.mirrors[ViewID(1)]!.revision == written)
  }

  @Test("a view without acknowledgements for 60 s is stalled; one that still acknowledges is not") func stalls() {
    var harness = harness(posts: 1000)
    harness.slow = [ViewID(1), ViewID(2)]
    harness.open(1)
    harness.open(2)
    for id in 1001...1010 as ClosedRange<Int64> {
      harness.commit(new: [EngineHarness.post(id)])
      harness.pass(seconds: 5)
    }
    #expect(harness.stalled == [])
    // The second view is slow: a frame in 40 s.
    harness.send(.acknowledged(ViewID(2), frame: 1))
    harness.pass(seconds: 15)
    #expect(harness.stalled == [ViewID(1)])
    harness.send(.progressed(ViewID(1)))
    for frame in 2...6 as ClosedRange<UInt64> {
      harness.pass(seconds: 40)
      harness.send(.acknowledged(ViewID(2), frame: frame))
      harness.commit(new: [EngineHarness.post(Int64(2000 + frame))])
    }
    #expect(!harness.stalled.contains(ViewID(2)))
    #expect(harness.stalled.count { $0 == ViewID(1) } >= 3, "it is checked every minute")
  }

  @Test("a stream that takes no bytes is stalled even if nothing needs acknowledging") func blocked() {
    var harness = harness()
    harness.open(1, acknowledges: false)
    harness.blocked = [ViewID(1)]
    harness.commit(new: [EngineHarness.post(200)])
    harness.pass(seconds: 59)
    #expect(harness.stalled == [])
    harness.pass(seconds: 2)
    #expect(harness.stalled == [ViewID(1)])
  }

  @Test("views without pending data never stall, nor does a machine's sleep count") func innocent() {
    var harness = harness()
    harness.slow = [ViewID(1)]
    harness.open(1)
    harness.pass(seconds: 3600)
    harness.commit(new: [EngineHarness.post(200)])
    harness.commit(new: [EngineHarness.post(201)])
    harness.pass(seconds: 30)
    wait(&harness, 3_600_000)
    #expect(harness.stalled == [])
    harness.pass(seconds: 61)
    #expect(harness.stalled == [ViewID(1)])
  }

  @Test("views that show the same share encoded frames") func shared() throws {
    var harness = harness()
    for id in 1...3 as ClosedRange<UInt64> { harness.open(id) }
    harness.open(4, layout: EngineHarness.layout(width: 50))
    wait(&harness, 1000)
    harness.commit(new: [EngineHarness.post(200)])
    let bodies = try (1...4 as ClosedRange<UInt64>).map { try #require(harness.frames[ViewID($0)]?.last?.body) }
    #expect(bodies[0] === bodies[1] && bodies[1] === bodies[2])
    #expect(bodies[3] !== bodies[0], "another width is another scene")
  }

  @Test("a change too large for a frame is split, and each piece leaves a consistent state") func cut() throws {
    var limits = EngineLimits()
    limits.frames.bytes = 4_000
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...200).map { EngineHarness.post($0, text: String(repeating: "word ", count: Int($0 % 40) * 5)) }
    harness.posts.append(EngineHarness.post(201, text: String(repeating: "x", count: 9_000)))
    var layout = EngineHarness.layout(height: 100)
    layout.showsWholeTexts = true
    harness.open(1, layout: layout)
    harness.pass(seconds: 5)
    let frames = try #require(harness.frames[ViewID(1)])
    #expect(frames.count == 4 && frames.dropLast().allSatisfy(\.pacing.hasMore) && frames.last!.pacing.hasMore == false)
    for frame in frames {
      let rows = frame.operations.reduce(0) {
        if case .rowsInserted(_, _, let rows) = $1 { $0 + rows.count } else { $0 }
      }
      #expect(frame.body.encoded!.count <= 4_000 || rows == 1)
    }
    harness.open(2, layout: layout)
    harness.pass(seconds: 5)
    #expect(harness.mirrors[ViewID(1)]?.panes == harness.mirrors[ViewID(2)]?.panes)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].status.rowCount == 201)
  }

  @Test("many changes queue no frames for a blocked view, and make one when it continues") func noQueue() throws {
    var harness = harness()
    harness.open(1, acknowledges: false)
    harness.blocked = [ViewID(1)]
    wait(&harness, 1000)
    let changes = triesAllSeeds ? 1_000 : 100
    for id in 0..<changes { harness.commit(new: [EngineHarness.post(1000 + Int64(id))]) }
    #expect(count(harness) == 1)
    harness.blocked = []
    let taken = harness.engine.nextFrame(of: ViewID(1), at: harness.now)
    let frame = try #require(taken)
    #expect(frame.pacing.skipped == changes - 1 && frame.body.encoded!.count < 20_000)
    let again = harness.engine.nextFrame(of: ViewID(1), at: harness.now)
    #expect(again == nil)
  }
}
