internal import ClientCore
internal import Terminal
internal import ViewState

/// Draws overlays as panels. `width` is that of a line inside the border.
struct OverlayPainter {
  let look: ScreenLook
  /// The columns of the navigation pane.
  let navigation: Int
  /// The left edge of the focused pane.
  let pane: Int

  /// Draws an overlay.
  func paint(_ overlay: Overlay, _ state: ScreenState, on picture: inout Picture) {
    let inside = state.panelWidth
    var panel: Panel =
      switch overlay {
      case .help(let help):
        HelpPainter(look: look, navigation: navigation).panel(help, width: inside, field: field(_:_:width:))
      case .palette(let palette): self.palette(palette, width: inside, lines: state.lines)
      case .confirm(let question): confirmation(question, width: inside, state.keymap)
      case .compose(let editor): compose(editor, width: inside, state)
      case .prompt(let prompt): self.prompt(prompt, width: inside)
      case .menu(let menu): self.menu(menu, width: inside, room: state.columns - navigation)
      case .message(let message): self.message(message, width: inside)
      }
    panel.foot = foot(of: overlay, state.keymap)
    PanelPainter(look: look, navigation: navigation, pane: pane).paint(panel, state, on: &picture)
  }

  /// Returns what the keys of an overlay do. A question names its keys itself.
  private func foot(of overlay: Overlay, _ keymap: Keymap) -> String {
    let keys: [(Action, String)]
    switch overlay {
    case .help: keys = [(.cancel, "closes")]
    case .palette: keys = [(.complete, "completes"), (.choose, "runs"), (.cancel, "closes")]
    case .confirm: return ""
    case .compose(let editor):
      if editor.isSending { return "Sending." }
      keys = [(.send, editor.isEdit ? "saves" : "posts"), (.cancel, "keeps a draft"), (.toEditor, "opens your editor")]
    case .prompt(let prompt):
      guard !prompt.verb.isEmpty else { return "" }
      let recalls = prompt.history.lines.isEmpty ? [] : [(Action.previous, "recalls")]
      keys = [(Action.choose, prompt.verb)] + recalls + [(Action.cancel, "closes")]
    case .menu(let menu):
      keys = (menu.items.isEmpty ? [] : [(Action.choose, "chooses")]) + [(Action.cancel, "closes")]
    case .message: keys = [(.cancel, "closes")]
    }
    let facts = keys.compactMap { action, does in
      keymap.keys(for: action, in: overlay.context).first.map { "\($0) \(does)" }
    }
    let first = if case .help = overlay { ["type to search"] } else { [String]() }
    return (first + facts).joined(separator: " \(look.glyphs.dot) ")
  }

  private func palette(_ palette: Palette, width: Int, lines: Int) -> Panel {
    var panel = Panel(title: "", isLow: true)
    let entries = palette.entries
    let room = max(1, min(10, lines - ScreenState.statusLines - 4))
    let first = min(max(0, palette.selected - room + 1), max(0, entries.count - room))
    let shown = entries[first..<min(entries.count, first + room)]
    let isValue = if case .value? = entries.first { true } else { false }
    let nameWidth = min(isValue ? width - 2 : width / 2, entries.map { CellText.width($0.name) }.max() ?? 0)
    for (number, entry) in zip(first..., shown) {
      panel.lines.append(paletteLine(entry, isSelected: number == palette.selected, nameWidth: nameWidth))
    }
    if !palette.failure.isEmpty {
      panel.lines += CellText.wrapped(palette.failure, width: width).map { PanelLine(pieces: [look.words($0, .error)]) }
    }
    panel.visible = panel.lines.count
    panel.lines.append(field(":", palette.field, width: width))
    if isValue, let command = palette.suggestions.first {
      panel.title = "\(command.name) \(command.argument): \(command.summary)"
    }
    if entries.count > room { panel.count = "\(palette.selected + 1) of \(entries.count)" }
    return panel
  }

  private func paletteLine(_ entry: Palette.Entry, isSelected: Bool, nameWidth: Int) -> PanelLine {
    let style = look.panel(isSelected ? .panelSelected : .panel)
    func piece(_ text: String, _ role: ThemeRole) -> Picture.Piece {
      Picture.Piece(HarmlessText.filtered(text.utf8), look.theme[role].over(style))
    }
    let name = ClippedText(entry.name.utf8, width: nameWidth, end: look.glyphs.end)
    var line = PanelLine(
      pieces: [
        piece(isSelected ? "\(look.glyphs.selected) " : "  ", .panelTitle),
        Picture.Piece(name.bytes, look.theme[.field].over(style)),
      ], blank: style)
    guard case .command(let suggestion) = entry else { return line }
    let gap = String(repeating: " ", count: max(0, nameWidth - name.cells) + 2)
    line.pieces.append(piece(gap + suggestion.summary, .panelFaint))
    line.right = suggestion.keys.first.map { [piece($0, .key)] } ?? []
    return line
  }

