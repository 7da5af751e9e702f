internal import Messages
internal import ViewState

/// The person's place in the panes, ahead of the daemon: a move is made at once in the rows held, and told; the
/// daemon's frames then bring what is missing.
struct PaneReader {
  /// The view's mirror.
  var mirror = ViewSnapshot()
  /// The first line that is shown of each pane, by its id, where this side knows.
  var anchors: [UInt64: RowAnchor] = [:]
  /// The pane that has the keys; 0 before the first frame.
  var focusID: UInt64 = 0
  /// Lines of rows that are seen.
  var viewHeight: Int
  var selections = Selections()
  var viewports = ViewportSender()
  var jumps = Jumps()
  var pending = PendingMoves()
  /// Panes that show what is newest.
  var following: Set<UInt64> = []

  /// Nothing to read yet.
  init(viewHeight: Int) { self.viewHeight = viewHeight }

  // MARK: What is there

  /// The pane that has the keys.
  var focused: Pane? { pane(focusID) }

  /// A pane by its id.
  func pane(_ id: UInt64) -> Pane? { mirror.panes.last { $0.header.paneID == id } }

  /// The place of a pane in the stack.
  func index(of id: UInt64) -> Int? { mirror.panes.firstIndex { $0.header.paneID == id } }

  /// The rows of a pane that are seen.
  func window(of pane: Pane) -> PaneWindow {
    PaneWindow(pane, known: anchors[pane.header.paneID], height: viewHeight)
  }

  /// The row that is selected in a pane, ahead of the daemon; 0 for none.
  func selectedRow(of id: UInt64) -> UInt64 { selections.row(in: id) ?? pane(id)?.selection.rowID ?? 0 }

  /// The selected row of the focused pane; else the post that a conversation is about, or the first row that is seen.
  var currentRow: PlacedRow? {
    guard let pane = focused else { return nil }
    let id = selectedRow(of: pane.header.paneID)
    if let row = pane.rows.first(where: { $0.rowID == id }) ?? pane.selection.row, row.rowID == id { return row }
    return window(of: pane).start.map { pane.rows[$0] }
  }

  /// True where the rows held are those of the place where the person is: a frame may be of an older place, and the next
  /// of the right one.
  func isPlaced(in pane: Pane) -> Bool {
    guard let anchor = anchors[pane.header.paneID], viewports.isAhead(pane.header.paneID), !pane.rows.isEmpty
    else { return true }
    return anchor.rowID == 0 ? pane.status.rowsAbove == 0 : pane.rows.contains { $0.rowID == anchor.rowID }
  }

  /// The focused pane is not yet where the person was going in it.
  var isOnTheWay: Bool {
    if let pane = focused, !isPlaced(in: pane) { return true }
    return pending.isUnderWay(in: focusID) || jumps.isWaiting(in: focusID, answered: mirror.viewportGeneration)
  }

  /// True where nothing leads on from the place in the focused pane.
  var isAtRest: Bool { pending.isEmpty && !jumps.isUnderWay(in: focusID) }

  // MARK: Selecting

  /// Selects a row here at once, and for the session as soon as the daemon has taken the one before.
  mutating func select(_ row: UInt64, in pane: UInt64, _ connection: inout Connection) {
    guard selectedRow(of: pane) != row else { return }
    selections.select(row, in: pane)
    sendSelection(&connection)
  }

  /// Tells the daemon of the next selection.
  mutating func sendSelection(_ connection: inout Connection) {
    guard connection.isOpen, let (pane, row) = selections.next() else { return }
    var request = SelectRequest()
    request.command = connection.command()
    request.paneID = pane
    request.rowID = row
    connection.call(.select(pane: pane, row: row), Method.select, request)
  }

  /// Takes the answer to a selection.
  mutating func selectionAnswered(
    pane: UInt64, row: UInt64, _ result: Result<[UInt8], CallEnd>, _ connection: inout Connection
  ) {
    let answer: Selections.Answer =
      switch result {
      case .success(let bytes): .taken(revision: (try? PaneResponse(decoding: bytes).revision) ?? 0)
      case .failure(let end): end.isTransient ? .unreachable : .refused
      }
    if selections.answered(pane, row, answer, shown: mirror.revision) { sendSelection(&connection) }
  }

