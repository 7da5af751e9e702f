internal import ClientCore
internal import Terminal
internal import ViewState

/// Draws the navigation pane: the account, six sections, and at the foot the account and the connection
/// (docs/BEHAVIOUR.md, section 1).
struct NavigationPainter {
  let look: ScreenLook

  /// Draws the visible part: `width` cells at the left edge.
  func paint(_ navigation: Navigation, width: Int, _ state: ScreenState, on picture: inout Picture) {
    let width = min(width, state.columns)
    guard width > 0 else { return }
    let clip = 0..<width
    let lines = state.lines - ScreenState.statusLines
    let base = look.theme[.navigation].over(look.theme[.text])
    var drawn: [Int: [Picture.Run]] = [:]
    func draw(_ line: Int, _ fill: (inout LineBuilder) -> Void) {
      guard 0..<lines ~= line else { return }
      var builder = LineBuilder(clip, base: base)
      fill(&builder)
      drawn[line] = builder.finish()
    }
    let isStrip = width < NavigationPlaces.strip
    header(navigation.account, isStrip: isStrip, width: width, draw)
    let places = NavigationPlaces(navigation, lines: state.lines)
    let rule = look.theme[.navigationLine].over(base)
    for (row, line) in zip(navigation.rows, places.sections) {
      if places.isAiry { draw(line - 1) { $0.fill(look.glyphs.horizontal, rule, column: 0, width: width - 1) } }
      draw(line) { section(row, isStrip: isStrip, width: width, base, &$0) }
    }
    if places.isAiry { draw(places.end) { $0.fill(look.glyphs.horizontal, rule, column: 0, width: width - 1) } }
    if NavigationPlaces.hasFoot(navigation, width: width, lines: state.lines) {
      draw(lines - 2) { $0.fill(look.glyphs.horizontal, rule, column: 0, width: width - 1) }
      draw(lines - 1) { foot(navigation, state, width: width, base, &$0) }
    }
    for line in 0..<lines {
      for run in drawn[line] ?? [Picture.Run(column: 0, width: width, [], blank: base)] { picture.put(run, line: line) }
    }
  }

  /// Draws the avatar, name and handle.
  private func header(
    _ account: RowAuthor?, isStrip: Bool, width: Int, _ draw: (Int, (inout LineBuilder) -> Void) -> Void
  ) {
    guard let account else { return }
    let base = look.theme[.navigation].over(look.theme[.text])
    let first = ScreenState.titleLines
    for line in 0..<Avatar.height {
      draw(first + line) { builder in
        let column = isStrip ? 0 : 1
        Avatar.add(account, line: line, column: column, look, to: &builder)
        guard !isStrip else { return }
        let room = width - column - Avatar.width - 1
        let text = line == 0 ? account.displayName : Array("@".utf8) + account.handle
        let clipped = ClippedText(text, width: room, end: look.glyphs.end)
        let role: ThemeRole = line == 0 ? .account : .footer
        builder.add(
          [Picture.Piece(clipped.bytes, look.theme[role].over(base))], column: column + Avatar.width + 1, width: room)
      }
    }
  }

  /// Draws the account and the state of the connection; of a lost connection only that.
  private func foot(
    _ navigation: Navigation, _ state: ScreenState, width: Int, _ base: Style, _ builder: inout LineBuilder
  ) {
    let handle = navigation.account.map { Array("@".utf8) + $0.handle + Array(" \(look.glyphs.dot) ".utf8) } ?? []
    let (words, role): ([UInt8], ThemeRole) =
      switch state.status.connection {
      case .live: (handle + Array("live".utf8), .footer)
      case .connecting: (Array("\(look.glyphs.offline) connecting".utf8), .navigationGlow)
      case .offline(let since): (Array("\(look.glyphs.offline) offline since \(since)".utf8), .navigationGlow)
      }
    let text = ClippedText(words, width: width - 1, end: look.glyphs.end)
    builder.add(
      [Picture.Piece(text.bytes, look.theme[role].over(base))], column: 1, width: width - 1, blank: base)
  }

  /// Returns the character for a section in plain ASCII: a common key for it, or its first letter.
  private static func letter(of row: Navigation.Row) -> String {
    switch row.section {
    case .mentions: "@"
    case .search: "/"
    default: String(row.label.prefix(1))
    }
  }

  /// Draws the icon, the label and the number of new rows. The section glows while that is not 0.
  private func section(_ row: Navigation.Row, isStrip: Bool, width: Int, _ base: Style, _ builder: inout LineBuilder) {
    let role: ThemeRole? = row.isSelected ? .navigationSelected : nil
    let base = role.map { look.theme[$0].over(base) } ?? base
    let style = row.unseen > 0 ? look.theme[.navigationGlow].over(base) : base
    let mark = row.isSelected ? look.glyphs.selected : " "
    builder.add(mark, style, column: 0, width: 1)
    let icon = look.glyphs == .unicode ? String(row.icon.prefix(1)) : Self.letter(of: row)
    if isStrip {
      builder.add(icon, style, column: 1, width: row.unseen > 0 ? 1 : width - 1)
      if row.unseen > 0 {
        builder.add(row.unseen < 10 ? "\(row.unseen)" : look.glyphs.glow, style, column: 2, width: max(0, width - 2))
      }
      return
    }
    builder.add(icon, style, column: 1, width: 2)
    let count =
      row.unseen == 0 ? "" : row.unseen >= 1000 ? "\(look.glyphs.glow) 1000+ " : "\(look.glyphs.glow) \(row.unseen) "
    let countWidth = CellText.width(count)
    let room = max(0, width - 3 - countWidth)
    let label = ClippedText(row.label.utf8, width: room, end: look.glyphs.end)
    builder.add([Picture.Piece(label.bytes, style)], column: 3, width: room, blank: base)
    if countWidth > 0 { builder.add(count, style, column: 3 + room, width: countWidth) }
  }
}