  private func prompt(_ prompt: Prompt, width: Int) -> Panel {
    var panel = Panel(title: prompt.title, isLow: true)
    // The reason for a refusal stands in place of the hint: it names what is allowed, too.
    let (words, role): (String, ThemeRole) =
      prompt.failure.isEmpty ? (prompt.hint, .panelFaint) : (prompt.failure, .error)
    if !words.isEmpty {
      panel.lines += CellText.wrapped(words, width: width).map { PanelLine(pieces: [look.words($0, role)]) }
    }
    panel.visible = panel.lines.count
    panel.lines.append(field("", prompt.field, width: width))
    return panel
  }

  private func confirmation(_ question: Confirmation, width: Int, _ keymap: Keymap) -> Panel {
    let inside = min(Self.least - 4, width)
    var panel = Panel(title: question.question, width: inside + 4)
    panel.lines = CellText.wrapped(question.detail, width: inside).prefix(4).map { PanelLine(pieces: [look.words($0)]) }
    panel.lines.append(PanelLine())
    let (yes, no) = question.keys(keymap)
    panel.lines.append(
      PanelLine(
        pieces: [
          look.words(yes, .key), look.words(" \(question.verb)    "), look.words(no, .key),
          look.words(" \(question.refusal)"),
        ],
        cursor: 0))
    panel.visible = panel.lines.count - 1
    return panel
  }

  /// The columns of a pane, and so of a box that is to stand beside the navigation pane on a screen of 80.
  private static let least = 58

  /// Returns the panel of a menu. The selected item is shown whole, in several lines if need be.
  private func menu(_ menu: Menu, width: Int, room: Int) -> Panel {
    let columns = room < Self.least ? 72 : min(72, room)
    let inside = min(width, columns - 4)
    var panel = Panel(title: menu.title, width: columns)
    for (number, item) in menu.items.prefix(Menu.limit).enumerated() {
      let isSelected = number == menu.selected
      let style = look.panel(isSelected ? .panelSelected : .panel)
      func piece(_ text: String, _ role: ThemeRole?) -> Picture.Piece {
        Picture.Piece(HarmlessText.filtered(text.utf8), role.map { look.theme[$0].over(style) } ?? style)
      }
      let digit = number < 9 ? "\(number + 1) " : "  "
      let isWhole = CellText.width("   \(item.text)  \(item.detail)") <= inside
      let isWrapped = isSelected && !isWhole
      let text = isWrapped ? CellText.wrapped(item.text, width: inside - 3) : [item.text]
      let detail = isWrapped && !item.detail.isEmpty ? CellText.wrapped(item.detail, width: inside - 3) : []
      var pieces = [
        piece(isSelected ? look.glyphs.selected : " ", .panelTitle), piece(digit, .key), piece(text.first ?? "", nil),
      ]
      if !item.detail.isEmpty && !isWrapped { pieces.append(piece("  \(item.detail)", .panelFaint)) }
      panel.lines.append(PanelLine(pieces: pieces, blank: style, cursor: isSelected ? 0 : nil))
      panel.lines += text.dropFirst().map { PanelLine(pieces: [piece("   \($0)", nil)], blank: style) }
      panel.lines += detail.map { PanelLine(pieces: [piece("   \($0)", .panelFaint)], blank: style) }
      if isSelected { panel.visible = panel.lines.count - 1 }
    }
    if menu.items.isEmpty {
      panel.lines.append(PanelLine(pieces: [look.words("Nothing to choose from.", .panelFaint)]))
    }
    return panel
  }

  private func message(_ message: Message, width: Int) -> Panel {
    var panel = Panel(title: message.title)
    panel.lines = message.lines.flatMap { CellText.wrapped($0, width: width) }.map {
      PanelLine(pieces: [look.words($0)])
    }
    return panel
  }

  /// Returns the line of a text field.
  func field(_ title: String, _ field: LineField, width: Int) -> PanelLine {
    let shown = field.shown(width: max(1, width - CellText.width(title)))
    return PanelLine(
      pieces: [look.words(title, .panelTitle), look.words(shown.text, .field)], blank: look.panel(.field),
      cursor: title.utf8.count + shown.cursorBytes)
  }

