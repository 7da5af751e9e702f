import Dates
import Testing

@testable import Engine

/// Pacing of views without an engine, a scene or a frame.
private struct PacingBench {
  var limits = EngineLimits()
  var pacing: Pacing
  var now = Instant(milliseconds: 1_000_000)
  private var revision: UInt64 = 1

  init(_ change: (inout EngineLimits) -> Void = { _ in }) {
    change(&limits)
    pacing = Pacing(limits: limits)
  }

  /// Opens view `number` in a slot of the same number.
  mutating func open(_ number: Int, acknowledges: Bool = true) -> ViewSlot {
    let slot = ViewSlot(index: number)
    pacing.open(slot, ViewID(UInt64(number)), acknowledges: acknowledges, at: now)
    return slot
  }

  mutating func pass(_ milliseconds: Int64) { now = now.adding(milliseconds: milliseconds) }

  mutating func fallBehind(_ slot: ViewSlot, isCommit: Bool = true, canBegin: Bool = true) {
    pacing.fallBehind(slot, isCommit: isCommit, canBegin: canBegin, at: now)
  }

  /// Returns the numbers of the views that are ready.
  mutating func ready() -> [UInt64] { pacing.takeReady().map(\.rawValue) }

  /// Sends a frame of the next revision with content.
  @discardableResult mutating func send(_ slot: ViewSlot, isNews: Bool = true) -> ViewPace.Departure? {
    revision += 1
    return pacing.depart(slot, revision, isNews: isNews, at: now)
  }

  mutating func expect(acknowledging slot: ViewSlot, _ frame: UInt64, says isNew: Bool) {
    let answer = pacing.acknowledge(slot, frame, at: now)
    #expect(answer == isNew)
  }

  mutating func expectReady(_ views: [UInt64]) {
    let ready = ready()
    #expect(ready == views)
  }

  mutating func expectFindings(_ expected: [Pacing.Finding], revision: UInt64) {
    let findings = pacing.sweep(revision, at: now)
    #expect(findings == expected)
  }

  /// Announces the views that are due.
  mutating func ring() {
    while let id = pacing.nextDue(at: now) {
      pacing.announce(ViewSlot(index: Int(id.rawValue)), canBegin: true, at: now)
    }
  }
}

@Suite("View pacing")
struct PaceTests {
  @Test("a view's first frame is sent at once, but not before there is something to show")
  func first() {
    var bench = PacingBench()
    let view = bench.open(1)
    bench.fallBehind(view, canBegin: false)
    bench.expectReady([])
    bench.fallBehind(view)
    bench.expectReady([1])
    let departure = bench.send(view)
    #expect(departure?.number == 1)
    #expect(bench.pacing[view]?.behindSince == nil)
  }

  @Test("frames keep their distance; changes in between make one frame with its age and skip count")
  func distance() throws {
    var bench = PacingBench()
    let view = bench.open(1)
    bench.fallBehind(view)
    bench.send(view)
    _ = bench.ready()
    bench.expect(acknowledging: view, 1, says: true)
    bench.pass(1)
    for _ in 0..<3 { bench.fallBehind(view) }
    bench.expectReady([])
    let due = try #require(bench.pacing.nextDeadline)
    #expect(due == bench.now.adding(milliseconds: bench.limits.frames.intervalMilliseconds - 1))
    bench.now = due
    bench.ring()
    bench.expectReady([1])
    let departure = bench.send(view)
    #expect(departure?.number == 2 && departure?.skipped == 2)
    #expect(departure.map { Int64($0.ageMilliseconds) } == bench.limits.frames.intervalMilliseconds - 1)
  }

  @Test("the answer to a view's own command is not delayed")
  func urgent() {
    var bench = PacingBench()
    let view = bench.open(1)
    bench.fallBehind(view)
    bench.send(view)
    _ = bench.ready()
    bench.pacing.hurry(view)
    bench.fallBehind(view, isCommit: false)
    bench.expectReady([1])
  }

  @Test("frames are half a round trip apart, up to a limit")
  func roundTrip() {
    var bench = PacingBench()
    let view = bench.open(1)
    for frame in 1...40 as ClosedRange<UInt64> {
      bench.pacing.hurry(view)
      bench.fallBehind(view)
      bench.send(view)
      bench.pass(2000)
      bench.expect(acknowledging: view, frame, says: true)
    }
    bench.pacing.hurry(view)
    bench.fallBehind(view)
    bench.send(view)
    _ = bench.ready()
    bench.pass(1)
    bench.fallBehind(view)
    bench.pass(bench.limits.frames.longestIntervalMilliseconds - 2)
    bench.ring()
    bench.expectReady([])
    bench.pass(1)
    bench.ring()
    bench.expectReady([1])
  }

