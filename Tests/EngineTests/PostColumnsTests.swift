import Dates
@testable import Engine
import Posts
import TestSupport
import Testing

@Suite("Post columns match a sorted array")
struct PostColumnsTests {
  /// The columns, and the array with their expected content.
  private struct Pair {
    var columns: PostColumns
    var model: [StoredPost] = []

    init(chunkCapacity: Int) { columns = PostColumns(chunkCapacity: chunkCapacity) }

    mutating func upsert(_ post: StoredPost) {
      let isNew = !model.contains { $0.orderKey == post.orderKey }
      model.removeAll { $0.orderKey == post.orderKey }
      model.insert(post, at: model.firstIndex { post.orderKey < $0.orderKey } ?? model.count)
      #expect(columns.upsert(post) == isNew)
    }

    mutating func remove(_ id: PostID) {
      let isHeld = model.contains { $0.id == id }
      model.removeAll { $0.id == id }
      #expect((columns.remove(id) != nil) == isHeld)
    }

    mutating func prependOlder(_ posts: [StoredPost]) {
      let older = posts.filter { post in model.first.map { post.orderKey < $0.orderKey } ?? true }
        .sorted { $1.orderKey < $0.orderKey }
      model.insert(contentsOf: older.reversed(), at: 0)
      columns.prependOlder(older)
    }

    /// Checks every query, for every post.
    mutating func check(_ note: String) {
      guard columns.count == model.count else {
        Issue.record("\(columns.count) posts, expected \(model.count): \(note)")
        return
      }
      #expect(columns.oldestKey == model.first?.orderKey, "\(note)")
      for (rank, post) in model.enumerated() {
        let found = columns.post(at: rank)
        var same = found
        same.audience = post.audience
        #expect(same == post, "\(note), rank \(rank)")
        #expect(
          columns.key(at: rank) == post.orderKey && columns.rank(of: post.orderKey) == rank, "\(note), rank \(rank)")
        #expect(columns.rank(of: post.id) == rank, "\(note), rank \(rank)")
      }
    }

    mutating func checkTexts(in ranks: Range<Int>, _ note: String) {
      var expected = ranks.lowerBound
      let model = model
      columns.withTexts(in: ranks, for: AccountID(1)) { rank, text, parts in
        #expect(rank == expected, "\(note)")
        expected += 1
        var bytes: [UInt8] = []
        for index in text.indices { bytes.append(text[index]) }
        #expect(bytes == model[rank].body.unpacked()?.text.utf8 ?? CompactBody.damagedText, "\(note), rank \(rank)")
        #expect(parts == RowParts(model[rank], for: AccountID(1)), "\(note), rank \(rank)")
      }
      #expect(expected == ranks.upperBound, "\(note)")
    }
  }

  private static func post(_ id: Int64, _ random: inout SeededGenerator) -> StoredPost {
    let text = String(repeating: "wörd ", count: Int.random(in: 0...60, using: &random))
    var body = PostBody(text: SafeText(text))
    if Bool.random(using: &random) {
      body.language = "en"
      body.counts.favourites = .random(in: 0...5, using: &random)
    }
    var packed = PackedBody(body)
    if Int.random(in: 0..<30, using: &random) == 0 {
      packed = PackedBody(trusted: packed.bytes.dropLast(Int.random(in: 1...packed.bytes.count, using: &random)))
    }
    let isRepost = Int.random(in: 0..<4, using: &random) == 0
    return StoredPost(
      id: PostID(id), subject: PostID(isRepost ? id - .random(in: 1...4, using: &random) : id),
      createdAt: Instant(milliseconds: Self.time(&random)), author: AuthorID(.random(in: 1...9, using: &random)),
      repostedBy: isRepost ? AuthorID(.random(in: 1...9, using: &random)) : nil,
      owner: AccountID(.random(in: 1...3, using: &random)),
      inReplyTo: Bool.random(using: &random) ? PostID(.random(in: 1...99, using: &random)) : nil, body: packed,
      originalAt: Bool.random(using: &random) ? Instant(milliseconds: Self.time(&random)) : nil)
  }

  /// Returns times mostly near each other, sometimes months apart or at the ends of time, which a chunk keeps in other
  /// columns.
  private static func time(_ random: inout SeededGenerator) -> Int64 {
    switch Int.random(in: 0..<40, using: &random) {
    case 0: .random(in: Int64.min...Int64.max, using: &random)
    case 1: .random(in: 0...30, using: &random) << 33
    default: .random(in: 0...30, using: &random) * 1000
    }
  }

  @Test(
    "after any operations, every post, key, rank and text matches the array",
    arguments: [2, 3, 16], 0..<12 as Range<UInt64>)
  func model(chunkCapacity: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pair = Pair(chunkCapacity: chunkCapacity)
    var next: Int64 = 5
    func fresh() -> StoredPost {
      next += Int.random(in: 0..<50, using: &random) == 0 ? 1 << 40 : 1
      return Self.post(next, &random)
    }
    for step in 0..<120 {
      let note = "seed \(seed), capacity \(chunkCapacity), step \(step)"
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: pair.upsert(fresh())
      case 5:
        guard var old = pair.model.randomElement(using: &random) else { continue }
        old.body = fresh().body
        pair.upsert(old)
      case 6: pair.prependOlder((0..<Int.random(in: 0...9, using: &random)).map { _ in fresh() })
      default: pair.remove(pair.model.randomElement(using: &random)?.id ?? PostID(3))
      }
      if step % 10 == 0 { pair.check(note) }
      let first = Int.random(in: 0...pair.model.count, using: &random)
      pair.checkTexts(in: first..<Int.random(in: first...pair.model.count, using: &random), note)
    }
    pair.check("seed \(seed), capacity \(chunkCapacity), at the end")
  }
}