  private func compose(_ editor: ComposeEditor, width: Int, _ state: ScreenState) -> Panel {
    var panel = Panel(title: editor.title, isLow: true)
    if let parent = editor.parent {
      let fields = parent.content.fields
      let name = String(decoding: HarmlessText.filtered(fields.author.displayName), as: UTF8.self)
      let handle = String(decoding: HarmlessText.filtered(fields.author.handle + fields.author.origin), as: UTF8.self)
      panel.lines.append(PanelLine(pieces: [look.words(name, .author), look.words(" @\(handle)", .handle)]))
      // The parent is cut so that most of the screen is left for the reply.
      let room = max(1, (state.lines - 8) / 3)
      let text = CellText.wrapped(
        String(decoding: HarmlessText.filteredLines(fields.text), as: UTF8.self), width: width)
      for line in text.prefix(room) { panel.lines.append(PanelLine(pieces: [look.words(line, .panelFaint)])) }
      if text.count > room { panel.lines.append(PanelLine(pieces: [look.words(look.glyphs.end, .panelFaint)])) }
      panel.lines.append(
        PanelLine(pieces: [look.words(String(repeating: look.glyphs.horizontal, count: width), .panelBorder)]))
    }
    let lines = [
      ("Warning: ", editor.warning, ComposeEditor.Line.warning), ("Language: ", editor.language, .language),
      ("File: ", editor.file, .file), ("Description: ", editor.description, .description),
    ]
    for (title, typed, line) in lines where !typed.text.isEmpty || editor.typedLine == line {
      var shown = field(title, typed, width: width)
      if editor.typedLine == line { panel.visible = panel.lines.count } else { shown.cursor = nil }
      panel.lines.append(shown)
    }
    let written = editor.lines(width: width)
    for (number, text) in written.lines.enumerated() {
      let cursor = number == written.line && editor.typedLine == nil ? written.bytes : nil
      if cursor != nil { panel.visible = panel.lines.count }
      panel.lines.append(PanelLine(pieces: [look.words(text, .field)], blank: look.panel(.field), cursor: cursor))
    }
    for _ in written.lines.count..<max(written.lines.count, 3) {
      panel.lines.append(PanelLine(blank: look.panel(.field)))
    }
    let completions = editor.completions
    if !completions.matches.isEmpty { panel.lines.append(completionLine(completions)) }
    if !editor.isEdit { panel.lines.append(audienceLine(editor, state.keymap)) }
    if !editor.failure.isEmpty {
      panel.lines += CellText.wrapped(editor.failure, width: width).map { PanelLine(pieces: [look.words($0, .error)]) }
    }
    guard !editor.isSending else { return panel }
    let length = length(of: editor)
    (panel.count, panel.isOverCount) = (length.text, length.isTooLong)
    return panel
  }

  /// Returns the line of the words that Tab inserts.
  private func completionLine(_ completions: (matches: [String], chosen: Int?)) -> PanelLine {
    var line = PanelLine(pieces: [look.words("Tab ", .key)])
    for (number, match) in completions.matches.enumerated() {
      let isChosen = number == completions.chosen ?? 0
      line.pieces.append(
        look.words((isChosen ? look.glyphs.selected : " ") + match + " ", isChosen ? .field : .panelFaint))
    }
    return line
  }

  private func audienceLine(_ editor: ComposeEditor, _ keymap: Keymap) -> PanelLine {
    let words = editor.audience.words(editor.parent?.content.fields)
    let key = editor.mayChangeAudience ? keymap.keys(for: .audience, in: .compose).first : nil
    return PanelLine(
      pieces: [look.words(words, editor.audience == .everyone ? .panelFaint : .warning)],
      right: key.map { [look.words($0, .key), look.words(" changes", .panelFaint)] } ?? [])
  }

  /// Returns the length of a text as far as it is known: "159/280". Bytes count where they are nearer to their limit.
  private func length(of editor: ComposeEditor) -> (text: String, isTooLong: Bool) {
    let counter = editor.counter
    if counter.bytesLeft < 1_000 {
      let bytes = NumberText.grouped(ComposeEditor.byteLimit - counter.bytesLeft)
      return ("\(bytes)/\(NumberText.grouped(ComposeEditor.byteLimit)) bytes", counter.bytesLeft < 0)
    }
    guard let count = editor.count, !editor.text.isEmpty else {
      return (NumberText.count(counter.clusters, "character", "characters"), false)
    }
    return ("\(NumberText.grouped(count.length))/\(NumberText.grouped(count.limit))", count.length > count.limit)
  }
}

extension Palette.Entry {
  /// The text in the first column.
  fileprivate var name: String {
    switch self {
    case .command(let suggestion):
      suggestion.argument.isEmpty ? suggestion.name : "\(suggestion.name) \(suggestion.argument)"
    // Of a path, the part that is being completed.
    case .value(let value):
      String(value[(value.dropLast().lastIndex(of: "/").map { value.index(after: $0) } ?? value.startIndex)...])
    }
  }
}

extension HarmlessText {
  /// Filters a text but keeps its line feeds.
  static func filteredLines(_ text: [UInt8]) -> [UInt8] {
    Array(text.split(separator: 0x0A, omittingEmptySubsequences: false).map { filtered($0) }.joined(separator: [0x0A]))
  }
}
