import Dates
import Engine
import Posts
import TestSupport
import Testing
import TextLayout
import ViewState

@Suite("Folded rows")
struct FoldingTests {
  private static let view = ViewID(1)

  /// Returns a text of so many lines.
  private static func text(_ lines: Int) -> String { (1...lines).map { "line \($0)" }.joined(separator: "\n") }

  /// Returns a reference of the folding: the number of lines that a text takes up, and of those that are not shown.
  private static func reference(_ text: String, width: Int, isFolded: Bool) -> (shown: Int, folded: Int) {
    var paragraphs: [Substring] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isEmpty = paragraph.allSatisfy { $0 == " " }
      if isEmpty, let last = paragraphs.last, last.allSatisfy({ $0 == " " }) { continue }
      paragraphs.append(paragraph)
    }
    // A line feed at the end of a text begins no line.
    if paragraphs.count > 1, paragraphs.last?.isEmpty == true, text.hasSuffix("\n") {
      let before = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last ?? ""
      if !before.allSatisfy({ $0 == " " }) { paragraphs.removeLast() }
    }
    var (lines, isEmptyBefore) = (0, false)
    for paragraph in paragraphs {
      lines += lineCount(of: Array(paragraph.utf8).span, width: width, metrics: .cells(CellProfile()))
      // Spaces before a word that does not fit beside them are a line that looks empty, and so part of the run before.
      let (spaces, word) = (paragraph.prefix { $0 == " " }, paragraph.drop { $0 == " " }.prefix { $0 != " " })
      if isEmptyBefore, !spaces.isEmpty, spaces.count + word.count > width { lines -= 1 }
      isEmptyBefore = word.isEmpty
    }
    guard isFolded, lines > 21 else { return (lines, 0) }
    return (21, lines - 20)
  }

  /// The height of a row besides its text.
  private static let fixedHeight: Int = {
    var harness = EngineHarness()
    harness.posts = [EngineHarness.post(1, text: "one line")]
    harness.open(1)
    return (harness.mirrors[view]?.panes[0].rows[0].height ?? 0) - 1
  }()

  private func rows(_ harness: EngineHarness, pane: Int = 0, view: UInt64 = 1) -> [PlacedRow] {
    harness.mirrors[ViewID(view)]?.panes[pane].rows ?? []
  }

  @Test(
    "of more than 21 lines 20 are shown, and one that counts the others",
    arguments: [(1, 1, 0), (20, 20, 0), (21, 21, 0), (22, 20, 2), (23, 20, 3), (280, 20, 260)])
  func vectors(lines: Int, shown: Int, folded: Int) throws {
    var harness = EngineHarness()
    harness.posts = [EngineHarness.post(1, text: Self.text(lines))]
    harness.open(1)
    let layout = try #require(rows(harness).first).layout
    #expect(layout.lineEnds.count == shown && layout.foldedLines == folded)
    #expect(layout.height == Self.fixedHeight + min(lines, 21))
  }

  @Test(
    "a run of empty lines is one line",
    arguments: [
      ("\n\n\n", ["\n\n\n"]), ("a\n\n\n\nb", ["a\n", "\n\n\n", "b"]), ("a\n\nb", ["a\n", "\n", "b"]),
      ("a\n \n  \n\nb\n\n\n", ["a\n", " \n  \n\n", "b\n", "\n\n"]), ("\n\na", ["\n\n", "a"]), ("", [""]),
      ("a\n\n \(String(repeating: "b", count: 79))", ["a\n", "\n ", String(repeating: "b", count: 79)]),
      (String(repeating: "\n", count: 280), [String(repeating: "\n", count: 280)]),
    ])
  func emptyLines(text: String, lines: [String]) throws {
    var harness = EngineHarness()
    harness.posts = [EngineHarness.post(1, text: text)]
    harness.open(1)
    var whole = EngineHarness.layout()
    whole.showsWholeTexts = true
    harness.open(2, layout: whole)
    let row = try #require(rows(harness).first)
    #expect(row.content.fields.text == Array(text.utf8), "the text itself stays")
    var start = 0
    let shown = row.layout.lineEnds.map { end in
      defer { start = Int(end) }
      return String(decoding: Array(text.utf8)[start..<Int(end)], as: UTF8.self)
    }
    #expect(shown == lines)
    let kept = try #require(rows(harness, view: 2).first).layout
    let wrapped = lineCount(of: Array(text.utf8).span, width: 79, metrics: .cells(CellProfile()))
    #expect(kept.lineEnds.count == wrapped && kept.foldedLines == 0)
  }

  @Test("an unfolded row is whole in every view that folds, also after a restart, until it is folded") func unfolding()
  {
    var harness = EngineHarness()
    harness.posts = [EngineHarness.post(1, text: Self.text(50)), EngineHarness.post(2, text: Self.text(40))]
    harness.open(1)
    harness.open(2, layout: EngineHarness.layout(width: 120, singlePane: false))
    harness.command(1, .fold(pane: 0, row: 1, isFolded: false))
    for view in [UInt64(1), 2] {
      #expect(rows(harness, view: view).map(\.layout.foldedLines) == [20, 0])
      #expect(rows(harness, view: view).map(\.content.fields.isUnfolded) == [false, true])
    }
    var restarted = harness.restarted()
    restarted.open(1)
    #expect(rows(restarted).map(\.layout.foldedLines) == [20, 0])
    #expect(rows(restarted)[1].height == Self.fixedHeight + 50)
    restarted.command(2, .fold(pane: 1, row: 1, isFolded: true))
    #expect(rows(restarted).map(\.layout.foldedLines) == [20, 30])
    restarted.command(3, .fold(pane: 1, row: 3, isFolded: false))
    #expect(restarted.refusals[RequestToken(3)]?.code == .notFound)
  }

  @Test("only the last 64 rows of a pane stay unfolded") func most() throws {
    var stack = PaneStack()
    for row in 1...70 { _ = try stack.fold(PostID(Int64(row)), false, in: 0) }
    #expect(stack.top.unfolded == (7...70).map { PostID($0) })
    let saved = String(decoding: stack.encoded, as: UTF8.self)
    #expect(saved.contains("\nunfolded 1 7 8 ") && PaneStack(decoding: stack.encoded) == stack)
  }

  @Test("the post of a conversation is whole, its replies are folded, and so it is for requests of rows")
  func conversation() throws {
    var harness = EngineHarness()
    harness.posts = [
      EngineHarness.post(1, text: Self.text(30)), EngineHarness.post(2, text: Self.text(40), inReplyTo: 1),
    ]
    harness.open(1)
    harness.command(1, .pushConversation(reference: "1", from: 0))
    #expect(rows(harness, pane: 0).count == 2 || rows(harness, pane: 1).count == 2)
    let shown = try #require(harness.mirrors[Self.view]?.panes.last).rows
    #expect(shown.map(\.layout.foldedLines) == [0, 20])
    #expect(shown.map(\.content.fields.isUnfolded) == [false, false])
    for (token, isWhole) in [(UInt64(7), false), (8, true)] {
      var request = RowsRequest(account: EngineHarness.account, layout: EngineHarness.layout(), zone: .utc)
      request.subject = .conversation("2")
      request.layout.showsWholeTexts = isWhole
      harness.send(.rowsRequested(RequestToken(token), request))
      let answer = try #require(harness.answers[RequestToken(token)])
      #expect(answer.rows.map(\.layout.foldedLines) == (isWhole ? [0, 0] : [10, 0]))
    }
  }

  @Test("a client that resumes learns of a row that was unfolded meanwhile") func resuming() throws {
    var harness = EngineHarness()
    harness.posts = [EngineHarness.post(1, text: Self.text(50)), EngineHarness.post(2)]
    harness.open(1)
    let held = try #require(harness.mirrors[Self.view])
    harness.send(.viewClosed(Self.view))
    harness.command(1, .fold(pane: 0, row: 1, isFolded: false))
    harness.mirrors[Self.view] = held
    harness.open(1, resume: held.resume)
    #expect(rows(harness).map(\.layout.foldedLines) == [0, 0])
    #expect(rows(harness).last?.height == Self.fixedHeight + 50)
  }

  @Test("what is folded and what is not adds up to the pane's height, after any changes", arguments: seeds(1...20))
  func heights(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var limits = EngineLimits()
    (limits.lists.chunkCapacity, limits.caches.measuredBytes) = (3, 300)
    var harness = EngineHarness(limits: limits)
    var texts: [UInt64: String] = [:]
    var unfolded: Set<UInt64> = []
    func fresh(_ id: UInt64) -> StoredPost {
      texts[id] = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        ["word", "\n", "\n", " ", " \n", "a longer one "].randomElement(using: &random) ?? ""
      }.joined()
      return EngineHarness.post(Int64(id), at: Int64(id), text: texts[id])
    }
    harness.posts = (1...400).map { fresh($0) }
    var width = 40
    harness.open(1, layout: EngineHarness.layout(width: width))
    for step in 1...40 {
      let id = UInt64.random(in: 1...400, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: harness.commit(changed: [fresh(id)])
      case 1:
        width = Int.random(in: 20...60, using: &random)
        harness.send(.layoutChanged(Self.view, EngineHarness.layout(width: width), .utc))
      default:
        harness.command(UInt64(step), .fold(pane: 0, row: id, isFolded: unfolded.contains(id)))
        unfolded.formSymmetricDifference([id])
      }
    }
    harness.pass(seconds: 5)
    let pane = try #require(harness.mirrors[Self.view]?.panes.first)
    #expect(pane.status.isExact)
    let wanted = texts.map { id, text in
      Self.fixedHeight + Self.reference(text, width: width - 1, isFolded: !unfolded.contains(id)).shown
    }
    #expect(pane.status.totalHeight == wanted.reduce(0, +), "seed \(seed)")
    for row in pane.rows {
      let (shown, folded) = Self.reference(
        texts[row.rowID] ?? "", width: width - 1, isFolded: !unfolded.contains(row.rowID))
      #expect(
        row.height == Self.fixedHeight + shown && row.layout.foldedLines == folded, "seed \(seed), row \(row.rowID)")
    }
  }
}
