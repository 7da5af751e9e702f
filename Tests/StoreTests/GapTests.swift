import Dates
import Posts
import TestSupport
import Testing

@testable import Store

@Suite("Gaps in the timelines of accounts")
struct GapTests {
  private func note(
    _ kind: GapNote.Kind, _ older: Int64, _ newer: Int64, source: String = "twitter", isLost: Bool = false
  ) -> GapNote {
    GapNote(
      kind, source: source, newer: Instant(milliseconds: newer), older: Instant(milliseconds: older), isLost: isLost)!
  }

  private func record(_ note: GapNote, _ fixture: Fixture, as account: AccountID? = nil) throws -> Commit {
    try fixture.store.commit([.noteGap(account ?? fixture.ann, note)])
  }

  @Test(
    "gaps are the missing stretches without the completed ones, each with its own ID",
    arguments: seeds(0..<30 as Range<UInt64>))
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
        _ = try record(note(.missing(Int.random(in: 0...3, using: &random)), ends[0], ends[1]), fixture)
        // Gaps that only touch stay separate, with the post at their common end between them.
        missing.formUnion(between)
        for gap in before where gap.newer.milliseconds > ends[0] && gap.older.milliseconds < ends[1] {
          missing.formUnion(min(gap.older.milliseconds, ends[0]) + 1..<max(gap.newer.milliseconds, ends[1]))
        }
      } else {
        _ = try record(note(.complete, ends[0], ends[1]), fixture)
        // The posts at both ends are present too.
        missing.subtract(between.union(ends))
      }
      let gaps = try fixture.store.gaps(of: fixture.ann)
      var covered: Set<Int64> = []
      for gap in gaps {
        let instants = Set(gap.older.milliseconds + 1..<gap.newer.milliseconds)
        #expect(covered.isDisjoint(with: instants) && !instants.isEmpty, "seed \(seed), step \(step)")
        covered.formUnion(instants)
        if !before.contains(where: { $0.id == gap.id }) {
          #expect(numbers.insert(gap.id).inserted, "seed \(seed): IDs are not reused")
        }
      }
      #expect(covered == missing, "seed \(seed), step \(step)")
      #expect(Set(gaps.map(\.id)).count == gaps.count && gaps == gaps.sorted { $0.orderKey > $1.orderKey })
    }
    #expect(try fixture.store.gaps(of: fixture.bob) == [], "gaps are per account")
    #expect(try fixture.store.integrity() == [])
  }

  @Test("of each instant the last statement counts: missing, lost or here", arguments: seeds(0..<30 as Range<UInt64>))
  func lost(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try Fixture()
    /// True for lost, false for missing; none for what is here.
    var states: [Int64: Bool] = [:]
    for step in 0..<60 {
      let ends = [Int64.random(in: 0...60, using: &random), .random(in: 0...60, using: &random)].sorted()
      guard ends[1] - ends[0] > 1 else { continue }
      let isLost: Bool? = [true, false, nil].randomElement(using: &random)!
      let before = try fixture.store.gaps(of: fixture.ann)
      let kind = isLost == nil ? GapNote.Kind.complete : .missing(0)
      _ = try record(note(kind, ends[0], ends[1], isLost: isLost ?? false), fixture)
      // A stretch is cut out of the others with its ends, and joined with those of its kind.
      for instant in ends[0]...ends[1] where states[instant] != isLost { states[instant] = nil }
      if let isLost {
        for instant in ends[0] + 1..<ends[1] { states[instant] = isLost }
        for gap in before where gap.isLost == isLost {
          let (older, newer) = (gap.older.milliseconds, gap.newer.milliseconds)
          guard newer > ends[0], older < ends[1] else { continue }
          for instant in min(older, ends[0]) + 1..<max(newer, ends[1]) { states[instant] = isLost }
        }
      }
      var found: [Int64: Bool] = [:]
      for gap in try fixture.store.gaps(of: fixture.ann) {
        for instant in gap.older.milliseconds + 1..<gap.newer.milliseconds {
          #expect(found.updateValue(gap.isLost, forKey: instant) == nil, "seed \(seed), step \(step)")
        }
      }
      #expect(found == states, "seed \(seed), step \(step)")
    }
    #expect(try fixture.store.integrity() == [])
  }

  @Test("each new post in a gap decrements its count, until the count is unknown") func counts() throws {
    let fixture = try Fixture()
    _ = try record(note(.missing(3), 10_000, 50_000), fixture)
    func missing() throws -> [Int] { try fixture.store.gaps(of: fixture.ann).map(\.missing) }
    try fixture.load([tweet("1", at: 20), tweet("2", at: 10), tweet("3", at: 50), tweet("4", at: 60)])
    #expect(try missing() == [2], "posts at its ends do not count")
    try fixture.load([tweet("1", "again", at: 20)])
    try fixture.load([tweet("5", at: 30)], as: fixture.bob)
    #expect(try missing() == [2], "nor do known posts and imports by others")
    _ = try record(note(.complete, 10_000, 20_000), fixture)
    #expect(try missing() == [2])
    _ = try record(note(.complete, 30_000, 35_000), fixture)
    #expect(try missing() == [0, 0], "the missing posts may be in either part")
  }

  @Test("a commit reports all gaps of an account if they changed, and gaps survive a restart") func tells()
    throws
  {
    let fixture = try Fixture()
    let first = try record(note(.missing(0), 10_000, 50_000), fixture)
    #expect(first.outcomes == [.gapNoted(hasChanged: true)])
    #expect(first.changes.gaps[fixture.ann]?.map(\.source) == ["twitter"])
    let again = try record(note(.missing(0), 20_000, 30_000), fixture)
    #expect(
      again.outcomes == [.gapNoted(hasChanged: false)] && again.revision == first.revision && again.changes.gaps.isEmpty
    )
    _ = try record(note(.complete, 10_000, 50_000, source: "mastodon"), fixture)
    #expect(try fixture.store.gaps(of: fixture.ann).count == 1, "each source has its own")
    try fixture.store.close()
    let reopened = try PostStore(path: fixture.folder.file("posts.db"), epoch: 7)
    #expect(try reopened.gaps(of: fixture.ann) == first.changes.gaps[fixture.ann])
    let number = try #require(first.changes.gaps[fixture.ann]?.first?.id)
    #expect(try reopened.post(number) == nil, "no post has its ID")
  }

  @Test("the number of gaps per account is limited") func limit() throws {
    let fixture = try Fixture()
    let all = (0..<StoreLimits.gaps).map {
      Write.noteGap(fixture.ann, note(.missing(0), Int64($0) * 10, Int64($0) * 10 + 9))
    }
    _ = try fixture.store.commit(all)
    let more = try record(note(.missing(0), 100_000, 100_009), fixture)
    #expect(more.outcomes == [.refused(.tooMany("gaps", limit: StoreLimits.gaps))])
    let split = try record(note(.complete, 3, 5), fixture)
    #expect(split.outcomes == [.refused(.tooMany("gaps", limit: StoreLimits.gaps))])
    #expect(try record(note(.complete, 0, 9), fixture).outcomes == [.gapNoted(hasChanged: true)])
  }
}
