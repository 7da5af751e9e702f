import Testing

@testable import Server

@Suite("Places for connections")
struct ConnectionCountsTests {
  private typealias Holder = ConnectionHolder

  /// 64 places: 16 for a user, 8 kept for the owner, 48 over TCP.
  private static func counts() -> ConnectionCounts {
    ConnectionCounts(places: ConnectionPlaces(all: 64, hasUnixSocket: true), owner: 7)
  }

  private let owner = Holder.user(7)

  /// Opens connections of a holder until one gets no place. Returns their number.
  private func fill(_ counts: inout ConnectionCounts, _ holder: Holder) -> Int {
    let before = counts.count(of: holder)
    while counts.obstacle(to: holder) == nil { counts.add(holder, overTCP: holder == .unauthenticated) }
    return counts.count(of: holder) - before
  }

  @Test(
    "a quarter is the share of a user, and an eighth, at most 8, is kept for the owner",
    arguments: [
      (1, 1, 0), (2, 1, 0), (8, 2, 1), (64, 16, 8), (1024, 256, 8),
    ])
  func table(all: Int, ofHolder: Int, kept: Int) {
    let places = ConnectionPlaces(all: all, hasUnixSocket: true)
    #expect((places.ofHolder, places.keptForOwner) == (ofHolder, kept))
  }

  @Test("one user gets a quarter of them, and keeps nobody out")
  func share() {
    var counts = Self.counts()
    let first = fill(&counts, .user(1))
    #expect(first == 16 && counts.obstacle(to: .user(1)) == .tooManyOfHolder)
    #expect(counts.evictable(for: .user(1), because: .tooManyOfHolder) == [.user(1)])
    let second = fill(&counts, .user(2))
    #expect(second == 16 && counts.obstacle(to: owner) == nil)
  }

  @Test("users together leave places for the owner and root")
  func kept() {
    var counts = Self.counts()
    let ofUsers = (1..<5).map { fill(&counts, .user($0)) }
    #expect(ofUsers == [16, 16, 16, 8] && counts.obstacle(to: .user(5)) == .full)
    counts.add(.user(0), overTCP: false)
    let ofOwner = fill(&counts, owner)
    #expect(ofOwner == 7 && counts.obstacle(to: owner) == .full)
  }

  @Test("the owner may have all of them")
  func alone() {
    var counts = Self.counts()
    let all = fill(&counts, owner)
    #expect(all == 64)
  }

  @Test("when all are taken, clients without a token give way first, then whoever has most")
  func giveWay() {
    var counts = Self.counts()
    _ = fill(&counts, .unauthenticated)
    for user in 1..<3 { _ = fill(&counts, .user(UInt32(user))) }
    for _ in 0..<8 { counts.add(.account(1), overTCP: true) }
    #expect(counts.obstacle(to: .user(3)) == .full)
    let all: [Holder] = [.unauthenticated, .user(1), .user(2), .account(1)]
    let first = counts.evictable(for: .user(3), because: .full)
    #expect(Set(first) == Set(all) && first.first == .unauthenticated && first.last == .account(1))
    for _ in 0..<7 {
      counts.remove(.user(1), overTCP: false)
      counts.add(.user(3), overTCP: false)
    }
    #expect(
      counts.evictable(for: .user(3), because: .full) == [.unauthenticated, .user(2), .user(1)],
      "one that would have fewer than the newcomer stays")
    #expect(counts.evictable(for: .unauthenticated, because: .full) == [.unauthenticated])
  }

  @Test("an account over TCP has a share as well, counted from its first call")
  func account() {
    var counts = Self.counts()
    for number in 1...17 {
      counts.add(.unauthenticated, overTCP: true)
      let isWithinShare = counts.identify(as: .account(1))
      #expect(isWithinShare == (number <= 16))
    }
    for _ in 0..<20 {
      counts.add(.unauthenticated, overTCP: true)
      let isWithinShare = counts.identify(as: owner)
      #expect(isWithinShare)
    }
    #expect(counts.count(of: .unauthenticated) == 0 && counts.count(of: .account(1)) == 17)
  }

  @Test("a holder without connections costs nothing")
  func empty() {
    var counts = Self.counts()
    counts.add(.user(1), overTCP: false)
    counts.remove(.user(1), overTCP: false)
    #expect(counts.count(of: .user(1)) == 0)
  }
}

@Suite("Freed memory", .timeLimit(.minutes(1)))
struct MemoryReturnTests {
  @Test("is returned if there is much, and again only if there is more of it, or after it was in use again")
  func rule() throws {
    try withLoop { loop in
      let memory = try MemoryReturn(loop: loop)
      #expect(!memory.isWorthwhile(freeBytes: (4 << 20) - 1, residentBytes: 100 << 20))
      #expect(memory.isWorthwhile(freeBytes: 4 << 20, residentBytes: 100 << 20))
      memory.wasDone(freeBytes: 50 << 20, residentBytes: 50 << 20)
      #expect(!memory.isWorthwhile(freeBytes: 51 << 20, residentBytes: 51 << 20))
      #expect(memory.isWorthwhile(freeBytes: 50 << 20, residentBytes: 52 << 20))
      #expect(memory.isWorthwhile(freeBytes: 52 << 20, residentBytes: 50 << 20))
      memory.close()
    }
  }
}
