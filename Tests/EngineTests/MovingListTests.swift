import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Reading in the middle of a changing list")
struct MovingListTests {
  @Test(
    "whatever changes, the first line stays, the count above is right, and no row is lost or repeated",
    arguments: seeds(0..<24 as Range<UInt64>))
  func anything(seed: UInt64) {
    var world = MovingWorld(seed: seed, posts: 120)
    for step in 0..<120 {
      let note = "seed \(seed), step \(step)"
      switch Int.random(in: 0..<12, using: &world.random) {
      case 0...3: world.arrive(.random(in: 1...6, using: &world.random), note)
      case 4...5: world.delete(.random(in: 1...3, using: &world.random), note)
      case 6: world.deleteFirst(note)
      case 7: world.edit(.random(in: 1...3, using: &world.random), note)
      case 8: world.editFirst(note)
      case 9...10: world.resize(note)
      default: world.scroll(note)
      }
    }
  }

  @Test("thousands of posts arrive, others are removed or change, and the terminal is resized") func thousands() {
    var world = MovingWorld(seed: 1, posts: triesAllSeeds ? 2_000 : 500)
    world.scroll("at first")
    // In all 10,000 arrive, 1,000 are removed, 100 change, and there are 50 sizes; a quarter of it with few seeds.
    let quarters = triesAllSeeds ? 4 : 1
    var steps = [Int](repeating: 0, count: 25 * quarters) + [Int](repeating: 1, count: 12 * quarters)
    steps += [Int](repeating: 2, count: 6 * quarters) + [Int](repeating: 3, count: 12 * quarters)
    steps.shuffle(using: &world.random)
    for (number, step) in steps.enumerated() {
      let note = "step \(number)"
      switch step {
      case 0: world.arrive(100, note)
      case 1: number % 5 == 0 ? world.deleteFirst(note) : world.delete(20, note)
      case 2: world.edit(4, note)
      default: world.resize(note)
      }
    }
  }

  @Test(
    "paging while posts come and go repeats nothing and skips no post that was there throughout",
    arguments: seeds(0..<20 as Range<UInt64>))
  func cursors(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for newer in [false, true] {
      var limits = EngineLimits()
      (limits.lists.chunkCapacity, limits.lists.firstSlice, limits.lists.laterSlice) = (4, 20, 7)
      var harness = EngineHarness(limits: limits)
      harness.posts = (1...90).map { EngineHarness.post($0, at: $0 / 3 * 10) }
      let first = Set(harness.posts.map(\.id))
      var next: Int64 = 91
      var (seen, gone): ([UInt64], Set<PostID>) = ([], [])
      var last: PlacedRow?
      var token: UInt64 = 1
      while true {
        var request = RowsRequest(account: EngineHarness.account, layout: EngineHarness.layout(), zone: .utc)
        (request.count, request.newer) = (Int.random(in: 1...9, using: &random), newer)
        request.anchor = last.map { PostID(Int64($0.rowID)) }
        request.anchorAt = last.map { Instant(milliseconds: $0.content.fields.createdAtMilliseconds) }
        harness.send(.rowsRequested(RequestToken(token), request))
        let answer = try #require(harness.answers[RequestToken(token)], "seed \(seed)")
        let ids = answer.rows.map(\.rowID)
        seen = newer ? ids + seen : seen + ids
        guard answer.hasMore, let end = newer ? answer.rows.first : answer.rows.last else { break }
        last = end
        token += 1
        // The page's last row may be the one that is removed.
        var going = harness.posts.shuffled(using: &random).prefix(2).map(\.id)
        if Bool.random(using: &random) { going.append(PostID(Int64(end.rowID))) }
        gone.formUnion(going)
        harness.commit { store in store.posts.removeAll { going.contains($0.id) } }
        let come = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          next += 1
          return EngineHarness.post(next, at: .random(in: -20...320, using: &random))
        }
        harness.commit(new: come)
      }
      #expect(Set(seen).count == seen.count, "seed \(seed): nothing twice")
      #expect(
        first.subtracting(gone).isSubset(of: Set(seen.map { PostID(Int64($0)) })), "seed \(seed): nothing skipped")
    }
  }

  @Test("a page immediately newer than a removed row begins with the next newer one") func newerThanGone() throws {
    var harness = EngineHarness()
    harness.posts = (1...9).map { EngineHarness.post($0) }
    harness.commit { $0.posts.removeAll { $0.id == PostID(5) } }
    var request = RowsRequest(account: EngineHarness.account, layout: EngineHarness.layout(), zone: .utc)
    (request.count, request.newer, request.anchor) = (1, true, PostID(5))
    request.anchorAt = EngineHarness.post(5).createdAt
    harness.send(.rowsRequested(RequestToken(1), request))
    #expect(harness.answers[RequestToken(1)]?.rows.map(\.rowID) == [6])
    request.newer = false
    harness.send(.rowsRequested(RequestToken(2), request))
    #expect(harness.answers[RequestToken(2)]?.rows.map(\.rowID) == [4])
    request.anchorAt = nil
    harness.send(.rowsRequested(RequestToken(3), request))
    #expect(harness.refusals[RequestToken(3)]?.code == .notFound, "without its time its position is unknown")
  }
}

