internal import ClientCore
internal import Terminal
internal import ViewState

/// Draws overlays as panels. `width` is that of a line inside the border.
struct OverlayPainter {
  let look: ScreenLook

  /// Draws an overlay.
  func paint(_ overlay: Overlay, _ state: ScreenState, on picture: inout Picture) {
    let inside = state.panelWidth
    let panel: Panel =
      switch overlay {
      case .help(let help): HelpPainter(look: look).panel(help, width: inside, field: field(_:_:width:))
      case .palette(let palette): self.palette(palette, width: inside)
      case .confirm(let question): confirmation(question, width: inside, state.keymap)
      case .compose(let editor): compose(editor, width: inside, state)
      case .prompt(let prompt): self.prompt(prompt, width: inside)
      case .menu(let menu): self.menu(menu)
      case .message(let message): self.message(message, width: inside)
      }
    PanelPainter(look: look).paint(panel, state, on: &picture)
  }

  private func palette(_ palette: Palette, width: Int) -> Panel {
    var panel = Panel(title: "", isLow: true)
    let shown = palette.suggestions.prefix(10)
    for (number, suggestion) in shown.enumerated() {
      let isSelected = number == palette.selected
      let style = look.panel(isSelected ? .panelSelected : .panel)
      func piece(_ text: String, _ role: ThemeRole) -> Picture.Piece {
        Picture.Piece(Array(text.utf8), look.theme[role].over(style))
      }
      let name = suggestion.argument.isEmpty ? suggestion.name : "\(suggestion.name) \(suggestion.argument)"
      panel.lines.append(
        PanelLine(
          pieces: [
            piece(isSelected ? "\(look.glyphs.selected) " : "  ", .panelTitle), piece(name, .field),
            piece("  \(suggestion.summary)", .panelFaint),
          ],
          blank: style, right: suggestion.keys.first.map { [piece($0, .key)] } ?? []))
    }
    if !palette.failure.isEmpty { panel.lines.append(PanelLine(pieces: [look.words(palette.failure, .error)])) }
    panel.visible = panel.lines.count
    panel.lines.append(field(":", palette.field, width: width))
    panel.foot = "Tab completes, Enter runs, Esc closes"
    return panel
  }

  private func prompt(_ prompt: Prompt, width: Int) -> Panel {
    var panel = Panel(title: prompt.title, isLow: true)
    if !prompt.hint.isEmpty {
      panel.lines += CellText.wrapped(prompt.hint, width: width).map {
        PanelLine(pieces: [look.words($0, .panelFaint)])
      }
    }
    panel.visible = panel.lines.count
    panel.lines.append(field("", prompt.field, width: width))
    return panel
  }

  private func confirmation(_ question: Confirmation, width: Int, _ keymap: Keymap) -> Panel {
    let inside = min(56, width)
    var panel = Panel(title: question.question, width: inside + 4)
    panel.lines = CellText.wrapped(question.detail, width: inside).prefix(4).map { PanelLine(pieces: [look.words($0)]) }
    panel.lines.append(PanelLine())
    let yes = keymap.keys(for: .confirm, in: .confirm).first ?? "y"
    let no = keymap.keys(for: .cancel, in: .confirm).first ?? "n"
    panel.lines.append(
      PanelLine(
        pieces: [
          look.words(yes, .key), look.words(" \(question.verb)    "), look.words(no, .key), look.words(" cancel"),
        ],
        cursor: 0))
    panel.visible = panel.lines.count - 1
    return panel
  }

  private func menu(_ menu: Menu) -> Panel {
    var panel = Panel(title: menu.title, width: 72)
    for (number, item) in menu.items.prefix(1_000).enumerated() {
      let isSelected = number == menu.selected
      let style = look.panel(isSelected ? .panelSelected : .panel)
      func piece(_ text: String, _ role: ThemeRole?) -> Picture.Piece {
        Picture.Piece(HarmlessText.filtered(text.utf8), role.map { look.theme[$0].over(style) } ?? style)
      }
      let digit = number < 9 ? "\(number + 1) " : "  "
      var pieces = [
        piece(isSelected ? look.glyphs.selected : " ", .panelTitle), piece(digit, .key), piece(item.text, nil),
      ]
      if !item.detail.isEmpty { pieces.append(piece("  \(item.detail)", .panelFaint)) }
      panel.lines.append(PanelLine(pieces: pieces, blank: style, cursor: isSelected ? 0 : nil))
    }
    if menu.items.isEmpty {
      panel.lines.append(PanelLine(pieces: [look.words("Nothing to choose from.", .panelFaint)]))
    }
    panel.visible = min(menu.selected, max(0, panel.lines.count - 1))
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
    var panel = Panel(title: editor.isEdit ? "Edit post" : editor.parent == nil ? "New post" : "Reply", isLow: true)
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
    let written = editor.lines(width: width)
    for (number, text) in written.lines.enumerated() {
      let cursor = number == written.line ? written.bytes : nil
      if number == written.line { panel.visible = panel.lines.count }
      panel.lines.append(PanelLine(pieces: [look.words(text, .field)], blank: look.panel(.field), cursor: cursor))
    }
    for _ in written.lines.count..<max(written.lines.count, 3) {
      panel.lines.append(PanelLine(blank: look.panel(.field)))
    }
    if !editor.failure.isEmpty {
      panel.lines += CellText.wrapped(editor.failure, width: width).map { PanelLine(pieces: [look.words($0, .error)]) }
    }
    panel.foot = composeFoot(editor, state.keymap)
    return panel
  }

  private func composeFoot(_ editor: ComposeEditor, _ keymap: Keymap) -> String {
    if editor.isSending { return "Sending." }
    let counter = editor.counter
    var facts = [counter.clusters == 1 ? "1 character" : "\(NumberText.grouped(counter.clusters)) characters"]
    if let remaining = editor.text.isEmpty ? nil : editor.count?.remaining {
      facts.append(
        remaining < 0 ? "\(NumberText.grouped(-remaining)) too many" : "\(NumberText.grouped(remaining)) left")
    } else if counter.bytesLeft < 0 {
      facts.append("\(NumberText.grouped(-counter.bytesLeft)) bytes too many")
    } else if counter.bytesLeft < 1_000 {
      facts.append("\(counter.bytesLeft) bytes left")
    }
    for (action, does) in [(Action.send, "post"), (.cancel, "keep draft"), (.toEditor, "editor")] {
      if let key = keymap.keys(for: action, in: .compose).first { facts.append("\(key) \(does)") }
    }
    return facts.joined(separator: " \(look.glyphs.dot) ")
  }
}

extension HarmlessText {
  /// Filters a text but keeps its line feeds.
  static func filteredLines(_ text: [UInt8]) -> [UInt8] {
    Array(text.split(separator: 0x0A, omittingEmptySubsequences: false).map { filtered($0) }.joined(separator: [0x0A]))
  }
}
