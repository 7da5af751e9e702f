import Posts
import Testing

@testable import Services

@Suite("Delivery of commands to an upstream program")
struct UpstreamDeliveryTests {
  private static let patience = Duration.seconds(30)

  private static func command(_ number: Int) -> UpstreamCommand {
    UpstreamCommand(id: "s-\(number)", account: "ann", action: .favourite, post: "n\(number)")
  }

  /// The same command when it is not sent for the first time.
  private static func again(_ number: Int) -> UpstreamCommand {
    var command = command(number)
    command.isAgain = true
    return command
  }

  /// A delivery whose program runs and has two commands.
  private static let crash = UpstreamEnd(reason: "it ended with status 3")

  private func busy() -> UpstreamDelivery {
    var delivery = UpstreamDelivery(patience: Self.patience)
    #expect(
      delivery.begin() == [.start] && delivery.storeChanged() == [],
      "nothing is handed out for a program that does not run")
    #expect(delivery.started(at: .zero) == [.fetch(limit: UpstreamDelivery.limit, again: true)])
    #expect(
      delivery.fetched([Self.command(1), Self.command(2)], at: .zero) == [
        .send(Self.command(1)), .send(Self.command(2)),
      ])
    return delivery
  }

  @Test("answers may arrive in any order; each is stored once, and makes room for another command") func answers() {
    var delivery = busy()
    let second = UpstreamAnswer(id: "s-2", .done(nativeID: "", permalink: ""))
    #expect(delivery.answered(second, at: .zero) == [.store(second)])
    #expect(delivery.answered(second, at: .zero) == [], "twice")
    #expect(delivery.answered(UpstreamAnswer(id: "s-7", .refused("no")), at: .zero) == [], "never asked")
    #expect(delivery.stored("s-2", true, at: .zero) == [.fetch(limit: UpstreamDelivery.limit - 1, again: false)])
    #expect(delivery.answered(second, at: .zero) == [], "after it was stored")
  }

  @Test("a command without an answer in time is sent again under the same ID") func patience() {
    var delivery = busy()
    _ = delivery.answered(UpstreamAnswer(id: "s-1", .refused("no")), at: .seconds(1))
    _ = delivery.stored("s-1", true, at: .seconds(1))
    #expect(delivery.nextDeadline == Self.patience)
    #expect(delivery.timePassed(at: Self.patience - .milliseconds(1)) == [])
    #expect(delivery.timePassed(at: Self.patience) == [.send(Self.again(2))])
    #expect(delivery.nextDeadline == Self.patience * 2)
  }

  @Test("a program that ends is restarted with growing delays, and gets all unanswered commands again")
  func restarts() {
    var delivery = busy()
    _ = delivery.answered(UpstreamAnswer(id: "s-1", .refused("no")), at: .zero)
    var now = Duration.zero
    var pauses: [Duration] = []
    for _ in 0..<12 {
      guard case .log = delivery.ended(Self.crash, at: now).first else { return #expect(Bool(false)) }
      let next = delivery.nextDeadline!
      pauses.append(next - now)
      now = next
      #expect(delivery.timePassed(at: now) == [.start])
      // The first has been answered and is being stored.
      let actions = delivery.started(at: now)
      #expect(actions.first == .send(Self.again(2)) && actions.count <= 2)
      if actions.count == 2 { _ = delivery.fetched([], at: now) }
    }
    #expect(pauses[0] == UpstreamDelivery.restartPause.first && pauses[1] == UpstreamDelivery.restartPause.first * 2)
    #expect(pauses.last == UpstreamDelivery.restartPause.longest)
    _ = delivery.answered(UpstreamAnswer(id: "s-2", .later("wait")), at: now)
    _ = delivery.ended(Self.crash, at: now)
    #expect(
      delivery.nextDeadline! - now == UpstreamDelivery.restartPause.first, "it has answered, so the delays start over")
  }

  @Test("a program that is terminated for breaking rules waits longer each time, whatever it brings before")
  func terminations() {
    var delivery = busy()
    var now = Duration.zero
    var pauses: [Duration] = []
    for round in 0..<14 {
      // In the thirteenth round it behaves for a while first.
      if round == 12 { now += UpstreamDelivery.probation }
      _ = delivery.worked()
      _ = delivery.ended(UpstreamEnd(reason: "too many of its lines are invalid", isTermination: true), at: now)
      pauses.append(delivery.nextDeadline! - now)
      now = delivery.nextDeadline!
      _ = delivery.timePassed(at: now)
      _ = delivery.started(at: now)
    }
    let (first, longest) = UpstreamDelivery.restartPause
    #expect(pauses[..<3] == [first, first * 2, first * 4] && pauses[11] == longest)
    #expect(pauses[12...] == [first, first * 2])
  }

  @Test("a command that cannot be done now is sent again with growing delays, and its answer is not stored")
  func later() {
    var delivery = busy()
    _ = delivery.answered(UpstreamAnswer(id: "s-1", .refused("no")), at: .zero)
    _ = delivery.stored("s-1", true, at: .zero)
    let later = UpstreamAnswer(id: "s-2", .later("wait"))
    #expect(delivery.answered(later, at: .zero) == [] && delivery.nextDeadline == .seconds(1))
    #expect(delivery.timePassed(at: .seconds(1)) == [.send(Self.again(2))])
    #expect(delivery.answered(later, at: .seconds(1)) == [] && delivery.nextDeadline == .seconds(3))
  }

  @Test("a command that was put off has a reason and a time, and is not sent again once it is withdrawn")
  func withdrawn() throws {
    var delivery = busy()
    #expect(delivery.postponement(of: "s-2") == nil)
    _ = delivery.answered(UpstreamAnswer(id: "s-2", .later("not now")), at: .seconds(4))
    let postponement = try #require(delivery.postponement(of: "s-2"))
    #expect(postponement == ("not now", .seconds(5)) && delivery.postponement(of: "s-1") == nil)
    #expect(delivery.timePassed(at: .seconds(5)) == [.send(Self.again(2))])
    #expect(
      delivery.withdraw(["s-2", "s-7"]) == [.fetch(limit: UpstreamDelivery.limit - 1, again: false)],
      "there is room for another command")
    #expect(delivery.postponement(of: "s-2") == nil)
    #expect(delivery.answered(UpstreamAnswer(id: "s-2", .refused("no")), at: .seconds(6)) == [])
    #expect(delivery.timePassed(at: Self.patience) == [.send(Self.again(1))])
  }

  @Test("a store that cannot write is asked again after a second, also for commands it may have handed out")
  func store() {
    var delivery = busy()
    let answer = UpstreamAnswer(id: "s-1", .refused("no"))
    _ = delivery.answered(answer, at: .zero)
    #expect(delivery.stored("s-1", false, at: .zero) == [] && delivery.nextDeadline == UpstreamDelivery.storePause)
    #expect(delivery.timePassed(at: UpstreamDelivery.storePause) == [.store(answer)])
    let now = UpstreamDelivery.storePause
    #expect(delivery.stored("s-1", true, at: now) == [.fetch(limit: UpstreamDelivery.limit - 1, again: false)])
    #expect(delivery.fetched(nil, at: now) == [])
    #expect(delivery.storeChanged() == [], "not before the pause is over")
    #expect(delivery.timePassed(at: now * 2) == [.fetch(limit: UpstreamDelivery.limit - 1, again: true)])
    #expect(
      delivery.fetched([Self.command(2), Self.command(3)], at: now * 2) == [.send(Self.command(3))],
      "it has the second already")
  }

  @Test("the program has a limited number of commands; the rest waits in the store") func limit() {
    var delivery = busy()
    let more = (3...UpstreamDelivery.limit).map(Self.command)
    _ = delivery.storeChanged()
    #expect(delivery.fetched(more, at: .zero).count == more.count)
    #expect(delivery.storeChanged() == [])
    _ = delivery.answered(UpstreamAnswer(id: "s-1", .refused("no")), at: .zero)
    #expect(delivery.stored("s-1", true, at: .zero) == [.fetch(limit: 1, again: false)])
  }
}