  // MARK: Scrolling

  /// Shows a pane from a line of the rows held on, as far as there are any.
  mutating func scroll(_ pane: Pane, to line: Int) {
    let scroll = PaneScroll(pane)
    guard scroll.height > 0 else { return }
    let line = min(max(0, line), scroll.last(viewHeight: viewHeight))
    let anchor = line == 0 && pane.status.rowsAbove == 0 ? RowAnchor() : scroll.anchor(at: line)
    let id = pane.header.paneID
    jumps.end(in: id)
    guard PaneScroll.anchor(of: pane, known: anchors[id]) != anchor else { return }
    anchors[id] = anchor
    viewports.want(id, .anchor(anchor))
  }

  /// Scrolls by so many lines: as far as rows are held at once, and the rest of the way when those beyond have come.
  mutating func scroll(by lines: Int, in pane: Pane) {
    let id = pane.header.paneID
    following.remove(id)
    let window = window(of: pane)
    var target = window.seen.lowerBound + lines
    if let left = pending.takeLines(), left.pane == id { target += left.count }
    scroll(pane, to: target)
    let rest = target - min(max(0, target), window.lastTop)
    guard rest > 0 ? pane.hasMoreBelow : rest < 0 && pane.status.rowsAbove > 0 else { return }
    pending.setLines(rest, in: id)
  }

  /// Shows the end of the rows held, and selects the last.
  mutating func scrollToEnd(of pane: Pane, _ connection: inout Connection) {
    guard let last = pane.rows.last else { return }
    scroll(pane, to: Int.max)
    select(last.rowID, in: pane.header.paneID, &connection)
  }

  /// By so many parts of the screen's height; the selected row stays on the screen.
  mutating func movePage(_ numerator: Int, of denominator: Int, _ connection: inout Connection) {
    guard let pane = focused, !pane.rows.isEmpty else { return }
    scroll(by: numerator * max(1, (viewHeight - 1) / denominator), in: pane)
    // What is selected is told by where the way ends, not by how far the rows held reach.
    if pending.lines == nil { keepSelectionSeen(numerator, in: pane, &connection) }
  }

  /// Stays where the rows held end: something else is done now.
  mutating func stopScrolling(_ connection: inout Connection) {
    guard let left = pending.takeLines() else { return }
    if left.pane == focusID, let pane = pane(left.pane), !pane.rows.isEmpty {
      keepSelectionSeen(left.direction, in: pane, &connection)
    }
  }

  /// Selects a row that is seen where the selected one is not seen any more.
  private mutating func keepSelectionSeen(_ direction: Int, in pane: Pane, _ connection: inout Connection) {
    let id = pane.header.paneID
    guard let index = window(of: pane).successor(of: selectedRow(of: id), direction: direction) else { return }
    select(pane.rows[index].rowID, in: id, &connection)
  }

  // MARK: Rows

  /// Selects a row that is held, and shows it.
  mutating func go(to row: UInt64, in pane: Pane, _ connection: inout Connection) {
    let id = pane.header.paneID
    guard pane.rows.contains(where: { $0.rowID == row }) else { return }
    following.remove(id)
    select(row, in: id, &connection)
    let window = window(of: pane)
    scroll(pane, to: window.scroll.line(revealing: row, from: window.seen.lowerBound, viewHeight: viewHeight))
  }

