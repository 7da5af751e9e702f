internal import ClientCore
internal import Terminal
public import ViewState

/// Prints the screen as lines: each thing once, when it is new or when the user moves to it. Nothing is painted over.
/// For screen readers, and for terminals that cannot position text.
///
/// Keys work as in the full screen. The output is text and line feeds only.
public struct LinearPrinter: Sendable {
  private let painter: LinePainter
  private var printed = Printed()
  /// True if the last line is unfinished: something is being typed in it.
  private var isMidLine = false

  /// The state last printed.
  private struct Printed: Sendable {
    var connection: StatusLine.Connection?
    var sources = ""
    var message = ""
    var notices = 0
    var pane: UInt64 = 0
    var title: [UInt8] = []
    var isEmptyPane = false
    var row: UInt64 = 0
    var isOpen = false
    var moves = 0
    var newest: UInt64 = 0
    var news: [Section: Int] = [:]
    var overlay = OverlayText()
  }

  /// The part of an overlay last printed.
  private struct OverlayText: Equatable, Sendable {
    var kind: KeyContext?
    /// The line that is typed, if it is not the text.
    var title = ""
    /// The text typed.
    var typed = ""
    /// The entry chosen.
    var chosen = ""
    /// The error or progress message.
    var trouble = ""
  }

  /// A printer that has printed nothing yet.
  public init(isolatesDirections: Bool) {
    painter = LinePainter(
      width: 10_000, traits: TerminalTraits(usesColor: false, isolatesDirections: isolatesDirections))
  }

  /// Returns what is new in a view and in the user's position since the last call; empty if nothing is. O(rows held).
  public mutating func bytes(for snapshot: ViewSnapshot, _ state: ScreenState) -> [UInt8] {
    var output: [UInt8] = []
    printConnection(state, to: &output)
    printSources(state.status, to: &output)
    printNews(snapshot.navigation, to: &output)
    if let index = snapshot.panes.firstIndex(where: { $0.header.paneID == state.focused.paneID }) {
      printPane(snapshot.panes[index], number: index + 1, of: snapshot.panes.count, state, to: &output)
    }
    printOverlay(state, to: &output)
    if state.status.message != printed.message || state.status.notices != printed.notices {
      (printed.message, printed.notices) = (state.status.message, state.status.notices)
      printLine(printed.message, to: &output)
    }
    return output
  }

  // MARK: - Lines

  private mutating func printLine(_ text: String, to output: inout [UInt8]) {
    guard !text.isEmpty else { return }
    endLine(&output)
    output += HarmlessText.filtered(text.utf8) + [0x0A]
  }

  private mutating func endLine(_ output: inout [UInt8]) {
    if isMidLine { output.append(0x0A) }
    isMidLine = false
  }

  private mutating func printConnection(_ state: ScreenState, to output: inout [UInt8]) {
    guard state.status.connection != printed.connection else { return }
    printed.connection = state.status.connection
    switch state.status.connection {
    case .live: printLine("Connected.", to: &output)
    case .connecting: printLine("Connecting to the daemon.", to: &output)
    case .offline(let since): printLine("Offline since \(since).", to: &output)
    }
  }

  /// Prints what is wrong with sources, or that nothing is any more.
  private mutating func printSources(_ status: StatusLine, to output: inout [UInt8]) {
    guard status.connection == .live, status.sources != printed.sources else { return }
    printed.sources = status.sources
    printLine(status.sources.isEmpty ? "All sources work again." : "\(status.sources).", to: &output)
  }

  /// Prints the sections that have more new rows than before.
  private mutating func printNews(_ navigation: Navigation, to output: inout [UInt8]) {
    for row in navigation.rows {
      let before = printed.news.updateValue(row.unseen, forKey: row.section) ?? 0
      if row.unseen > before { printLine("\(row.label): \(row.unseen) new.", to: &output) }
    }
  }

