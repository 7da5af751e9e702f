import Glibc
import Testing
import UV

@Suite("A loop", .timeLimit(.minutes(1)))
struct LoopTests {
  @Test("returns when nothing is left to wait for")
  func empty() throws {
    try withLoop { loop in #expect(loop.run() == false) }
  }

  @Test("closes every open handle when it closes")
  func closing() throws {
    let loop = try Loop()
    var closed = 0
    for _ in 0..<3 {
      let timer = try UV.Timer(loop: loop) {}
      timer.onClosed = { closed += 1 }
      timer.arm(after: .seconds(3600))
    }
    #expect(loop.openHandles == 3)
    try loop.close()
    #expect(closed == 3)
    try loop.close()
  }

  @Test("handles the effects of a timer in the same turn, before it waits again")
  func prepareDrains() throws {
    try withLoop { loop in
      var inputs: [String] = []
      var handled: [String] = []
      let distant = try UV.Timer(loop: loop) { Issue.record("the loop waited for the distant timer") }
      distant.arm(after: .seconds(3600))
      let near = try UV.Timer(loop: loop) { inputs.append("near") }
      near.arm(after: .zero)
      loop.atTurnEnd(.handle) {
        handled += inputs
        inputs = []
        if handled == ["near"] {
          distant.close()
          near.close()
        }
      }
      loop.run()
      #expect(handled == ["near"])
    }
  }

  @Test("runs all handle hooks before any flush hook, in the order of registration")
  func phases() throws {
    try withLoop { loop in
      var order: [String] = []
      loop.atTurnEnd(.flush) { order.append("flush") }
      loop.atTurnEnd(.handle) { order.append("handle 1") }
      loop.atTurnEnd(.handle) { order.append("handle 2") }
      loop.scheduleTurn()
      loop.run(.withoutWaiting)
      #expect(Array(order.prefix(3)) == ["handle 1", "handle 2", "flush"])
    }
  }

  @Test("runs the hooks again, and does not wait, when a flush leaves work")
  func workAfterFlush() throws {
    try withLoop { loop in
      let distant = try UV.Timer(loop: loop) { Issue.record("the loop waited for the distant timer") }
      distant.arm(after: .seconds(3600))
      var rounds = 0
      loop.atTurnEnd(.flush) {
        rounds += 1
        // More often than one turn repeats itself: further rounds run in later iterations.
        if rounds < 20 { loop.scheduleTurn() } else { distant.close() }
      }
      loop.run()
      #expect(rounds >= 20)
    }
  }

  @Test("does not run a removed hook")
  func removedHook() throws {
    try withLoop { loop in
      var ran = 0
      let hook = loop.atTurnEnd(.handle) { ran += 1 }
      loop.remove(hook)
      loop.scheduleTurn()
      loop.run(.withoutWaiting)
      #expect(ran == 0)
    }
  }

  @Test("fires timers in order, and re-arming replaces the previous time")
  func timers() throws {
    try withLoop { loop in
      var fired: [Int] = []
      var timers: [UV.Timer] = []
      for index in 0..<3 { timers.append(try UV.Timer(loop: loop) { fired.append(index) }) }
      timers[0].arm(after: .seconds(3600))
      timers[0].arm(after: .milliseconds(20))
      timers[1].arm(after: .milliseconds(10))
      timers[2].arm(after: .milliseconds(1))
      timers[2].disarm()
      loop.run()
      #expect(fired == [1, 0])
    }
  }

  @Test("never fires a timer early")
  func notEarly() throws {
    try withLoop { loop in
      let begin = Loop.now
      var end = begin
      let timer = try UV.Timer(loop: loop) { end = Loop.now }
      timer.arm(after: .microseconds(2500))
      loop.run()
      // libuv's clock is truncated to milliseconds, so one may be lost at each end.
      #expect(end - begin >= .milliseconds(2))
    }
  }

  @Test("delivers a signal, without being kept running by its handle")
  func signal() throws {
    try withLoop { loop in
      var received = 0
      _ = try Signal(loop: loop, .user1) { received += 1 }
      #expect(loop.run() == false)
      // Not raise(3): the threads on which tests run block signals.
      kill(getpid(), SIGUSR1)
      let timeout = try UV.Timer(loop: loop) { Issue.record("no signal arrived") }
      timeout.arm(after: .seconds(30))
      while received == 0, loop.run(.once) {}
      #expect(received == 1)
    }
  }

  @Test("reads clocks that go forward")
  func clocks() {
    let first = Loop.now
    #expect(Loop.now >= first)
    // 2020-01-01: any machine that runs this is past it.
    #expect(Loop.wallClockMilliseconds > 1_577_836_800_000)
  }
}
