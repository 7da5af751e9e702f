import Dates
import HTTPSupport
import TestSupport
import Testing

@testable import Mastodon

@Suite("A server that lies")
struct LyingServerTests {
  /// The law: whatever a server says and however often the program is killed, nothing is lost without a gap that says so,
  /// no post is made twice, nothing that exists is taken for deleted, and the token stays at its server.
  @Test(
    "loses no post silently, makes none twice and never gets the token elsewhere",
    arguments: seeds(1...1_000 as ClosedRange<UInt64>))
  func law(seed: UInt64) {
    var world = LyingWorld(seed: seed)
    for _ in 0..<Int.random(in: 10...80, using: &world.random) { world.step() }
    world.settle()
    world.check()
  }

  @Test(
    "an hour without network leaves a gap where it was, which people fill from either end", arguments: [false, true])
  func hour(skips: Bool) {
    var world = LyingWorld(seed: 1, home: ModelTimeline(skips: skips))
    world.settle()
    for _ in 0..<10 { world.publish() }
    world.settle()
    let below = world.server.home.statuses[0]
    world.lose(seconds: 0)
    for _ in 0..<240 {
      world.publish()
      world.pass(milliseconds: 15_000)
    }
    let missed = world.server.home.statuses.prefix(240)
    #expect(world.daemon.state != "live" && world.daemon.home.statuses[missed[0].id] == nil)
    world.comeBack()
    world.settle()
    // The newest page of 5, and twenty pages of 5 of the gap.
    let isMissing = { (status: TimelineStatus) in world.daemon.home.stretch(at: status.created) == .missing }
    let hidden = missed.filter(isMissing)
    #expect(hidden.count == 135 && world.daemon.home.gaps.count == 1)
    #expect(hidden == Array(skips ? missed.suffix(135) : missed.dropFirst(5).prefix(135)))
    #expect(world.daemon.home.statuses[below.id] != nil && !isMissing(below) && !isMissing(missed[0]))
    for round in 1...2 {
      world.fill("w\(round)")
      #expect(world.daemon.wants["w\(round)"] == true)
    }
    #expect(world.daemon.home.gaps.isEmpty && missed.allSatisfy { world.daemon.home.statuses[$0.id] != nil })
  }

  @Test(
    "a home timeline that is built for longer than the program asks is read when it is there", arguments: [10, 30, 90])
  func building(seconds: Int64) {
    var world = LyingWorld(seed: 1, home: ModelTimeline())
    for _ in 0..<3 { world.publish() }
    world.settle()
    world.lose(seconds: 0)
    for _ in 0..<20 { world.publish() }
    world.comeBack()
    world.server.buildingEnd = world.now.adding(milliseconds: seconds * 1_000 + 300_000)
    world.pass(milliseconds: 300_000)
    for _ in 0..<(seconds + 10) {
      world.proceed()
      world.pass(milliseconds: 1_000)
      // What the stream brings meanwhile says nothing about what it did not bring.
      if world.hasStream { world.publish() }
    }
    world.settle()
    world.check()
  }
}
