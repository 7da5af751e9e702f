internal import ClientCore
internal import Terminal
public import ViewState

/// Says in lines what a picture would show: each thing once, when it is new or when one has come to it, and nothing is
/// ever painted over. For screen readers, and for terminals that cannot place text.
///
/// Keys do what they do on the whole screen. What is written here is text and line feeds alone.
public struct LinearPrinter: Sendable {
  private let painter: LinePainter
  private var told = Told()
  /// The line that was written last is not at its end: something is being typed in it.
  private var isMidLine = false

  /// What was said of last.
  private struct Told: Sendable {
    var connection: StatusLine.Connection?
    var message = ""
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

  /// What was said of what lies over the panes.
  private struct OverlayText: Equatable, Sendable {
    var kind: KeyContext?
    /// What is typed.
    var typed = ""
    /// What is chosen.
    var chosen = ""
    /// What is wrong, or under way.
    var trouble = ""
  }

  /// A printer that has said nothing yet.
  public init(isolatesDirections: Bool) {
    painter = LinePainter(
      width: 10_000, traits: TerminalTraits(usesColor: false, isolatesDirections: isolatesDirections))
  }

  /// What is to be said of a view and of where its client is in it, after all that was said before; nothing where
  /// nothing is new. O(rows held).
  public mutating func bytes(for snapshot: ViewSnapshot, _ state: ScreenState) -> [UInt8] {
    var output: [UInt8] = []
    sayConnection(state, to: &output)
    sayNews(snapshot.navigation, to: &output)
    if let index = snapshot.panes.firstIndex(where: { $0.header.paneID == state.focused.paneID }) {
      sayPane(snapshot.panes[index], number: index + 1, of: snapshot.panes.count, state, to: &output)
    }
    sayOverlay(state, to: &output)
    if state.status.message != told.message {
      told.message = state.status.message
      say(told.message, to: &output)
    }
    return output
  }

  // MARK: - Lines

  private mutating func say(_ text: String, to output: inout [UInt8]) {
    guard !text.isEmpty else { return }
    endLine(&output)
    output += HarmlessText.filtered(text.utf8) + [0x0A]
  }

  private mutating func endLine(_ output: inout [UInt8]) {
    if isMidLine { output.append(0x0A) }
    isMidLine = false
  }

  private mutating func sayConnection(_ state: ScreenState, to output: inout [UInt8]) {
    guard state.status.connection != told.connection else { return }
    told.connection = state.status.connection
    switch state.status.connection {
    case .live: say("Connected.", to: &output)
    case .connecting: say("Connecting to the daemon.", to: &output)
    case .offline(let since): say("Offline since \(since).", to: &output)
    }
  }

  /// A section is told of when more has come into it.
  private mutating func sayNews(_ navigation: Navigation, to output: inout [UInt8]) {
    for row in navigation.rows {
      let before = told.news.updateValue(row.unseen, forKey: row.section) ?? 0
      if row.unseen > before { say("\(row.label): \(row.unseen) new.", to: &output) }
    }
  }

  private mutating func sayPane(
    _ pane: Pane, number: Int, of count: Int, _ state: ScreenState, to output: inout [UInt8]
  ) {
    let title = pane.header.title + pane.header.filter
    if told.pane != pane.header.paneID || told.title != title {
      (told.pane, told.title, told.row, told.isEmptyPane) = (pane.header.paneID, title, 0, false)
      told.newest = pane.rows.first?.rowID ?? 0
      var words = "Pane \(number) of \(count): " + String(decoding: pane.header.title, as: UTF8.self)
      let query = pane.header.query == pane.header.title ? [] : pane.header.query
      if !query.isEmpty { words += " " + String(decoding: query, as: UTF8.self) }
      if !pane.header.filter.isEmpty { words += ", limited to " + String(decoding: pane.header.filter, as: UTF8.self) }
      if pane.status.isExact { words += ", \(pane.status.rowCount) \(pane.status.rowCount == 1 ? "row" : "rows")" }
      say(words + ".", to: &output)
    }
    if pane.rows.isEmpty {
      if state.moves != told.moves { told.isEmptyPane = false }
      told.moves = state.moves
      if !told.isEmptyPane, pane.status.isExact, !pane.status.isLoading {
        told.isEmptyPane = true
        for line in PaneNote.words(for: pane, state.keymap) { say(line, to: &output) }
      }
      return
    }
    sayArrivals(in: pane, to: &output)
    let row = state.focused.rowID != 0 ? state.focused.rowID : pane.selection.rowID
    let shown = row != 0 ? row : PaneScroll.anchor(of: pane, known: state.anchors[pane.header.paneID]).rowID
    // Where nothing is selected, and at the top, the row stays that was read out last.
    let wanted = shown != 0 ? shown : told.row != 0 ? told.row : pane.rows[0].rowID
    guard let placed = pane.rows.first(where: { $0.rowID == wanted }) else { return }
    let isOpen = state.revealed.contains(placed.rowID)
    // A move that led nowhere else is answered with where one is.
    let hasMoved = state.moves != told.moves
    told.moves = state.moves
    guard placed.rowID != told.row || isOpen && !told.isOpen || hasMoved else {
      told.isOpen = isOpen
      return
    }
    (told.row, told.isOpen) = (placed.rowID, isOpen)
    say(placed, isOpen: isOpen, to: &output)
  }