  private mutating func printPane(
    _ pane: Pane, number: Int, of count: Int, _ state: ScreenState, to output: inout [UInt8]
  ) {
    let title = pane.header.title + pane.header.filter
    if printed.pane != pane.header.paneID || printed.title != title {
      (printed.pane, printed.title, printed.row, printed.isEmptyPane) = (pane.header.paneID, title, 0, false)
      printed.newest = pane.rows.first?.rowID ?? 0
      var words = "Pane \(number) of \(count): " + String(decoding: pane.header.title, as: UTF8.self)
      if !pane.header.filter.isEmpty { words += ", filtered by " + String(decoding: pane.header.filter, as: UTF8.self) }
      if pane.status.isExact { words += ", " + NumberText.count(pane.status.rowCount, "row", "rows") }
      printLine(words + ".", to: &output)
    }
    if pane.rows.isEmpty {
      if state.moves != printed.moves { printed.isEmptyPane = false }
      printed.moves = state.moves
      if !printed.isEmptyPane, pane.status.isExact, !pane.status.isLoading {
        printed.isEmptyPane = true
        for line in PaneNote.lines(for: pane, state.keymap) { printLine(line.words, to: &output) }
      }
      return
    }
    printArrivals(in: pane, to: &output)
    let row = state.focused.rowID != 0 ? state.focused.rowID : pane.selection.rowID
    let shown = row != 0 ? row : PaneScroll.anchor(of: pane, known: state.anchors[pane.header.paneID]).rowID
    // With nothing selected, and at the top, the row read out last stays current.
    let wanted = shown != 0 ? shown : printed.row != 0 ? printed.row : pane.rows[0].rowID
    guard let placed = pane.rows.first(where: { $0.rowID == wanted }) else { return }
    let isOpen = state.revealed.contains(placed.rowID) || placed.content.fields.isUnfolded
    // A move that leads nowhere else is answered with the current row.
    let hasMoved = state.moves != printed.moves
    printed.moves = state.moves
    guard placed.rowID != printed.row || isOpen && !printed.isOpen || hasMoved else {
      printed.isOpen = isOpen
      return
    }
    (printed.row, printed.isOpen) = (placed.rowID, isOpen)
    printRow(placed, isOpen: state.revealed.contains(placed.rowID), to: &output)
  }

  /// Prints rows that arrived above the newest known one, the newest last.
  private mutating func printArrivals(in pane: Pane, to output: inout [UInt8]) {
    guard let newest = pane.rows.first?.rowID, newest != printed.newest, pane.status.rowsAbove == 0 else { return }
    defer { printed.newest = newest }
    guard printed.newest != 0, let known = pane.rows.firstIndex(where: { $0.rowID == printed.newest }) else { return }
    for row in pane.rows[..<known].reversed() { printRow(row, isOpen: false, to: &output) }
  }

  /// Prints a row as line mode does, with the text's own line breaks: the terminal wraps it.
  private mutating func printRow(_ placed: PlacedRow, isOpen: Bool, to output: inout [UInt8]) {
    endLine(&output)
    let text = placed.content.fields.text
    let ends = placed.layout.lineEnds.filter { end in
      end == placed.layout.lineEnds.last || end > 0 && end <= text.count && text[Int(end) - 1] == 0x0A
    }
    var placed = placed
    if isOpen, !placed.content.fields.contentWarning.isEmpty {
      var fields = placed.content.fields
      fields.contentWarning = []
      placed = PlacedRow(
        content: RowContent(fields), layout: placed.layout, caps: placed.caps, label: placed.label, day: placed.day)
    }
    placed.layout.lineEnds = ends
    if let day = placed.day { printLine("\(day.label):", to: &output) }
    output += painter.paint(placed)
  }

  // MARK: - Overlays

  private mutating func printOverlay(_ state: ScreenState, to output: inout [UInt8]) {
    guard let overlay = state.overlay else {
      if printed.overlay.kind != nil { endLine(&output) }
      printed.overlay = OverlayText()
      return
    }
    let now = text(of: overlay, state)
    var before = printed.overlay.kind == now.kind ? printed.overlay : OverlayText()
    if printed.overlay.kind != now.kind { for line in opening(overlay, state) { printLine(line, to: &output) } }
    if now.title != before.title {
      printLine(now.title.isEmpty ? "Text:" : now.title, to: &output)
      before.typed = ""
    }
    if now.typed != before.typed { echo(now.typed, after: before.typed, to: &output) }
    if now.chosen != before.chosen { printLine(now.chosen, to: &output) }
    if now.trouble != before.trouble { printLine(now.trouble, to: &output) }
    printed.overlay = now
  }

