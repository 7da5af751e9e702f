import Dates
import Posts
import TestSupport
import Testing

@testable import Services
@testable import Store

@Suite("What an upstream program brings is stored in order, and answered once it is synced")
struct UpstreamIntakeTests {
  private static let login = UpstreamSubject.login("fake")
  private static let again = UpstreamBatchResult.again

  private static func batch(_ number: Int, items: Int = 1) -> UpstreamBatch {
    UpstreamBatch(number: "\(number)", subject: login, items: (0..<items).map { .doubt("n\($0)") })
  }

  private static func stored(_ number: Int, revision: UInt64) -> UpstreamIntake.Action {
    .send(.batchDone("\(number)", .stored(UpstreamBatchReport(revision: revision))))
  }

  private static func sendAgain(_ numbers: Int...) -> [UpstreamIntake.Action] {
    numbers.map { .send(.batchDone("\($0)", .again)) }
  }

  private static let done = UpstreamBatchResult.stored(UpstreamBatchReport())

  /// An intake whose program has been greeted.
  private func speaking() -> UpstreamIntake {
    var intake = UpstreamIntake()
    #expect(intake.greeted(UpstreamHello()) == [.greet(UpstreamHello())])
    let notice = UpstreamNotice.login("fake", account: "ann", cursors: [:])
    #expect(
      intake.knows([notice], clock: Instant(seconds: 5), at: .zero) == [
        .send(notice), .send(.ready(now: Instant(seconds: 5), credit: 8)),
      ])
    return intake
  }

  @Test("a store that fails is asked again, and a second hello changes nothing") func greeting() {
    var intake = UpstreamIntake()
    _ = intake.greeted(UpstreamHello())
    #expect(intake.greeted(UpstreamHello(readsFeeds: true)) == [] && intake.nextDeadline == nil)
    #expect(intake.knows(nil, clock: Instant(seconds: 5), at: .seconds(2)) == [])
    #expect(intake.nextDeadline == .seconds(3) && intake.timePassed(at: .milliseconds(2999)) == [])
    #expect(intake.timePassed(at: .seconds(3)) == [.greet(UpstreamHello())])
    #expect(intake.knows([], clock: Instant(seconds: 9), at: .seconds(3)).count == 1)
    #expect(intake.nextDeadline == nil && intake.greeted(UpstreamHello()) == [])
  }

  @Test("batches before the hello are not answered, and more than 100 end the program") func early() {
    var intake = UpstreamIntake()
    for _ in 0..<50 {
      #expect(intake.received(Self.batch(1)) == [] && intake.receivedBroken("2", "no") == [])
    }
    #expect(intake.received(Self.batch(1)) == [.end("too many of its batches break rules")])
    intake = speaking()
    #expect(intake.received(Self.batch(1)) == [.store([Self.batch(1)])])
  }

  @Test("one write is under way; what arrives meanwhile shares the next") func shared() {
    var intake = speaking()
    #expect(intake.received(Self.batch(1)) == [.store([Self.batch(1)])])
    #expect(intake.received(Self.batch(2)) == [] && intake.received(Self.batch(3)) == [])
    #expect(
      intake.stored([Self.done], revision: 7) == [
        Self.stored(1, revision: 7), .store([Self.batch(2), Self.batch(3)]),
      ])
    #expect(
      intake.stored([Self.done, .refused("no")], revision: 8) == [
        Self.stored(2, revision: 8), .send(.batchDone("3", .refused("no"))),
      ])
  }

  @Test("a write has at most 1,000 items, unless one batch has more") func size() {
    var intake = speaking()
    _ = intake.received(Self.batch(1))
    for number in 2...4 { _ = intake.received(Self.batch(number, items: 500)) }
    #expect(
      intake.stored([Self.done], revision: 1).last
        == .store([Self.batch(2, items: 500), Self.batch(3, items: 500)]))
  }

  @Test("where a batch cannot be stored, it and all behind it are to come again, in order") func again() {
    var intake = speaking()
    for number in 1...3 { _ = intake.received(Self.batch(number)) }
    #expect(intake.stored(nil, revision: 0) == Self.sendAgain(1, 2, 3))
    #expect(intake.received(Self.batch(4)) == Self.sendAgain(4), "it was sent before the answers were read")
    #expect(intake.received(Self.batch(1)) == [.store([Self.batch(1)])])
    #expect(intake.received(Self.batch(2)) == [])
    #expect(intake.received(Self.batch(5)) == Self.sendAgain(5), "the third and the fourth come before")
    for number in 3...5 { #expect(intake.received(Self.batch(number)) == []) }
  }

  @Test("a program that never sends again what could not be stored is ended") func stubborn() {
    var intake = speaking()
    _ = intake.received(Self.batch(1))
    _ = intake.stored(nil, revision: 0)
    for number in 2...64 { #expect(intake.received(Self.batch(number)) == Self.sendAgain(number)) }
    #expect(intake.received(Self.batch(65)) == [.end("it does not send again what could not be stored")])
  }

  @Test("more than 8 unanswered batches are not stored, and neither is what follows them") func credit() {
    var intake = speaking()
    for number in 1...8 { _ = intake.received(Self.batch(number)) }
    #expect(intake.received(Self.batch(9)) == Self.sendAgain(9))
    _ = intake.stored([Self.done], revision: 1)
    #expect(intake.received(Self.batch(10)) == Self.sendAgain(10))
    #expect(intake.received(Self.batch(9)) == [], "it waits for its write")
  }

  @Test("a process that ends loses what the store has not begun; the next one gets no answers of its predecessor")
  func restart() {
    var intake = speaking()
    _ = intake.received(Self.batch(1))
    _ = intake.received(Self.batch(2))
    intake.ended()
    #expect(intake.greeted(UpstreamHello()) == [.greet(UpstreamHello())])
    #expect(intake.received(Self.batch(1)) == [])
    #expect(intake.stored([Self.done], revision: 4) == [.store([Self.batch(1)])])
    #expect(intake.stored([Self.done], revision: 5) == [Self.stored(1, revision: 5)])
  }

  @Test("a batch that breaks a rule costs itself, and more than 100 end the program") func mistakes() {
    var intake = speaking()
    for _ in 0..<100 {
      #expect(intake.receivedBroken("7", "no") == [.send(.batchDone("7", .refused("no")))])
    }
    #expect(intake.received(Self.batch(1)) == [.store([Self.batch(1)])])
    #expect(intake.receivedBroken("7", "no").last == .end("too many of its batches break rules"))
  }

  private static func told(_ name: String, _ url: String, _ minutes: Int = 0) -> ToldFeed {
    ToldFeed(feed: UpstreamFeed(name: name, url: url, intervalMinutes: minutes), cursors: ["a": "1"])
  }

  private static func feed(_ told: ToldFeed, hasCursors: Bool = true) -> UpstreamIntake.Action {
    .send(.feed(told.feed, cursors: hasCursors ? told.cursors : nil))
  }

  private static func page(after number: Int64) -> UpstreamIntake.Action {
    .readFeeds(.page(after: number, limit: FeedTelling.sliceFeeds), knowing: [:])
  }

  /// An intake whose program reads feeds, has been told of these, and has taken that.
  private func reading(_ feeds: [ToldFeed]) -> UpstreamIntake {
    var intake = UpstreamIntake()
    _ = intake.greeted(UpstreamHello(readsFeeds: true))
    #expect(intake.knows([], clock: Instant(seconds: 0), at: .zero) == [Self.page(after: 0)])
    let actions = intake.feedsRead(feeds, clock: Instant(seconds: 5), at: .zero)
    #expect(
      actions == feeds.map { Self.feed($0) }
        + [.send(.ready(now: Instant(seconds: 5), credit: UpstreamIntake.credit)), .awaitTaking])
    #expect(intake.taken() == [])
    return intake
  }

  @Test("feeds are told as they come, change and go; cursors only where the program has none") func feeds() {
    let (f1, f2, f3) = (Self.told("f1", "x"), Self.told("f2", "y"), Self.told("f3", "z"))
    var intake = reading([f1, f2])
    #expect(
      intake.feedsChanged(FeedChanges(changed: [1, 2, 3])) == [
        .readFeeds(.numbers([1, 2, 3]), knowing: ["f1": f1.feed, "f2": f2.feed])
      ])
    let slow = Self.told("f1", "x", 15)
    #expect(
      intake.feedsRead([slow, f3], clock: Instant(seconds: 9), at: .zero) == [
        Self.feed(slow, hasCursors: false), Self.feed(f3), .send(.gone(feed: "f2")), .awaitTaking,
      ])
    #expect(intake.feedsChanged(FeedChanges(changed: [1])) == [], "the program has not taken the last slice")
    #expect(intake.taken() == [.readFeeds(.numbers([1]), knowing: ["f1": slow.feed])])
    let moved = Self.told("f1", "w", 15)
    #expect(
      intake.feedsRead([moved], clock: Instant(seconds: 9), at: .zero) == [Self.feed(moved), .awaitTaking])
    intake.received(UpstreamStatus(subject: .feed("f2"), state: .live))
    #expect(intake.status(of: .feed("f2")) == nil)
  }

  @Test("all feeds are told in slices, each when the program has taken the one before") func slices() {
    let all = (1...130).map { Self.told("f\($0)", "\($0)") }
    var intake = UpstreamIntake()
    _ = intake.greeted(UpstreamHello(readsFeeds: true))
    #expect(intake.feedsChanged(FeedChanges(changed: [7])) == [], "the greeting tells")
    _ = intake.knows([], clock: Instant(seconds: 0), at: .zero)
    #expect(intake.feedsChanged(FeedChanges(changed: [7])) == [])
    var told = 0
    for (from, to) in [(0, 64), (64, 128)] {
      let actions = intake.feedsRead(Array(all[from..<to]), clock: Instant(seconds: 0), at: .zero)
      told += actions.count - 1
      #expect(actions.last == .awaitTaking && intake.taken() == [Self.page(after: Int64(to))])
    }
    let last = intake.feedsRead(Array(all[128...]), clock: Instant(seconds: 0), at: .zero)
    #expect(told == 128 && last.count == 4 && last[2] == .send(.ready(now: Instant(seconds: 0), credit: 8)))
    #expect(intake.taken() == [.readFeeds(.numbers([7]), knowing: ["f7": all[6].feed])], "it changed meanwhile")
    #expect(intake.feedsRead([all[6]], clock: Instant(seconds: 0), at: .zero) == [.awaitTaking])
    #expect(intake.taken() == [])
  }

  @Test("feeds that the store fails to read are read again, also if they change meanwhile") func unread() {
    var intake = reading([Self.told("f1", "x")])
    _ = intake.feedsChanged(FeedChanges(changed: [1]))
    #expect(intake.feedsRead(nil, clock: Instant(seconds: 0), at: .seconds(2)) == [])
    #expect(intake.feedsChanged(FeedChanges(changed: [2])) == [] && intake.nextDeadline == .seconds(3))
    #expect(intake.timePassed(at: .seconds(2)) == [])
    #expect(
      intake.timePassed(at: .seconds(3)) == [
        .readFeeds(.numbers([1, 2]), knowing: ["f1": Self.told("f1", "x").feed])
      ])
  }

  @Test("a feed whose cursors were forgotten is told again without them") func restarted() {
    var intake = reading([Self.told("f1", "x")])
    #expect(intake.feedsChanged(FeedChanges(restarted: [1])) == [.readFeeds(.numbers([1]), knowing: [:])])
    let anew = ToldFeed(feed: Self.told("f1", "x").feed, cursors: [:])
    #expect(intake.feedsRead([anew], clock: Instant(seconds: 0), at: .zero) == [Self.feed(anew), .awaitTaking])
    _ = intake.taken()
    _ = intake.feedsChanged(FeedChanges(changed: [1]))
    #expect(intake.feedsRead([anew], clock: Instant(seconds: 0), at: .zero) == [.awaitTaking], "once")
  }

  @Test("a feed is asked for at most once a minute; 16 such requests are open, and the others wait for them")
  func refresh() {
    let names = (1...20).map { "f\($0)" }
    var intake = UpstreamIntake()
    #expect(intake.refresh(["f1"], at: .zero) == nil)
    intake = reading(names.map { Self.told($0, $0) })
    func want(_ number: Int, _ feed: Int) -> UpstreamIntake.Action {
      .send(.want(id: "w\(number)", .refresh(feed: "f\(feed)")))
    }
    #expect(intake.refresh(["f1", "f99"], at: .zero) == [want(1, 1)])
    #expect(intake.refresh(["f1"], at: .seconds(59)) == [])
    #expect(intake.refresh(names, at: .seconds(60)) == (1...15).map { want($0 + 1, $0) })
    #expect(intake.refresh(names, at: .seconds(120)) == [], "they wait, once each")
    #expect(
      intake.answered("w1", at: .seconds(120))?.actions == [want(17, 16)]
        && intake.answered("w1", at: .seconds(120)) == nil)
    _ = intake.feedsChanged(FeedChanges(changed: [17]))
    _ = intake.feedsRead([], clock: Instant(seconds: 0), at: .zero)
    #expect(
      intake.answered("w2", at: .seconds(120))?.actions == [want(18, 18)], "nobody follows the seventeenth any more")
    #expect(
      intake.answered("w3", at: .seconds(120))?.actions == [want(19, 19)]
        && intake.answered("w4", at: .seconds(120))?.actions == [want(20, 20)])
  }

  @Test("a person who signs in while the program starts is asked for when it has been told everything") func signingIn()
  {
    var intake = UpstreamIntake()
    #expect(intake.mayTakeSignIns)
    let want = UpstreamWant.signIn(server: "a.example", account: "ann", redirectPort: 0, isReadOnly: false)
    let (number, actions) = intake.ask(want, of: AccountID(1), at: .zero) ?? (0, [])
    #expect(number == 1 && actions.isEmpty)
    _ = intake.greeted(UpstreamHello(signsIn: true))
    let told = intake.knows([], clock: Instant(seconds: 5), at: .zero)
    #expect(told == [.send(.ready(now: Instant(seconds: 5), credit: 8)), .send(.want(id: "w1", want))])
    #expect(intake.answered("w1", at: .zero)?.number == 1 && intake.mayTakeSignIns)
    let notice = UpstreamNotice.login("ann@a.example", account: "ann", cursors: [:])
    let status = UpstreamStatus(subject: .login("ann@a.example"), state: .live)
    #expect(intake.tell([notice]) == [.send(notice)] && intake.received(status))
    #expect(intake.tell([.signedOut(login: "ann@a.example")]) == [.send(.signedOut(login: "ann@a.example"))])
    #expect(intake.status(of: .login("ann@a.example")) == nil)
    #expect(!speaking().mayTakeSignIns)
  }

  @Test("a program that never says hello is not waited for when a person signs in") func silence() {
    var intake = UpstreamIntake()
    let want = UpstreamWant.signIn(server: "a.example", account: "ann", redirectPort: 0, isReadOnly: false)
    #expect(intake.ask(want, of: AccountID(1), at: .seconds(5))?.number == 1)
    #expect(intake.nextDeadline == .seconds(35) && intake.timePassed(at: .seconds(34)).isEmpty)
    #expect(intake.timePassed(at: .seconds(35)) == [.giveUp(1)] && intake.nextDeadline == nil)
  }

  @Test("what the program says about its logins is known while it runs") func statuses() {
    var intake = speaking()
    #expect(intake.status(of: Self.login) == nil)
    let status = UpstreamStatus(subject: Self.login, state: .waiting, reason: "down")
    intake.received(status)
    intake.received(UpstreamStatus(subject: .login("other"), state: .live))
    #expect(intake.status(of: Self.login) == status && intake.status(of: .login("other")) == nil)
    intake.ended()
    #expect(intake.status(of: Self.login) == nil)
  }

  @Test("whatever fails, no batch is lost and no cursor is ahead of its posts", arguments: seeds(1...200))
  func order(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var intake = speaking()
    // The program's side: what it has not been told is stored, in order, and what is on its way to the daemon.
    var unanswered: [Int] = []
    var resend: [Int] = []
    var wire: [Int] = []
    var next = 1
    var inStore: [UpstreamBatch]?
    var kept: [Int] = []
    func perform(_ actions: [UpstreamIntake.Action]) {
      for action in actions {
        switch action {
        case .store(let batches): inStore = batches
        case .send(.batchDone(let number, let result)):
          unanswered.removeAll { "\($0)" == number }
          if result == .again { resend = (resend + [Int(number) ?? 0]).sorted() }
        default: break
        }
      }
    }
    for _ in 0..<400 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where unanswered.count < UpstreamIntake.credit:
        let number = resend.isEmpty ? next : resend.removeFirst()
        if number == next { next += 1 }
        unanswered.append(number)
        wire.append(number)
      case 1 where !wire.isEmpty: perform(intake.received(Self.batch(wire.removeFirst())))
      case 2:
        guard let batches = inStore else { continue }
        inStore = nil
        if Int.random(in: 0..<4, using: &random) == 0 {
          perform(intake.stored(nil, revision: 0))
        } else {
          kept += batches.compactMap { Int($0.number) }
          perform(intake.stored(batches.map { _ in Self.done }, revision: 1))
        }
      default: break
      }
    }
    #expect(kept == Array(1..<(kept.count + 1)), "each once, in order")
  }
}