  @Test("an attached client has at most two unacknowledged frames; a watching one has no limit")
  func window() {
    for acknowledges in [true, false] {
      var bench = PacingBench { $0.frames.unacknowledged = 2 }
      let view = bench.open(1, acknowledges: acknowledges)
      var sent = 0
      for _ in 0..<5 {
        bench.pacing.hurry(view)
        bench.fallBehind(view)
        guard bench.ready() == [1] else { break }
        bench.send(view)
        sent += 1
      }
      #expect(sent == (acknowledges ? 2 : 5))
    }
  }

  @Test("an acknowledgement of an unsent or older frame is ignored")
  func acknowledgements() {
    var bench = PacingBench()
    let view = bench.open(1)
    bench.fallBehind(view)
    bench.send(view)
    bench.expect(acknowledging: view, 2, says: false)
    bench.expect(acknowledging: view, 1, says: true)
    bench.expect(acknowledging: view, 1, says: false)
  }

  @Test("a blocked client is recorded, then ended; one that makes progress gets the full time again")
  func stalls() {
    var bench = PacingBench()
    let view = bench.open(1)
    bench.fallBehind(view)
    var findings: [Pacing.Finding] = []
    let began = bench.now
    while let due = bench.pacing.nextDeadline, findings.count < 2 {
      bench.now = due
      findings += bench.pacing.sweep(1, at: bench.now)
    }
    #expect(findings == [.blocked(ViewID(1)), .stalled(ViewID(1))])
    #expect(bench.now.milliseconds - began.milliseconds == bench.limits.frames.stallMilliseconds)
    bench.pacing.progress(view, at: bench.now)
    bench.pass(bench.limits.frames.stallMilliseconds - 1)
    let later = bench.pacing.sweep(1, at: bench.now)
    #expect(!later.contains(.stalled(ViewID(1))))
  }

  @Test("time in which the machine slept does not count as a stall")
  func machineSlept() {
    var bench = PacingBench()
    let view = bench.open(1)
    bench.fallBehind(view)
    bench.pass(10 * bench.limits.frames.stallMilliseconds)
    bench.pacing.forgive(at: bench.now)
    bench.expectFindings([], revision: 1)
  }

  @Test("an idle view receives the revision after a while")
  func bookmarks() {
    var bench = PacingBench()
    let view = bench.open(1)
    bench.fallBehind(view)
    bench.send(view)
    _ = (bench.ready(), bench.pacing.acknowledge(view, 1, at: bench.now))
    bench.pacing.revisionMoved(at: bench.now)
    bench.pass(bench.limits.frames.bookmarkMilliseconds)
    bench.expectFindings([], revision: 100)
    bench.expectReady([1])
    let departure = bench.pacing.depart(view, 100, isNews: false, at: bench.now)
    #expect(departure?.number == 2)
    #expect(bench.pacing[view]?.heldRevision == 100)
  }

  @Test("empty frames are not sent")
  func nothing() {
    var bench = PacingBench()
    let view = bench.open(1)
    bench.fallBehind(view)
    bench.send(view)
    bench.fallBehind(view)
    let departure = bench.send(view, isNews: false)
    #expect(departure != nil && departure?.number == nil)
    #expect(bench.pacing[view]?.behindSince == nil)
  }

  @Test("closing the last view clears every deadline")
  func close() {
    var bench = PacingBench()
    let views = [bench.open(1), bench.open(2)]
    for view in views { bench.fallBehind(view) }
    bench.pacing.revisionMoved(at: bench.now)
    bench.pacing.close(views[0])
    #expect(bench.pacing.nextDeadline != nil)
    bench.pacing.close(views[1])
    #expect(bench.pacing.nextDeadline == nil)
  }

  @Test("after the clock was set back, nothing waits for an instant now far away")
  func clockBack() throws {
    var bench = PacingBench()
    let view = bench.open(1)
    bench.fallBehind(view)
    bench.send(view)
    _ = bench.ready()
    bench.fallBehind(view)
    bench.pass(-3_600_000)
    bench.pacing.clockWentBack(to: bench.now)
    bench.fallBehind(view)
    bench.expectReady([1])
  }
}
