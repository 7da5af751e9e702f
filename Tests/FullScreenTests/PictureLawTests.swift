import FullScreen
import Terminal
import TestSupport
import Testing
import ViewState

@Suite("Pictures of arbitrary views")
struct PictureLawTests {
  @Test("every cell is covered and nothing lies outside, whatever the daemon sends", arguments: 0..<8) func whole(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      var view = RandomView.make(using: &random)
      for _ in 0..<Int.random(in: 0...6, using: &random) { view = RandomView.change(view, using: &random) }
      var state = ScreenState(columns: .random(in: 1...220, using: &random), lines: .random(in: 1...70, using: &random))
      state.focused = FocusedPane(
        paneID: .random(in: 0...4, using: &random), rowID: .random(in: 0...320, using: &random))
      for pane in 1...4 as ClosedRange<UInt64> where Bool.random(using: &random) {
        state.anchors[pane] = LineAnchor(
          rowID: .random(in: 0...320, using: &random), line: .random(in: 0...12, using: &random))
      }
      state.overlay = overlay(using: &random)
      let glyphs: Glyphs = Bool.random(using: &random) ? .unicode : .ascii
      let painter = ScreenPainter(theme: .dark, glyphs: glyphs)
      let picture = painter.picture(of: view, state)
      check(picture, state, "seed \(seed)")
      #expect(painter.picture(of: view, state) == picture, "equal input gives equal pictures")
    }
  }

  private func overlay(using random: inout some RandomNumberGenerator) -> Overlay? {
    let words = String(repeating: "漁師 and some words ", count: .random(in: 0...40, using: &random))
    switch Int.random(in: 0...12, using: &random) {
    case 0: return .help(Help(.standard, context: .panes))
    case 1: return .palette(Palette())
    case 2: return .confirm(Confirmation(question: words, detail: words, verb: "delete"))
    case 3: return .compose(ComposeEditor(text: words, parent: RandomView.row(3, using: &random)))
    case 4: return .prompt(Prompt(title: "Search", field: LineField(words), hint: words))
    case 5:
      return .menu(
        Menu(title: words, items: (0..<Int.random(in: 0...60, using: &random)).map { Menu.Item("\($0) \(words)") }))
    case 6: return .message(Message(title: "Read", lines: [words, "", words]))
    default: return nil
    }
  }

  private func check(_ picture: Picture, _ state: ScreenState, _ comment: Comment) {
    for (line, runs) in picture.runs.enumerated() {
      for run in runs {
        #expect(run.column >= 0 && run.width > 0 && run.column + run.width <= picture.columns, comment)
      }
      guard state.columns >= ScreenState.least.columns, state.lines >= ScreenState.least.lines else { continue }
      var covered = 0
      for run in runs.sorted(by: { $0.column < $1.column }) where run.column <= covered {
        covered = max(covered, run.column + run.width)
      }
      #expect(covered == picture.columns, "line \(line) is covered up to \(covered); \(comment)")
    }
    guard case .at(let line, let column) = picture.cursor else { return }
    #expect(0..<picture.lines ~= line && 0..<picture.columns ~= column, comment)
  }

  @Test("measured rows stay in their columns, line by line", arguments: 0..<12) func columns(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<12 {
      var view = SampleView(columns: .random(in: 20...220, using: &random), lines: .random(in: 5...60, using: &random))
      for pane in 0..<Int.random(in: 1...4, using: &random) {
        let kind: PaneHeader.Kind =
          pane == 0 ? .timeline : [.conversation, .profile, .search].randomElement(using: &random)!
        view.push(
          kind, "漁師 Pane \(pane)", posts(kind, using: &random),
          width: [0, 0, 30, 44, 90].randomElement(using: &random)!)
      }
      view.place(at: [nil, 0].randomElement(using: &random)!)
      var state = view.state
      var firsts: [UInt64: Int] = [:]
      for pane in view.snapshot.panes {
        let scroll = PaneScroll(pane)
        let first = Int.random(in: 0...max(0, scroll.height - 1), using: &random)
        state.anchors[pane.header.paneID] = scroll.anchor(at: first)
        firsts[pane.header.paneID] = first
      }
      let grid = Grid(ScreenPainter(theme: .dark, glyphs: .unicode).picture(of: view.snapshot, state))
      #expect(grid.overflows == [], "seed \(seed)")
      for (index, frame) in view.snapshot.paneFrames.enumerated() {
        let next = index + 1 < view.snapshot.paneFrames.count ? view.snapshot.paneFrames[index + 1].x : view.columns
        let seen = frame.x..<max(frame.x, min(frame.x + frame.width, next, view.columns))
        try lines(
          of: view.snapshot.panes[index], frame, seen, first: firsts[frame.paneID]!, grid, state, "seed \(seed)")
      }
    }
  }

  @Test("every cell is covered and no text leaves its place while panes slide", arguments: 0..<6) func sliding(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var view = SampleView(columns: .random(in: 60...200, using: &random), lines: 24)
    for pane in 0..<Int.random(in: 2...4, using: &random) {
      view.push(pane == 0 ? .timeline : .profile, "漁師", SampleView.posts)
    }
    let last = Int(view.snapshot.position)
    for position in 0...last {
      let old = view.snapshot
      view.place(
        at: SampleGeometry(width: view.columns, wanted: view.snapshot.panes.map { _ in 0 }).positions.contains(position)
          ? position : last)
      var state = view.state
      state.animation = Animation(from: old, to: view.snapshot, columns: view.columns, at: 0)
      for now in stride(from: 0 as Int64, through: Animation.duration, by: 23) {
        state.clock.milliseconds = now
        let picture = ScreenPainter(theme: .dark, glyphs: .unicode).picture(of: view.snapshot, state)
        check(picture, state, "seed \(seed)")
        #expect(Grid(picture).overflows == [], "seed \(seed)")
      }
      state.clock.milliseconds = Animation.duration
      let end = ScreenPainter(theme: .dark, glyphs: .unicode).picture(of: view.snapshot, state)
      state.animation = nil
      #expect(
        ScreenPainter(theme: .dark, glyphs: .unicode).picture(of: view.snapshot, state) == end,
        "it ends in the picture without animation")
    }
  }

  /// Checks that each line of a pane shows the right line of its row, once, with borders where the frame puts them.
  private func lines(
    of pane: Pane, _ frame: PaneFrame, _ seen: Range<Int>, first: Int, _ grid: Grid, _ state: ScreenState,
    _ comment: Comment
  ) throws {
    guard !seen.isEmpty else { return }
    var content: [(row: PlacedRow, line: Int)] = []
    for row in pane.rows { for line in 0..<row.height { content.append((row, line)) } }
    for line in 0..<state.viewHeight {
      let y = line + ScreenState.titleLines
      // The thumb of the scroll bar covers the right edge.
      let bar = frame.isCompact ? frame.x + frame.width - 1 : frame.x + frame.columnX + frame.columnWidth - 1
      #expect(seen.filter { $0 != bar && grid.layers[y][$0] != 1 } == [], "line \(y); \(comment)")
      guard first + line < content.count, !frame.isCompact else { continue }
      let (row, own) = content[first + line]
      let left = frame.x + frame.columnX + frame.indent * row.tree.depth
      if seen.contains(left) {
        #expect(" │┃".contains(grid.cells[y][left]), "left of line \(y): \(grid.lines[y]); \(comment)")
      }
      if seen.contains(bar) {
        let isLast = own == row.height - 1
        let isDay = own == 0 && row.day != nil
        let signs = isLast ? "│┤╯┘" : isDay ? row.caps.contains(.top) ? "╮┐" : "┤" : "│"
        #expect("▐\(signs)".contains(grid.cells[y][bar]), "right of line \(y): \(grid.lines[y]); \(comment)")
      }
    }
  }

  private func posts(_ kind: PaneHeader.Kind, using random: inout some RandomNumberGenerator) -> [SampleView.Post] {
    (0..<Int.random(in: 0...9, using: &random)).map { number in
      var post = (SampleView.posts + SampleView.thread).randomElement(using: &random)!
      post.id = UInt64(number + 1)
      post.depth = kind == .conversation ? .random(in: 0...5, using: &random) : 0
      post.day = Int.random(in: 0..<3, using: &random) == 0 ? "Yesterday" : nil
      post.repostedBy = Int.random(in: 0..<3, using: &random) == 0 ? "遥" : nil
      return post
    }
  }
}
