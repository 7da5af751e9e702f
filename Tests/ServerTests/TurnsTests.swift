import Engine
import Posts
import RPC
import TestSupport
import Testing

@testable import Services

/// A connection of an account.
private final class Line {
  let account: Int64

  init(_ account: Int64) { self.account = account }

  var origin: Origin { Origin(account: AccountID(account), connection: ObjectIdentifier(self)) }
}

/// A queue of names.
private final class NamedTurns {
  let turns: Turns<String>
  private var number: UInt64 = 0

  init(window: Int? = nil, limitBytes: Int = .max) { turns = Turns(window: window, limitBytes: limitBytes) }

  @discardableResult
  func add(_ name: String, _ line: Line, bytes: Int = 0) -> Bool {
    number += 1
    return turns.append(name, number: number, bytes: bytes, of: line.origin)
  }

  func remove(_ name: String, _ line: Line) { turns.withdraw(from: line.origin) { $0.work == name } }

  /// Returns everything that is handed out.
  func drain() -> [String] {
    var names: [String] = []
    while turns.nextNumber != nil, let next = turns.next() { names.append(next.work) }
    return names
  }
}

@Suite("Work of clients is handed out in turns")
struct TurnsTests {
  @Test("between accounts, then between the connections of an account, then in order") func order() {
    let queue = NamedTurns()
    let (first, second, other) = (Line(1), Line(1), Line(2))
    for number in 1...4 { queue.add("a\(number)", first) }
    for number in 1...2 { queue.add("b\(number)", second) }
    for number in 1...2 { queue.add("x\(number)", other) }
    #expect(queue.drain() == ["a1", "x1", "b1", "x2", "a2", "b2", "a3", "a4"])
  }

  @Test("with 128 pieces of one account waiting, the only one of another comes second") func second() {
    let queue = NamedTurns()
    let (busy, late) = (Line(1), Line(2))
    for number in 0..<128 { queue.add("\(number)", busy) }
    queue.add("late", late)
    let names = queue.drain()
    #expect(names.firstIndex(of: "late") == 1 && names.count == 129)
    #expect(names.filter { $0 != "late" } == (0..<128).map { "\($0)" })
  }

  @Test("what is withdrawn is never handed out, and costs no turn") func withdrawal() {
    let queue = NamedTurns()
    let (first, second, other) = (Line(1), Line(1), Line(2))
    for number in 1...3 { queue.add("a\(number)", first) }
    queue.add("b1", second)
    queue.add("x1", other)
    queue.add("x2", other)
    queue.remove("b1", second)
    for number in 1...2 { queue.remove("a\(number)", first) }
    #expect(queue.drain() == ["a3", "x1", "x2"])
    queue.add("a4", first)
    queue.remove("a4", first)
    #expect(queue.turns.nextNumber == nil)
    queue.add("b2", second)
    queue.add("a5", first)
    #expect(queue.drain() == ["b2", "a5"])
  }

  @Test("an account with as much unfinished as it may have waits, and holds up no other") func window() {
    let queue = NamedTurns(window: 2)
    let (busy, other) = (Line(1), Line(2))
    for number in 1...5 { queue.add("a\(number)", busy) }
    queue.add("x1", other)
    #expect(queue.drain() == ["a1", "x1", "a2"])
    queue.add("x2", other)
    #expect(queue.drain() == ["x2"])
    queue.turns.finish(AccountID(1))
    #expect(queue.drain() == ["a3"])
    // Withdrawing what waits finishes nothing.
    queue.remove("a4", busy)
    #expect(queue.drain() == [])
    queue.turns.finish(AccountID(1))
    queue.turns.finish(AccountID(1))
    #expect(queue.drain() == ["a5"])
  }

  @Test("an account's waiting bytes are limited, and free again once handed out or withdrawn") func bytes() {
    let queue = NamedTurns(limitBytes: 100)
    let (first, second, other) = (Line(1), Line(1), Line(2))
    #expect(queue.add("a1", first, bytes: 60) && queue.add("b1", second, bytes: 40))
    #expect(!queue.add("a2", first, bytes: 1) && queue.add("update", first, bytes: 0))
    #expect(queue.add("x1", other, bytes: 100) && !queue.add("x2", other, bytes: 1))
    queue.remove("b1", second)
    #expect(queue.add("b2", second, bytes: 40))
    #expect(queue.drain() == ["a1", "x1", "b2", "update"])
    #expect(queue.add("a3", first, bytes: 100))
  }

  @Test("a lane is the same one as long as somebody uses it") func lanes() {
    let queue = NamedTurns()
    let line = Line(1)
    let lane = queue.turns.join(line.origin)
    queue.turns.append("kept", number: 100, to: lane)
    queue.add("looked up", line)
    #expect(queue.turns.join(line.origin) === lane)
    #expect(queue.drain() == ["kept", "looked up"])
    queue.turns.leave(lane)
    queue.turns.leave(lane)
    #expect(queue.turns.join(line.origin) !== lane)
  }
}

@Suite("The engine's queue")
struct InputQueueTests {
  /// An item of the queue, by its source and its place there.
  private struct Item: Hashable {
    var source: Int
    var number: Int
  }

