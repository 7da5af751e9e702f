internal import ClientCore
internal import Messages
internal import ViewState

/// What waits to be read: in the root of a section, the posts above the one up to which it has been read (behaviour.md,
/// rule 35).
extension App {
  /// Goes to the next newer unread post (-1), or back to the one before that (1); where this pane has none, in the next
  /// pane that has some. Of posts that are marked unread those are found that the client holds.
  mutating func goToUnread(_ step: Int) {
    guard let pane = focusedPane, !pane.rows.isEmpty else { return tell("Nothing newer is unread.") }
    let selected = selectedRow(of: pane.header.paneID)
    let read = pane.rows.firstIndex { $0.rowID == pane.status.readingRow }
    if let current = pane.rows.firstIndex(where: { $0.rowID == selected }) ?? read {
      var next = current + step
      while pane.rows.indices.contains(next), !isUnread(pane.rows[next], in: pane) { next += step }
      if pane.rows.indices.contains(next) { return goTo(row: pane.rows[next].rowID, in: pane) }
      let isLast = pane.status.rowsAbove + pane.rows.count == pane.status.rowCount
      if step > 0, read != nil, isUnread(pane.rows[current], in: pane) {
        return tell(isLast ? "This is the first unread post." : "This is the first unread post that is loaded.")
      }
    }
    if step < 0, pane.status.rowsAbove > 0, pane.status.newRows > 0,
      read != nil || pane.status.rowsAbove <= pane.status.newRows
    {
      // It is not held yet: the way there begins at the first row that is.
      goTo(row: pane.rows[0].rowID, in: pane)
      return moveRow(-1)
    }
    if pane.status.newRows > 0, read == nil {
      jumps[pane.header.paneID] = .unread(nil)
      return viewports.want(pane.header.paneID, .anchor(RowAnchor(rowID: pane.status.readingRow)))
    }
    guard step < 0 else { return tell("No unread post that is loaded is before this one.") }
    for other in snapshot.panes where other.header.paneID != pane.header.paneID {
      // The oldest of them; where none is held, what is new is above.
      let row = other.rows.last { isUnread($0, in: other) }?.rowID
      guard row != nil || other.status.newRows > other.rows.count(where: { $0.content.fields.readMark == .read }) else {
        continue
      }
      focus(andReveal: other.header.paneID)
      if let row { return goTo(row: row, in: other) }
      jumps[other.header.paneID] = .unread(nil)
      return viewports.want(other.header.paneID, .anchor(RowAnchor(rowID: other.status.readingRow)))
    }
    // From the newest one back to what was left below.
    if let row = pane.rows.last(where: { $0.rowID != selected && isMarkedUnread($0) }) {
      return goTo(row: row.rowID, in: pane)
    }
    tell(
      pane.status.rowsAbove == 0
        ? "Nothing newer is unread." : "Nothing newer that is loaded is unread; & is:unread shows all.")
  }

  // MARK: What is held above

  /// Shows what waits above in the focused pane.
  mutating func refresh() {
    guard let pane = focusedPane else { return }
    let new = pane.status.newRows
    if isNewestFirst(pane) { goToTop() } else { goToBottom() }
    tell(new == 0 ? "Nothing waits here." : new == 1 ? "1 new post." : "\(new) new posts.")
  }

  /// Shows what waits in every pane: each goes to what is newest in it.
  mutating func refreshAll() {
    let new = snapshot.panes.reduce(0) { $0 + $1.status.newRows }
    let focus = state.focused
    for pane in snapshot.panes where !pane.rows.isEmpty {
      state.focused = FocusedPane(paneID: pane.header.paneID)
      if isNewestFirst(pane) { goToTop() } else { goToBottom() }
    }
    state.focused = focus
    tell(new == 0 ? "Nothing waits." : new == 1 ? "1 new post." : "\(new) new posts.")
  }

  // MARK: Pipes

  mutating func askForPipe() {
    guard let row = currentRow else { return tell("There is nothing to give to a command.") }
    guard row.content.fields.kind != .notice else { return tellNoPost(row) }
    prompt(.pipe)
  }

  mutating func pipe(to words: String) {
    guard let row = currentRow else { return }
    effects.append(.pipe(App.words(of: words), RowRecord.line(row)))
  }

  /// A line as words: at blanks, but for those between quotes of either kind. A quote that nothing ends goes to the
  /// end.
  static func words(of line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let done = word { words.append(done) }
    return words
  }
}
