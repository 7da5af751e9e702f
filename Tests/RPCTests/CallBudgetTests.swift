import Testing

@testable import RPC

/// A call that waits, and notes when it may go on.
private final class Waiter: BudgetWaiter {
  let account: CallBudget.Account
  private let onRoom: () -> Void

  init(_ account: CallBudget.Account, _ onRoom: @escaping () -> Void) {
    self.account = account
    self.onRoom = onRoom
  }

  func roomFound() { onRoom() }
}

@Suite("The budget of bytes that wait for clients")
struct CallBudgetTests {
  private static var limits: CallBudget.Limits {
    var limits = CallBudget.Limits()
    limits.connectionBytes = 100
    limits.accountBytes = 200
    limits.totalBytes = 300
    limits.connectionShareBytes = 10
    limits.accountShareBytes = 20
    limits.requestBytes = 50
    return limits
  }

  private let budget = CallBudget(limits: limits)
  private var ann: CallBudget.Account { budget.account(of: .account(1)) }
  private var bob: CallBudget.Account { budget.account(of: .account(2)) }

  @Test("is by default 2 MiB for a connection, 8 MiB for an account, 32 MiB in all")
  func defaults() {
    let limits = CallBudget.Limits()
    #expect((limits.connectionBytes, limits.accountBytes, limits.totalBytes) == (2 << 20, 8 << 20, 32 << 20))
    #expect((limits.connectionShareBytes, limits.accountShareBytes) == (65536, 1 << 20))
    #expect(limits.patience == .seconds(10) && limits.requestBytes == 8 << 20)
    let held = (limits.heldConnectionBytes, limits.heldAccountBytes, limits.heldTotalBytes)
    #expect(held == (8 << 20, 16 << 20, 32 << 20))
  }

  @Test("requests have limits of their own, and those of an account that holds little are always accepted")
  func held() {
    var limits = Self.limits
    (limits.heldConnectionBytes, limits.heldAccountBytes, limits.heldTotalBytes) = (100, 150, 200)
    let budget = CallBudget(limits: limits)
    let shares = (0..<6).map { _ in ConnectionShare(of: budget) }
    let (ann, bob) = (budget.account(of: .account(1)), budget.account(of: .account(2)))
    let eve = budget.account(of: .user(3))
    #expect(shares[0].hold(100, for: ann) && !shares[0].hold(1, for: ann))
    #expect(shares[0].hold(-1, for: ann))
    #expect(shares[1].hold(50, for: ann) && !shares[1].hold(1, for: ann))
    // A connection that holds little is never in the way of its account.
    #expect(shares[2].hold(10, for: ann))
    #expect(shares[3].hold(39, for: bob) && !shares[3].hold(1, for: bob))
    #expect(shares[4].hold(20, for: eve) && !shares[4].hold(1, for: eve))
    #expect(budget.heldBytes == 100 + 51 + 10 + 40 + 21 && budget.totalBytes == 0)
    _ = shares[0].hold(-100, for: ann)
    #expect(shares[4].hold(1, for: eve) && budget.heldBytes == 123)
  }

  @Test("counts each byte for its connection, its account and all")
  func counts() {
    let (one, other) = (ConnectionShare(of: budget), ConnectionShare(of: budget))
    one.add(30, unread: 0, to: ann)
    one.add(5, unread: 5, to: bob)
    other.add(40, unread: 40, to: ann)
    other.setUnsent(7)
    #expect((one.bytes, other.bytes, ann.bytes, bob.bytes, budget.totalBytes) == (35, 47, 70, 5, 82))
    other.setUnsent(0)
    one.add(-30, unread: 0, to: ann)
    one.add(-5, unread: -5, to: bob)
    other.add(-40, unread: -40, to: ann)
    #expect((one.bytes, other.bytes, ann.bytes, bob.bytes, budget.totalBytes) == (0, 0, 0, 0, 0))
  }

  @Test("is spent by a connection, an account or all together, but what holds little waits for no other")
  func obstacles() {
    let shares = (0..<5).map { _ in ConnectionShare(of: budget) }
    shares[0].add(99, unread: 0, to: ann)
    #expect(budget.obstacle(to: shares[0], ann) == nil)
    shares[0].add(1, unread: 0, to: ann)
    #expect(budget.obstacle(to: shares[0], ann) == .connection)
    #expect(budget.obstacle(to: shares[1], ann) == nil)
    shares[1].add(100, unread: 0, to: ann)
    #expect(budget.obstacle(to: shares[2], ann) == nil, "a connection that holds little")
    shares[2].add(10, unread: 0, to: ann)
    #expect(budget.obstacle(to: shares[2], ann) == .account)
    #expect(budget.obstacle(to: shares[2], bob) == nil)
    shares[3].add(90, unread: 0, to: bob)
    #expect(budget.totalBytes == 300)
    #expect(budget.obstacle(to: shares[3], bob) == .total)
    #expect(budget.obstacle(to: shares[4], ann) == .total, "the account holds much")
    #expect(budget.obstacle(to: shares[4], budget.account(of: .account(3))) == nil, "an account that holds little")
  }