  private final class Bench {
    let queue = InputQueue()
    let lines = (0..<6).map { Line(Int64($0 / 2)) }
    var begun: Item?
    /// The items of each source, 0 for the daemon's own, 1 to 6 for commands, 7 to 12 for reads.
    var added = [Int](repeating: 0, count: 13)
    var order: [Item] = []
    /// Number of the daemon's own items when an item was added.
    var ownBefore: [Item: Int] = [:]

    func add(_ source: Int) {
      let item = Item(source: source, number: added[source])
      ownBefore[item] = added[0]
      added[source] += 1
      switch source {
      case 0: queue.append(.loaded(LoadID(UInt64(item.number)), .sessions([])))
      case 1...6:
        let key = SessionKey(account: AccountID(1), name: "\(source)")
        let command = Input.stackCommand(
          RequestToken(UInt64(item.number)), key, StackCommand(action: .pop, requestID: "", ifRevision: 0))
        _ = queue.append(command, bytes: 0, of: lines[source - 1].origin)
      default:
        _ = queue.append(read: .read { [unowned self] in begun = item }, bytes: 0, of: lines[source - 7].origin)
      }
    }

    /// Takes a step. Returns false if there is none.
    func take() -> Bool {
      let hasNext = queue.hasNext
      let next = queue.next()
      #expect((next != nil) == hasNext)
      switch next {
      case .input(.loaded(let id, _)): order.append(Item(source: 0, number: Int(id.rawValue)))
      case .input(.stackCommand(let token, let key, _)):
        order.append(Item(source: Int(key.name) ?? -1, number: Int(token.rawValue)))
      case .read(let begin):
        begin()
        if let begun {
          order.append(begun)
          queue.finishRead(of: lines[begun.source - 7].origin.account)
        }
      default: return false
      }
      return true
    }
  }

  @Test(
    "keeps the order of each source, and lets nothing of a client's overtake the daemon's own",
    arguments: 0..<UInt64(20))
  func order(seed: UInt64) {
    let bench = Bench()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      if Int.random(in: 0..<3, using: &random) > 0 {
        bench.add(Int.random(in: 0..<3, using: &random) == 0 ? 0 : Int.random(in: 1...12, using: &random))
      } else {
        _ = bench.take()
      }
    }
    while bench.take() {}
    #expect(!bench.queue.hasNext)
    var taken = [Int](repeating: 0, count: 13)
    for item in bench.order {
      #expect(item.number == taken[item.source])
      #expect(taken[0] >= bench.ownBefore[item] ?? .max)
      taken[item.source] += 1
    }
    #expect(taken == bench.added)
  }

  @Test("neither the daemon's own inputs nor commands nor reads wait for more than one of each other kind") func kinds()
  {
    let bench = Bench()
    for source in [7, 1] { for _ in 0..<50 { bench.add(source) } }
    for _ in 0..<50 { bench.add(0) }
    while bench.take() {}
    let kinds = bench.order.prefix(6).map { $0.source }
    #expect(Set(kinds.prefix(3)) == [0, 1, 7] && Set(kinds.suffix(3)) == [0, 1, 7])
  }
}

@Suite("Allowances for failed streams")
struct ResetAllowancesTests {
  @Test("are an account's, and grow again") func accounts() {
    var allowances = ResetAllowances()
    func count(_ owner: CallOwner, at now: Duration) -> Int {
      var count = 0
      while count < 5000, allowances.spend(of: owner, at: now) { count += 1 }
      return count
    }
    #expect(count(.account(1), at: .zero) == 1000 && count(.account(1), at: .zero) == 0)
    #expect(count(.account(2), at: .zero) == 1000 && count(.user(1), at: .zero) == 1000)
    #expect(count(.unauthenticated, at: .zero) == 1000)
    #expect(count(.account(1), at: .seconds(2)) == 200)
    #expect(count(.account(1), at: .seconds(60)) == 1000)
  }
}

@Suite("Views that are woken in turns")
struct ReadyViewsTests {
  @Test("a batch has views of one connection, and the next one is another account's")
  func turns() {
    let lines = [Line(1), Line(1), Line(2)]
    var ready = ReadyViews<String>()
    for number in 0..<100 { for index in 0..<2 { ready.append("\(index).\(number)", of: lines[index].origin) } }
    for number in 0..<10 { ready.append("2.\(number)", of: lines[2].origin) }
    var batches: [[String]] = []
    while !ready.isEmpty { batches.append(ready.next()) }
    #expect(batches.flatMap { $0 }.count == 210 && Set(batches.flatMap { $0 }).count == 210)
    #expect(batches[0] == (0..<64).map { "0.\($0)" })
    // The other account has its turn, and the rest of the batch is for the first account's other connection.
    #expect(batches[1].prefix(10) == (0..<10).map { "2.\($0)" }[...] && batches[1].dropFirst(10).first == "1.0")
    #expect(ready.next().isEmpty)
  }

  @Test("batches are as large as a slice of time allows: from 1 to 64")
  func batches() {
    let line = Line(1)
    var ready = ReadyViews<Int>()
    for number in 0..<1000 { ready.append(number, of: line.origin) }
    for (duration, expected) in [(500, 8), (100, 40), (10, 64), (5000, 1), (0, 64)] {
      ready.took(.microseconds(4 * duration), for: 4, of: .milliseconds(4))
      #expect(ready.next().count == expected, "\(duration) us a view")
      #expect(ready.atOnce == min(expected, 8))
    }
  }
}
