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
}