  /// Rows that came above what was the newest are read out as they come, the newest last.
  private mutating func sayArrivals(in pane: Pane, to output: inout [UInt8]) {
    guard let newest = pane.rows.first?.rowID, newest != told.newest, pane.status.rowsAbove == 0 else { return }
    defer { told.newest = newest }
    guard told.newest != 0, let known = pane.rows.firstIndex(where: { $0.rowID == told.newest }) else { return }
    for row in pane.rows[..<known].reversed() { say(row, isOpen: false, to: &output) }
  }

  /// A row as line mode prints it, with its text in as many lines as it was written in: the terminal cuts them.
  private mutating func say(_ placed: PlacedRow, isOpen: Bool, to output: inout [UInt8]) {
    endLine(&output)
    let text = placed.content.fields.text
    let ends = text.indices.filter { text[$0] == 0x0A }.map { UInt32($0 + 1) } + [UInt32(text.count)]
    var placed = placed
    if isOpen, !placed.content.fields.contentWarning.isEmpty {
      var fields = placed.content.fields
      fields.contentWarning = []
      placed = PlacedRow(
        content: RowContent(fields), layout: placed.layout, caps: placed.caps, label: placed.label, day: placed.day)
    }
    placed.layout = RowLayout(height: placed.layout.height, lineEnds: ends)
    if let day = placed.day { say("\(day.label):", to: &output) }
    output += painter.paint(placed)
  }

  // MARK: - What lies over the panes

  private mutating func sayOverlay(_ state: ScreenState, to output: inout [UInt8]) {
    guard let overlay = state.overlay else {
      if told.overlay.kind != nil { endLine(&output) }
      told.overlay = OverlayText()
      return
    }
    let now = text(of: overlay, state)
    let before = told.overlay.kind == now.kind ? told.overlay : OverlayText()
    if told.overlay.kind != now.kind { for line in opening(overlay, state) { say(line, to: &output) } }
    if now.typed != before.typed { type(now.typed, after: before.typed, to: &output) }
    if now.chosen != before.chosen { say(now.chosen, to: &output) }
    if now.trouble != before.trouble { say(now.trouble, to: &output) }
    told.overlay = now
  }

  /// What is typed is repeated letter by letter; where something was taken from it, all of it is, in a line of its own.
  private mutating func type(_ text: String, after before: String, to output: inout [UInt8]) {
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
      if palette.selected > 0, palette.suggestions.indices.contains(palette.selected) {
        let chosen = palette.suggestions[palette.selected]
        text.chosen = [chosen.name, chosen.argument, chosen.summary].filter { !$0.isEmpty }.joined(separator: " ")
      }
      text.trouble = palette.failure
    case .compose(let editor):
      text.typed = editor.text
      text.trouble = editor.isSending ? "Sending." : editor.failure
    case .prompt(let prompt): text.typed = prompt.field.text
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

  /// What is said when it comes.
  private func opening(_ overlay: Overlay, _ state: ScreenState) -> [String] {
    func keys(_ action: Action) -> String { state.keymap.keys(for: action, in: overlay.context).first ?? "no key" }
    switch overlay {
    case .help(let help): return ["Keys:"] + help.bindings.map(Self.line)
    case .palette: return ["Command:"]
    case .prompt(let prompt): return ["\(prompt.title):"] + [prompt.hint]
    case .message(let message): return [message.title] + message.lines
    case .menu(let menu): return ["\(menu.title), \(menu.items.count):"]
    case .confirm(let question):
      return [question.question, question.detail, "\(keys(.confirm)): \(question.verb). \(keys(.cancel)): no."]
    case .compose(let editor):
      var lines = [editor.parent == nil ? "New post:" : "Answer:"]
      if let fields = editor.parent?.content.fields {
        lines.append(
          "to @\(String(decoding: fields.author.handle, as: UTF8.self)): \(String(decoding: fields.text, as: UTF8.self))"
        )
      }
      lines.append("\(keys(.send)) sends, \(keys(.cancel)) leaves.")
      return lines
    }
  }
}
