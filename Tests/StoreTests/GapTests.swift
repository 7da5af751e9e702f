import Dates
import Posts
import TestSupport
import Testing

@testable import Store

@Suite("What accounts are known not to have")
struct GapTests {
  private func note(_ kind: GapNote.Kind, _ older: Int64, _ newer: Int64, source: String = "twitter") -> GapNote {
    GapNote(kind, source: source, newer: Instant(milliseconds: newer), older: Instant(milliseconds: older))!
  }

  private func say(_ note: GapNote, _ fixture: Fixture, as account: AccountID? = nil) throws -> Commit {
    try fixture.store.commit([.noteGap(account ?? fixture.ann, note)])
  }

  @Test(
    "what is missing less what is complete remains, each gap with a number of its own",
    arguments: 0..<30 as Range<UInt64>)
  func law(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try Fixture()
    var missing: Set<Int64> = []
    var numbers: Set<PostID> = []
    for step in 0..<60 {
      let ends = [Int64.random(in: 0...60, using: &random), .random(in: 0...60, using: &random)].sorted()
      guard ends[1] - ends[0] > 1 else { continue }
      let between = Set(ends[0] + 1..<ends[1])
      let before = try fixture.store.gaps(of: fixture.ann)
      if Int.random(in: 0..<3, using: &random) == 0 {
        _ = try say(note(.missing(Int.random(in: 0...3, using: &random)), ends[0], ends[1]), fixture)
        // Gaps that only touch at an end stay two, with the post at that end between them.
        missing.formUnion(between)
        for gap in before where gap.newer.milliseconds > ends[0] && gap.older.milliseconds < ends[1] {
          missing.formUnion(min(gap.older.milliseconds, ends[0]) + 1..<max(gap.newer.milliseconds, ends[1]))
        }
      } else {
        _ = try say(note(.complete, ends[0], ends[1]), fixture)
        // The posts at both ends are there too.
        missing.subtract(between.union(ends))
      }
      let gaps = try fixture.store.gaps(of: fixture.ann)
      var covered: Set<Int64> = []
      for gap in gaps {
        let instants = Set(gap.older.milliseconds + 1..<gap.newer.milliseconds)
        #expect(covered.isDisjoint(with: instants) && !instants.isEmpty, "seed \(seed), step \(step)")
        covered.formUnion(instants)
        if !before.contains(where: { $0.id == gap.id }) {
          #expect(numbers.insert(gap.id).inserted, "seed \(seed): a number comes once")
        }
      }
      #expect(covered == missing, "seed \(seed), step \(step)")
      #expect(Set(gaps.map(\.id)).count == gaps.count && gaps == gaps.sorted { $0.orderKey > $1.orderKey })
    }
    #expect(try fixture.store.gaps(of: fixture.bob) == [], "they are nobody else's business")
    #expect(try fixture.store.integrity() == [])
  }

  @Test("each new post within it is one fewer, until nobody knows") func counts() throws {
    let fixture = try Fixture()
    _ = try say(note(.missing(3), 10_000, 50_000), fixture)
    func missing() throws -> [Int] { try fixture.store.gaps(of: fixture.ann).map(\.missing) }
    try fixture.load([tweet("1", at: 20), tweet("2", at: 10), tweet("3", at: 50), tweet("4", at: 60)])
    #expect(try missing() == [2], "posts at its ends are none of it")
    try fixture.load([tweet("1", "again", at: 20)])
    try fixture.load([tweet("5", at: 30)], as: fixture.bob)
    #expect(try missing() == [2], "nor what was there, or another imports")
    _ = try say(note(.complete, 10_000, 20_000), fixture)
    #expect(try missing() == [2])
    _ = try say(note(.complete, 30_000, 35_000), fixture)
    #expect(try missing() == [0, 0], "which part they are in is not known")
  }

  @Test("commits tell all gaps of whom they concern, once something has changed; a restart keeps them") func tells()
    throws
  {
    let fixture = try Fixture()
    let first = try say(note(.missing(0), 10_000, 50_000), fixture)
    #expect(first.outcomes == [.gapNoted(hasChanged: true)])
    #expect(first.changes.gaps[fixture.ann]?.map(\.source) == ["twitter"])
    let again = try say(note(.missing(0), 20_000, 30_000), fixture)
    #expect(
      again.outcomes == [.gapNoted(hasChanged: false)] && again.revision == first.revision && again.changes.gaps.isEmpty
    )
    _ = try say(note(.complete, 10_000, 50_000, source: "mastodon"), fixture)
    #expect(try fixture.store.gaps(of: fixture.ann).count == 1, "each source has its own")
    try fixture.store.close()
    let reopened = try PostStore(path: fixture.folder.file("posts.db"), epoch: 7)
    #expect(try reopened.gaps(of: fixture.ann) == first.changes.gaps[fixture.ann])
    let number = try #require(first.changes.gaps[fixture.ann]?.first?.id)
    #expect(try reopened.post(number) == nil, "no post has its number")
  }

  @Test("there are only so many of an account") func limit() throws {
    let fixture = try Fixture()
    let all = (0..<StoreLimits.gaps).map {
      Write.noteGap(fixture.ann, note(.missing(0), Int64($0) * 10, Int64($0) * 10 + 9))
    }
    _ = try fixture.store.commit(all)
    let more = try say(note(.missing(0), 100_000, 100_009), fixture)
    #expect(more.outcomes == [.refused(.tooMany("gaps", limit: StoreLimits.gaps))])
    let split = try say(note(.complete, 3, 5), fixture)
    #expect(split.outcomes == [.refused(.tooMany("gaps", limit: StoreLimits.gaps))])
    #expect(try say(note(.complete, 0, 9), fixture).outcomes == [.gapNoted(hasChanged: true)])
  }
}
