import Posts
import Services
import Testing
import UV

@testable import Server

@Suite("A source's program is a process") struct UpstreamProcessTests {
  @Test("a program that never stops writing statuses is read one chunk at a time, with pauses") func statuses() throws {
    let loop = try Loop()
    defer { try? loop.close() }
    let line = #"{"say":"status","login":"x","state":"live"}"#
    var received = 0
    var failure: UpstreamEnd?
    let program = try UpstreamProcess(
      loop: loop, source: "x", command: ["/usr/bin/yes", line], log: { _ in }
    ) { _ in
      received += 1
    } onEnd: {
      failure = $0
    }
    let alive = try Timer(loop: loop) {}
    alive.arm(after: .seconds(60))
    var most = 0
    while received < 20_000, failure == nil {
      let before = received
      loop.run(.once)
      most = max(most, received - before)
    }
    #expect(most <= (64 << 10) / (line.utf8.count + 1) + 1 && failure == nil)
    alive.close()
    program.close()
    loop.run()
  }

  @Test("that a program has taken everything is reported, also if the last of it did not have to wait")
  func taken() throws {
    let loop = try Loop()
    defer { try? loop.close() }
    let program = try UpstreamProcess(
      loop: loop, source: "x", command: ["/bin/sh", "-c", "cat >/dev/null; true"], log: { _ in }, onMessage: { _ in },
      onEnd: { _ in })
    var isTaken = false
    // More than the kernel holds, and a little that waits behind it.
    program.send(.gone(feed: String(repeating: "x", count: 2 << 20)))
    program.send(.gone(feed: "y"))
    program.whenTaken { isTaken = true }
    #expect(!isTaken)
    var isLate = false
    let alive = try Timer(loop: loop) { isLate = true }
    alive.arm(after: .seconds(20))
    while !isTaken, !isLate { loop.run(.once) }
    #expect(isTaken)
    alive.close()
    program.close()
    loop.run()
  }
}
