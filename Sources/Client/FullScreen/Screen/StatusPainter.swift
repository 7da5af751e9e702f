internal import ClientCore
internal import Terminal
internal import ViewState

/// Draws the status line: the focused pane, the connection and the most useful keys.
struct StatusPainter {
  let look: ScreenLook

  /// Draws the status line. `hasFoot` is true if the navigation pane shows that the connection is live.
  func paint(_ snapshot: ViewSnapshot, _ state: ScreenState, hasFoot: Bool, on picture: inout Picture) {
    let base = look.theme[.status].over(look.theme[.text])
    let facts = statusFacts(snapshot, state, hasFoot: hasFoot)
    var pieces: [Picture.Piece] = []
    var room = state.columns - 1
    func add(_ text: some Collection<UInt8>, _ role: ThemeRole?) {
      let clipped = ClippedText(text, width: room, end: look.glyphs.end)
      guard clipped.cells > 0 else { return }
      pieces.append(Picture.Piece(clipped.bytes, role.map { look.theme[$0].over(base) } ?? base))
      room -= clipped.cells
    }
    for (number, fact) in facts.enumerated() {
      if number > 0 { add(" \(look.glyphs.dot) ".utf8, nil) }
      add(fact.text, fact.role)
    }
    if state.status.message.isEmpty {
      for (number, hint) in state.status.hints.enumerated() {
        let needed = CellText.width(hint.keys) + CellText.width(hint.does) + 3
        guard room > needed else { break }
        add((number == 0 ? "   " : "  ").utf8, nil)
        add(hint.keys.utf8, .statusKey)
        add(" \(hint.does)".utf8, nil)
      }
    }
    var builder = LineBuilder(0..<state.columns, base: base)
    builder.add(pieces, column: 1, width: state.columns - 1)
    for run in builder.finish() { picture.put(run, line: state.lines - 1) }
  }

  private func statusFacts(
    _ snapshot: ViewSnapshot, _ state: ScreenState, hasFoot: Bool
  ) -> [(text: [UInt8], role: ThemeRole?)] {
    let status = state.status
    var facts: [(text: [UInt8], role: ThemeRole?)] = []
    func addFact(_ text: String, _ role: ThemeRole? = nil) {
      if !text.isEmpty { facts.append((Array(text.utf8), role)) }
    }
    if !status.message.isEmpty { addFact(status.message, status.weight == .warning ? .statusWarning : nil) }
    switch status.connection {
    case .live: break
    case .connecting: addFact("\(look.glyphs.offline) connecting", .statusWarning)
    case .offline(let since): addFact("\(look.glyphs.offline) offline since \(since)", .statusWarning)
    }
    if let pane = snapshot.panes.last(where: { $0.header.paneID == state.focused.paneID }) ?? snapshot.panes.last {
      facts.append((pane.header.title, nil))
      if !pane.header.filter.isEmpty { facts.append((Array("& ".utf8) + pane.header.filter, nil)) }
      if pane.header.kind != .launch { addFact(numbers(of: pane, snapshot.navigation)) }
    }
    addFact(status.sources, .statusWarning)
    addFact(status.progress)
    if status.connection == .live, !hasFoot { addFact("live") }
    addFact(status.session)
    if !status.account.isEmpty {
      addFact(status.account)
    } else if let account = snapshot.navigation.account, snapshot.navigation.isCompact {
      facts.append((Array("@".utf8) + account.handle, nil))
    }
    for mark in status.marks { addFact(mark) }
    return facts
  }

  /// Returns "12 new/3,456": the new rows of a section that counts them, and all rows, with "~" before an estimate.
  private func numbers(of pane: Pane, _ navigation: Navigation) -> String {
    let section: Section? =
      switch pane.header.kind {
      case .timeline: .timeline
      case .mentions: .mentions
      case .messages: .messages
      default: nil
      }
    let news = navigation.rows.first { $0.section == section }?.unseen ?? 0
    let all = (pane.status.isExact ? "" : "~") + NumberText.grouped(pane.status.rowCount)
    return news > 0 ? "\(news) new/\(all)" : all
  }
}