  @Test("lets calls go on when there is room again: connections in turn, the calls of each in order")
  func turns() {
    let holder = ConnectionShare(of: budget)
    holder.add(300, unread: 300, to: ann)
    let shares = (0..<3).map { _ in ConnectionShare(of: budget) }
    for share in shares { share.add(10, unread: 0, to: bob) }
    var order: [String] = []
    for (name, share) in zip(["a", "b", "c"], shares) {
      for number in 1...3 {
        share.enqueue(
          Waiter(bob) {
            order.append("\(name)\(number)")
            share.add(10, unread: 10, to: bob)
          })
      }
    }
    budget.admit()
    #expect(order == [])
    for expected in [["a1"], ["a1", "b1"], ["a1", "b1", "c1"], ["a1", "b1", "c1", "a2"]] {
      // 330 bytes are held at first.
      holder.add(expected.count == 1 ? -31 : -10, unread: -10, to: ann)
      budget.admit()
      #expect(order == expected)
    }
    holder.add(-holder.bytes, unread: 0, to: ann)
    budget.admit()
    #expect(order.count == 9 && !budget.hasWaiting)
    #expect(order.filter { $0.hasPrefix("b") } == ["b1", "b2", "b3"])
  }

  @Test("keeps the requests of waiting calls up to a limit")
  func requests() {
    #expect(budget.keepRequest(30) && budget.keepRequest(20) && !budget.keepRequest(1))
    budget.releaseRequest(30)
    #expect(budget.keepRequest(30) && budget.requestBytes == 50)
  }

  @Test("reports when most of what was held is released, and not for little")
  func release() {
    let share = ConnectionShare(of: budget)
    var reports = 0
    budget.onRelease = { reports += 1 }
    share.add(99, unread: 99, to: ann)
    share.add(-99, unread: -99, to: ann)
    #expect(reports == 0)
    share.add(120, unread: 120, to: ann)
    share.add(-60, unread: -60, to: ann)
    #expect(reports == 0)
    share.add(-40, unread: -40, to: ann)
    share.add(-20, unread: -20, to: ann)
    #expect(reports == 1)
  }
}

@Suite("Clients that read nothing of what others need room for")
struct ExcessiveClientTests {
  private let budget: CallBudget
  private let ann: CallBudget.Account
  private let large: ConnectionShare
  private let small: ConnectionShare
  private let waiting: ConnectionShare

  init() {
    var limits = CallBudget.Limits()
    limits.connectionBytes = 100
    limits.accountBytes = 100
    limits.connectionShareBytes = 0
    limits.accountShareBytes = 0
    budget = CallBudget(limits: limits)
    ann = budget.account(of: .account(1))
    (large, small, waiting) = (ConnectionShare(of: budget), ConnectionShare(of: budget), ConnectionShare(of: budget))
    large.add(60, unread: 60, to: ann)
    small.add(50, unread: 50, to: ann)
  }

  private func leaves(_ share: ConnectionShare, at seconds: Int, hasTaken: Bool = false) -> Bool {
    share.mustLeave(at: .seconds(seconds), hasTaken: hasTaken)
  }

  @Test("stay while nobody waits")
  func idle() {
    #expect(large.nextCheck(at: .zero) == nil && !leaves(large, at: 1) && !leaves(large, at: 1000))
  }

  @Test("leave after 10 s, the one that holds most first")
  func largest() {
    var wanted = 0
    large.onWanted = { wanted += 1 }
    waiting.enqueue(Waiter(ann) {})
    #expect(wanted == 1 && large.nextCheck(at: .seconds(1)) == .seconds(11))
    for share in [large, small] { #expect(!leaves(share, at: 11)) }
    #expect(large.nextCheck(at: .seconds(11)) == .seconds(21))
    #expect(!leaves(small, at: 21) && leaves(large, at: 21))
    #expect(small.nextCheck(at: .seconds(21)) == .seconds(31), "it is asked again later, not at once")
    large.add(-60, unread: -60, to: ann)
    #expect(!leaves(small, at: 31), "there is room: the call goes on")
  }

  @Test("stay as long as they read anything")
  func slow() {
    waiting.enqueue(Waiter(ann) {})
    #expect(!leaves(large, at: 1))
    for seconds in stride(from: 11, through: 101, by: 10) { #expect(!leaves(large, at: seconds, hasTaken: true)) }
    #expect(!leaves(large, at: 110) && leaves(large, at: 111))
  }

  @Test("stay while only calls of another account wait for that")
  func others() {
    let bob = budget.account(of: .account(2))
    let holder = ConnectionShare(of: budget)
    holder.add(100, unread: 0, to: bob)
    ConnectionShare(of: budget).enqueue(Waiter(bob) {})
    #expect(budget.hasWaiting && !leaves(large, at: 1) && !leaves(large, at: 11) && !leaves(large, at: 21))
  }
}