/// A timeline, a reader in the middle of it, and what the reader sees.
private struct MovingWorld {
  var random: SeededGenerator
  private var harness: EngineHarness
  private var next: Int64
  private var reader = Reader()
  private let hasDays: Bool
  private let view = ViewID(1)
  /// Key of the newest row that has been at the top.
  private var read: OrderKey
  /// A byte of the text in the first line, since the last explicit move.
  private var word: Int?

  /// A client's record of its place, kept as in the full-screen client.
  private struct Reader {
    var row: UInt64 = 0
    var line = 0
    private var reported: [UInt64] = [0, 0]
    private var held: [UInt64] = []

    mutating func see(_ pane: Pane) {
      let reported = [pane.status.anchorRow, UInt64(pane.status.anchorLine)]
      if reported[0] != 0, reported != self.reported { (row, line) = (reported[0], Int(reported[1])) }
      self.reported = reported
      let now = Set(pane.rows.map(\.rowID))
      if row != 0, !now.contains(row), let index = held.firstIndex(of: row) {
        row = held[index...].first { now.contains($0) } ?? held[..<index].last { now.contains($0) } ?? 0
        line = 0
      }
      held = pane.rows.map(\.rowID)
    }
  }

  init(seed: UInt64, posts: Int) {
    random = SeededGenerator(seed: seed)
    var limits = EngineLimits()
    if seed % 2 == 0 { (limits.lists.chunkCapacity, limits.lists.firstSlice, limits.lists.laterSlice) = (8, 40, 16) }
    harness = EngineHarness(limits: limits)
    hasDays = seed % 3 != 0
    next = Int64(posts)
    for id in 1...Int64(posts) {
      harness.posts.append(EngineHarness.post(id, at: id * 3_000, text: Self.text(&random)))
    }
    harness.hasSeenEverything()
    read = harness.timeline()[0].orderKey
    harness.open(1, layout: layout(80))
    harness.pass(seconds: 5)
    look()
    scroll("at first")
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...70, using: &random)).map { _ in
      ["otter", "a", "wood", "reef", "harbour"].randomElement(using: &random)!
    }
    .joined(separator: " ")
  }

  private mutating func layout(_ width: Int) -> LayoutParameters {
    var layout = EngineHarness.layout(width: width, height: .random(in: 5...50, using: &random), singlePane: false)
    layout.hasDayLines = hasDays
    return layout
  }

  // MARK: What happens

  mutating func arrive(_ count: Int, _ note: String) {
    let newest = next * 3_000
    let posts = (0..<count).map { _ in
      next += 1
      // Most arrive above all others, some in the middle, some below all.
      let at: Int64 =
        switch Int.random(in: 0..<10, using: &random) {
        case 0: -.random(in: 1...1_000_000, using: &random)
        case 1...2: .random(in: 0...newest, using: &random)
        default: next * 3_000
        }
      return EngineHarness.post(next, at: at, text: Self.text(&random))
    }
    step("\(note): \(count) arrive") { $0.commit(new: posts) }
  }

  mutating func delete(_ count: Int, _ note: String) {
    let first = firstRow.rowID
    let gone = Set(
      harness.posts.shuffled(using: &random).filter { UInt64($0.id.rawValue) != first }.prefix(count).map(\.id))
    step("\(note): \(count) go") { $0.commit { store in store.posts.removeAll { gone.contains($0.id) } } }
  }

  mutating func deleteFirst(_ note: String) {
    let first = PostID(Int64(firstRow.rowID))
    let index = pane.rows.firstIndex { $0.rowID == firstRow.rowID }!
    guard index + 1 < pane.rows.count else { return }
    let successor = pane.rows[index + 1].rowID
    commit { $0.commit { store in store.posts.removeAll { $0.id == first } } }
    expectRows("\(note): the first is removed")
    let row = pane.rows.first { $0.rowID == successor }
    #expect(
      row.map { screenLine(of: $0) } == row?.day?.height ?? 0, "\(note): the next row takes the place of the first")
    noteWord()
  }

  mutating func edit(_ count: Int, _ note: String) {
    let first = firstRow.rowID
    let chosen = harness.posts.shuffled(using: &random).filter { UInt64($0.id.rawValue) != first }.prefix(count)
    let changed = chosen.map { edited($0) }
    step("\(note): \(count) change") { $0.commit(changed: changed) }
  }

  mutating func editFirst(_ note: String) {
    let (row, line) = firstLine
    let changed = edited(harness.posts.first { UInt64($0.id.rawValue) == row.rowID }!)
    commit { $0.commit(changed: [changed]) }
    expectRows("\(note): the first changes")
    let now = pane.rows.first { $0.rowID == row.rowID }!
    #expect(
      firstLine.row.rowID == row.rowID && firstLine.line == min(line, now.height - 1),
      "\(note): the first row keeps its line")
    noteWord()
  }

  private mutating func edited(_ post: StoredPost) -> StoredPost {
    var post = post
    post.body = PackedBody(PostBody(text: SafeText(Self.text(&random))))
    return post
  }

  mutating func resize(_ note: String) {
    let first = firstLine.row.rowID
    let wanted = layout(.random(in: 20...200, using: &random))
    commit { harness in
      harness.send(.layoutChanged(ViewID(1), wanted, .utc))
      // The menu alone fills a narrow terminal: the reader moves on to the posts.
      if wanted.width < 30 { harness.send(.stackMoved(RequestToken(9), ViewID(1), .reveal(pane: 1))) }
    }
    expectRows("\(note): resized to \(wanted.width)")
    #expect(firstLine.row.rowID == first, "\(note): the first row stays, resized to \(wanted.width)")
    guard let word else { return }
    #expect(bytes(firstLine)?.contains(word) == true, "\(note): the first word stays, resized to \(wanted.width)")
  }

  mutating func scroll(_ note: String) {
    let target = harness.posts.randomElement(using: &random)!
    let line = Int.random(in: 0...4, using: &random)
    (reader.row, reader.line) = (UInt64(target.id.rawValue), line)
    commit { $0.scroll(1, to: UInt64(target.id.rawValue), line: line) }
    read = max(read, OrderKey(createdAt: target.createdAt, id: target.id))
    expectRows("\(note): scrolled")
    noteWord()
  }

  /// Applies a change that is not about the first row, which keeps its line, to the cell.
  private mutating func step(_ note: String, _ change: (inout EngineHarness) -> Void) {
    let (row, line) = (firstRow, screenLine(of: firstRow))
    commit(change)
    expectRows(note)
    let now = pane.rows.first { $0.rowID == row.rowID }
    #expect(now.map { screenLine(of: $0) } == line, "\(note): row \(row.rowID) keeps its line")
  }

  private mutating func commit(_ change: (inout EngineHarness) -> Void) {
    change(&harness)
    harness.pass(seconds: 1)
    look()
  }

  // MARK: What is seen

  private var pane: Pane { harness.mirrors[view]!.panes[0] }

  private mutating func look() { reader.see(pane) }

  private var tops: [Int] {
    var top = 0
    return pane.rows.map { row in
      defer { top += row.height }
      return top
    }
  }

  /// Returns the first visible line, counted from the first that is held.
  private var offset: Int {
    guard let index = pane.rows.firstIndex(where: { $0.rowID == reader.row }) else { return 0 }
    return tops[index] + min(reader.line, pane.rows[index].height - 1)
  }

  /// Returns the row of the first visible line, and the line within it.
  private var firstLine: (row: PlacedRow, line: Int) {
    let index = tops.lastIndex { $0 <= offset }!
    return (pane.rows[index], offset - tops[index])
  }

  private var firstRow: PlacedRow { firstLine.row }

  /// Returns the screen line at which a row begins, without its day line.
  private func screenLine(of row: PlacedRow) -> Int {
    tops[pane.rows.firstIndex { $0.rowID == row.rowID }!] + (row.day?.height ?? 0) - offset
  }

  /// Returns the bytes of the text in a line; nil if the line is not part of the text.
  private func bytes(_ place: (row: PlacedRow, line: Int)) -> Range<Int>? {
    let ends = place.row.layout.lineEnds.map { Int($0) }
    let number = place.line - (place.row.day?.height ?? 0) - 1
    guard ends.indices ~= number else { return nil }
    return (number == 0 ? 0 : ends[number - 1])..<max(ends[number], (number == 0 ? 0 : ends[number - 1]) + 1)
  }

  private mutating func noteWord() { word = bytes(firstLine)?.lowerBound }

  private func expectRows(_ note: String) {
    let model = harness.timeline()
    #expect(pane.status.rowCount == model.count, "\(note)")
    let above = pane.status.rowsAbove
    #expect(
      pane.rows.map { PostID(Int64($0.rowID)) } == model[above..<min(model.count, above + pane.rows.count)].map(\.id),
      "\(note)")
    #expect(pane.status.newRows == model.count { $0.orderKey > read }, "\(note): the count above")
  }
}