  /// To the next row (1) or the one before (-1); through one that is higher than the screen a piece at a time.
  mutating func moveRow(_ step: Int, _ connection: inout Connection) {
    guard let pane = focused, !pane.rows.isEmpty else { return }
    let window = window(of: pane)
    let id = selectedRow(of: pane.header.paneID)
    guard let index = pane.rows.firstIndex(where: { $0.rowID == id }), let lines = window.scroll.lines(of: id),
      lines.overlaps(window.seen)
    else {
      let isNone = !pane.rows.contains { $0.rowID == id }
      if let index = isNone ? window.start : window.firstSeen { go(to: pane.rows[index].rowID, in: pane, &connection) }
      return
    }
    let rest = step > 0 ? lines.upperBound - window.seen.upperBound : window.seen.lowerBound - lines.lowerBound
    if lines.count > viewHeight, rest > 0 {
      return scroll(by: step * min(rest, max(1, viewHeight - 2)), in: pane)
    }
    let next = index + step
    if pane.rows.indices.contains(next) { return go(to: pane.rows[next].rowID, in: pane, &connection) }
    // Keys that are faster than the daemon are not lost: the rest of the way is gone when its rows have come.
    if step > 0 ? pane.hasMoreBelow : pane.status.rowsAbove > 0 { pending.addRow(step, in: pane.header.paneID) }
    // All of the last row is shown.
    go(to: id, in: pane, &connection)
  }

  /// Goes on to where the person was going before rows had come.
  mutating func resumePending(_ connection: inout Connection) {
    if let left = pending.lines, let pane = pane(left.pane), !pane.rows.isEmpty, isPlaced(in: pane) {
      scroll(by: 0, in: pane)
      if left.pane == focusID, pending.lines == nil { keepSelectionSeen(left.direction, in: pane, &connection) }
    }
    guard let rows = pending.rows, pane(rows.pane).map(isPlaced) != false else { return }
    _ = pending.takeRows()
    guard rows.pane == focusID else { return }
    var left = rows.count
    while left != 0 {
      moveRow(rows.direction, &connection)
      if pending.rows != nil { return pending.setRows(left, in: rows.pane) }
      left -= rows.direction
    }
  }

  // MARK: Jumps

  /// Begins a way to a place whose rows the daemon has to send.
  mutating func jump(_ goal: Jumps.Goal, in id: UInt64, to place: ViewportSender.Place) {
    jumps.begin(goal, in: id)
    viewports.want(id, place)
  }

  /// To the first row of the focused pane.
  mutating func goToTop(_ connection: inout Connection) {
    guard let pane = focused, !pane.rows.isEmpty else { return }
    let id = pane.header.paneID
    following.remove(id)
    guard pane.status.rowsAbove == 0 else { return jump(.top, in: id, to: .anchor(RowAnchor())) }
    scroll(pane, to: 0)
    select(pane.rows[0].rowID, in: id, &connection)
  }

  /// To the last row of the focused pane.
  mutating func goToBottom(_ connection: inout Connection) {
    guard let pane = focused, !pane.rows.isEmpty else { return }
    following.remove(pane.header.paneID)
    guard pane.hasMoreBelow else { return scrollToEnd(of: pane, &connection) }
    // Beyond the ends an instant leads to the row that is nearest to it.
    jump(.bottom, in: pane.header.paneID, to: .instant(pane.isNewestFirst ? Self.earliest : Self.latest))
  }

  /// To the post of an instant, or the nearest.
  mutating func go(toInstant milliseconds: Int64) {
    guard let pane = focused, !pane.rows.isEmpty else { return }
    following.remove(pane.header.paneID)
    jump(.instant, in: pane.header.paneID, to: .instant(milliseconds == 0 ? 1 : milliseconds))
  }

  /// Instants beyond those of any post: the years 1 and 9999.
  private static let earliest: Int64 = -62_135_596_800_000
  private static let latest: Int64 = 253_402_300_799_000

  /// To what is newest in the focused pane.
  mutating func goToNewest(_ connection: inout Connection) {
    guard let pane = focused else { return }
    if pane.isNewestFirst { goToTop(&connection) } else { goToBottom(&connection) }
  }

  /// Every pane to what is newest in it.
  mutating func goToNewestEverywhere(_ connection: inout Connection) {
    let focus = focusID
    for pane in mirror.panes where !pane.rows.isEmpty {
      focusID = pane.header.paneID
      goToNewest(&connection)
    }
    focusID = focus
  }

  /// Shows what is newest in the focused pane from now on, or no longer. True where it does so now.
  mutating func toggleFollow(_ connection: inout Connection) -> Bool {
    if following.remove(focusID) != nil { return false }
    goToNewest(&connection)
    following.insert(focusID)
    return true
  }
}