  /// Echoes typed text letter by letter. If text was deleted, all of it is printed on a new line.
  private mutating func echo(_ text: String, after before: String, to output: inout [UInt8]) {
    var rest = text[...]
    if isMidLine, text.hasPrefix(before) { rest = text.dropFirst(before.count) } else { endLine(&output) }
    for (number, line) in rest.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      if number > 0 { output.append(0x0A) }
      output += HarmlessText.filtered(line.utf8)
    }
    isMidLine = true
  }

  private func text(of overlay: Overlay, _ state: ScreenState) -> OverlayText {
    var text = OverlayText(kind: overlay.context)
    switch overlay {
    case .help(let help):
      text.typed = help.filter.text
      if !text.typed.isEmpty, help.matching.count <= 5 {
        text.chosen = help.matching.map(Self.line).joined(separator: "; ")
      }
    case .palette(let palette):
      text.typed = palette.field.text
      let entries = palette.entries
      if palette.selected > 0, entries.indices.contains(palette.selected) {
        switch entries[palette.selected] {
        case .value(let value): text.chosen = value
        case .command(let chosen):
          text.chosen = [chosen.name, chosen.argument, chosen.summary].filter { !$0.isEmpty }.joined(separator: " ")
        }
      }
      text.trouble = palette.failure
    case .compose(let editor):
      switch editor.typedLine {
      case .warning: (text.title, text.typed) = ("Warning:", editor.warning.text)
      case .language: (text.title, text.typed) = ("Language:", editor.language.text)
      case .file: (text.title, text.typed) = ("File:", editor.file.text)
      case .description: (text.title, text.typed) = ("Description:", editor.description.text)
      case nil: text.typed = editor.text
      }
      if !editor.isEdit { text.chosen = editor.audience.words(editor.parent?.content.fields) }
      text.trouble = editor.isSending ? "Sending." : editor.failure
    case .prompt(let prompt):
      text.typed = prompt.field.text
      text.trouble = prompt.failure
    case .menu(let menu):
      guard menu.items.indices.contains(menu.selected) else { break }
      let item = menu.items[menu.selected]
      text.chosen = "\(menu.selected + 1) \(item.text)" + (item.detail.isEmpty ? "" : ", \(item.detail)")
    case .confirm, .message: break
    }
    return text
  }

  private static func line(_ binding: Keymap.Binding) -> String {
    binding.keys.joined(separator: ", ") + ": " + binding.summary
  }

  /// Returns the lines printed when an overlay opens.
  private func opening(_ overlay: Overlay, _ state: ScreenState) -> [String] {
    func keys(_ action: Action) -> String { state.keymap.keys(for: action, in: overlay.context).first ?? "no key" }
    switch overlay {
    case .help(let help):
      let end = "Type to find a key. \(keys(.cancel)): close this list. \(keys(.quit)): quit."
      let groups = help.groups.flatMap { ($0.title.isEmpty ? [] : ["\($0.title):"]) + $0.keys.map(Self.line) }
      return ["Keys:"] + groups + [end]
    case .palette: return ["Command:"]
    case .prompt(let prompt): return ["\(prompt.title):"] + [prompt.hint]
    case .message(let message): return [message.title] + message.lines
    case .menu(let menu): return ["\(menu.title), \(menu.items.count):"]
    case .confirm(let question):
      let (yes, no) = question.keys(state.keymap)
      return [question.question, question.detail, "\(yes): \(question.verb). \(no): \(question.refusal)."]
    case .compose(let editor):
      var lines = ["\(editor.title):"]
      if let fields = editor.parent?.content.fields {
        let author = String(decoding: fields.author.handle + fields.author.origin, as: UTF8.self)
        lines.append("to @\(author): \(String(decoding: fields.text, as: UTF8.self))")
      }
      lines.append("\(keys(.send)): post. \(keys(.cancel)): keep draft.")
      return lines
    }
  }
}
