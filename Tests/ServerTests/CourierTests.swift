import Posts
import Testing

@testable import Services

@Suite("What tells a source what is wanted of it")
struct CourierTests {
  private static let patience = Duration.seconds(30)

  private static func command(_ number: Int) -> UpstreamCommand {
    UpstreamCommand(id: "s-\(number)", account: "ann", action: .favourite, post: "n\(number)")
  }

  /// One that runs and has been handed out two commands.
  private func busy() -> Courier {
    var courier = Courier(patience: Self.patience)
    #expect(
      courier.begin() == [.start] && courier.storeChanged() == [],
      "nothing is handed out for a program that does not run")
    #expect(courier.started(at: .zero) == [.take(limit: Courier.limit, again: true)])
    #expect(
      courier.taken([Self.command(1), Self.command(2)], at: .zero) == [.send(Self.command(1)), .send(Self.command(2))])
    return courier
  }

  @Test("answers may come in any order; each is stored once, and what is stored makes room") func answers() {
    var courier = busy()
    let second = UpstreamAnswer(id: "s-2", .done(nativeID: "", permalink: ""))
    #expect(courier.answered(second, at: .zero) == [.store(second)])
    #expect(courier.answered(second, at: .zero) == [], "twice")
    #expect(courier.answered(UpstreamAnswer(id: "s-7", .refused("no")), at: .zero) == [], "never asked")
    #expect(courier.stored("s-2", true, at: .zero) == [.take(limit: Courier.limit - 1, again: false)])
    #expect(courier.answered(second, at: .zero) == [], "after it was stored")
  }

  @Test("what is not answered in time is told again under the same name; nothing is due before") func patience() {
    var courier = busy()
    _ = courier.answered(UpstreamAnswer(id: "s-1", .refused("no")), at: .seconds(1))
    _ = courier.stored("s-1", true, at: .seconds(1))
    #expect(courier.nextDeadline == Self.patience)
    #expect(courier.timePassed(at: Self.patience - .milliseconds(1)) == [])
    #expect(courier.timePassed(at: Self.patience) == [.send(Self.command(2))])
    #expect(courier.nextDeadline == Self.patience * 2)
  }

  @Test("a program that ends is started again, later each time, and is told all that it has not answered")
  func restarts() {
    var courier = busy()
    _ = courier.answered(UpstreamAnswer(id: "s-1", .refused("no")), at: .zero)
    var now = Duration.zero
    var pauses: [Duration] = []
    for _ in 0..<12 {
      guard case .log = courier.ended("it ended with 3", at: now).first else { return #expect(Bool(false)) }
      let next = courier.nextDeadline!
      pauses.append(next - now)
      now = next
      #expect(courier.timePassed(at: now) == [.start])
      // The first has been answered: it is with the store.
      let told = courier.started(at: now)
      #expect(told.first == .send(Self.command(2)) && told.count <= 2)
      if told.count == 2 { _ = courier.taken([], at: now) }
    }
    #expect(pauses[0] == Courier.restartPause.first && pauses[1] == Courier.restartPause.first * 2)
    #expect(pauses.last == Courier.restartPause.longest)
    _ = courier.answered(UpstreamAnswer(id: "s-2", .later("wait")), at: now)
    _ = courier.ended("it ended with 3", at: now)
    #expect(courier.nextDeadline! - now == Courier.restartPause.first, "it has answered: it begins anew")
  }

  @Test("what cannot be done now is asked again later, and later each time; nothing of it is stored") func later() {
    var courier = busy()
    _ = courier.answered(UpstreamAnswer(id: "s-1", .refused("no")), at: .zero)
    _ = courier.stored("s-1", true, at: .zero)
    let later = UpstreamAnswer(id: "s-2", .later("wait"))
    #expect(courier.answered(later, at: .zero) == [] && courier.nextDeadline == .seconds(1))
    #expect(courier.timePassed(at: .seconds(1)) == [.send(Self.command(2))])
    #expect(courier.answered(later, at: .seconds(1)) == [] && courier.nextDeadline == .seconds(3))
  }

  @Test("a store that cannot write now is asked again in a second, for all that it may have handed out") func store() {
    var courier = busy()
    let answer = UpstreamAnswer(id: "s-1", .refused("no"))
    _ = courier.answered(answer, at: .zero)
    #expect(courier.stored("s-1", false, at: .zero) == [] && courier.nextDeadline == Courier.storePause)
    #expect(courier.timePassed(at: Courier.storePause) == [.store(answer)])
    let now = Courier.storePause
    #expect(courier.stored("s-1", true, at: now) == [.take(limit: Courier.limit - 1, again: false)])
    #expect(courier.taken(nil, at: now) == [])
    #expect(courier.storeChanged() == [], "not before the pause is over")
    #expect(courier.timePassed(at: now * 2) == [.take(limit: Courier.limit - 1, again: true)])
    #expect(
      courier.taken([Self.command(2), Self.command(3)], at: now * 2) == [.send(Self.command(3))], "the second it has")
  }

  @Test("the program has no more at a time than it may; the rest waits in the store") func limit() {
    var courier = busy()
    let more = (3...Courier.limit).map(Self.command)
    _ = courier.storeChanged()
    #expect(courier.taken(more, at: .zero).count == more.count)
    #expect(courier.storeChanged() == [])
    _ = courier.answered(UpstreamAnswer(id: "s-1", .refused("no")), at: .zero)
    #expect(courier.stored("s-1", true, at: .zero) == [.take(limit: 1, again: false)])
  }
}
