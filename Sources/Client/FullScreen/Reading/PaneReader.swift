internal import Messages
internal import ViewState

/// The user's position in the panes, ahead of the daemon. Moves are made at once in the rows held, and sent; the
/// daemon's frames then bring what is missing.
struct PaneReader {
  /// The mirror of the view, without its preview: the panes that keys act on.
  var mirror = ViewSnapshot()
  /// The mirror of the view as frames make it.
  private(set) var held = ViewSnapshot()
  /// The first visible line of each pane, by its id, as far as known on this side.
  var anchors: [UInt64: LineAnchor] = [:]
  /// The pane that has the keys; 0 before the first frame.
  var focusID: UInt64 = 0
  /// True if the focus goes along when the stack slides; false after the user has chosen a pane: a slide that was asked
  /// for before does not take the focus away again.
  var followsSlides = true
  /// The height of the panes below their titles, in lines.
  var viewHeight: Int
  var selections = Selections()
  var viewports = ViewportSender()
  var jumps = Jumps()
  var pending = PendingMoves()
  /// The row marked in a pane without a selection (``settleMark()``).
  private var marked: [UInt64: UInt64] = [:]
  /// Panes that follow their newest row.
  var following: Set<UInt64> = []
  /// The words looked for in a pane; nil for none.
  var find: FindInPane?

  /// A reader of an empty view.
  init(viewHeight: Int) { self.viewHeight = viewHeight }

  // MARK: Panes and rows

  /// The pane that has the keys.
  var focused: Pane? { pane(focusID) }

  /// Applies a frame, completely or, if it throws, not at all.
  mutating func apply(_ frame: Frame) throws(FrameMismatch) {
    try held.apply(frame)
    mirror = held.withoutPreview
  }

  /// Returns the pane with an id.
  func pane(_ id: UInt64) -> Pane? {
    mirror.panes.last { $0.header.paneID == id } ?? preview.flatMap { $0.header.paneID == id ? $0 : nil }
  }

  /// The preview beside the panes; nil if there is none.
  var preview: Pane? { held.panes.last.flatMap { $0.header.isPreview ? $0 : nil } }

  /// The post to preview: that of the current row of the topmost pane, unless that pane is its conversation; 0 for none.
  var previewedPost: UInt64 {
    guard let top = mirror.panes.last, let fields = currentRow(of: top)?.content.fields, fields.kind == .post else {
      return 0
    }
    return top.header.kind == .conversation && top.header.subject == fields.postID ? 0 : fields.postID
  }

  /// Returns the index of a pane in the stack.
  func index(of id: UInt64) -> Int? { mirror.panes.firstIndex { $0.header.paneID == id } }

  /// Returns the height of a pane's rows, in lines.
  func height(of pane: Pane) -> Int { viewHeight - PaneHead.height(of: pane, in: viewHeight) }

  /// Returns the visible rows of a pane.
  func window(of pane: Pane) -> PaneWindow {
    PaneWindow(pane, known: anchors[pane.header.paneID], height: height(of: pane))
  }

  /// Returns the selected row of a pane, ahead of the daemon; 0 for none.
  func selectedRow(of id: UInt64) -> UInt64 { selections.row(in: id) ?? pane(id)?.selection.rowID ?? 0 }

  /// Returns the selected row of a pane; if there is none, the row that is marked instead; 0 for none.
  func cursorRow(of id: UInt64) -> UInt64 {
    let selected = selectedRow(of: id)
    return selected != 0 ? selected : marked[id] ?? 0
  }

  /// Marks a row in the focused pane if none is selected, so that the user sees on which row keys act: the post that a
  /// conversation is about, the newest message, or the first visible row. When posts arrive above it at the top, it
  /// stays marked for as long as it is visible. Other views of the session see nothing of it. O(rows held).
  mutating func settleMark() {
    guard let pane = focused, selectedRow(of: pane.header.paneID) == 0 else {
      marked = [:]
      return
    }
    let window = window(of: pane)
    let isAtTop = pane.isNewestFirst && pane.status.rowsAbove == 0 && window.seen.lowerBound == 0
    if isAtTop, let row = marked[pane.header.paneID], let lines = window.scroll.lines(of: row),
      lines.overlaps(window.seen)
    {
      return
    }
    marked = window.start.map { [pane.header.paneID: pane.rows[$0].rowID] } ?? [:]
  }

  /// The row on which keys act: the selected row of the focused pane, or the one that is marked instead.
  var currentRow: PlacedRow? { focused.flatMap { currentRow(of: $0) } }

  private func currentRow(of pane: Pane) -> PlacedRow? {
    let id = cursorRow(of: pane.header.paneID)
    if let row = pane.rows.first(where: { $0.rowID == id }) ?? pane.selection.row, row.rowID == id { return row }
    return window(of: pane).start.map { pane.rows[$0] }
  }

  /// Returns what a row of the focused pane leads to (docs/BEHAVIOUR.md, rule 15); nil for nothing.
  func subject(of row: PlacedRow) -> Subject? {
    let fields = row.content.fields
    switch fields.kind {
    case .list: return .list(String(fields.rowID))
    case _ where fields.direct != 0 && focused?.header.kind == .messages: return .direct(fields.direct)
    default: return fields.postID == 0 ? nil : .conversation(String(fields.postID))
    }
  }

  /// True if the rows held belong to the user's position. A frame may still show an older position; a later one shows
  /// the right one.
  func isPlaced(in pane: Pane) -> Bool {
    guard let anchor = anchors[pane.header.paneID], viewports.isAhead(pane.header.paneID), !pane.rows.isEmpty
    else { return true }
    return anchor.rowID == 0 ? pane.status.rowsAbove == 0 : pane.rows.contains { $0.rowID == anchor.rowID }
  }

  /// True if the focused pane has not yet reached the place the user is going to.
  var isMovePending: Bool {
    if let pane = focused, !isPlaced(in: pane) { return true }
    return pending.isUnderWay(in: focusID) || jumps.isWaiting(in: focusID, answered: mirror.viewportGeneration)
  }

  /// True if no move or jump is pending in the focused pane.
  var isAtRest: Bool { pending.isEmpty && !jumps.isUnderWay(in: focusID) }

  // MARK: Selecting

  /// Selects a row at once on this side, and in the session once the daemon has accepted the previous selection.
  mutating func select(_ row: UInt64, in pane: UInt64, _ connection: inout Connection) {
    guard selectedRow(of: pane) != row else { return }
    selections.select(row, in: pane)
    sendSelection(&connection)
  }

  /// Sends the next selection to the daemon.
  mutating func sendSelection(_ connection: inout Connection) {
    guard connection.isOpen, let (pane, row) = selections.next() else { return }
    var request = SelectRequest()
    request.command = connection.command()
    request.paneID = pane
    request.rowID = row
    connection.call(.select(pane: pane, row: row), Method.select, request)
  }

  /// Handles the answer to a selection.
  mutating func selectionAnswered(
    pane: UInt64, row: UInt64, _ result: Result<[UInt8], CallEnd>, _ connection: inout Connection
  ) {
    let answer: Selections.Answer =
      switch result {
      case .success(let bytes): .accepted(revision: (try? PaneResponse(decoding: bytes).revision) ?? 0)
      case .failure(let end) where end.code == CallEnd.permissionDenied: .kept
      case .failure(let end): end.isTransient ? .unreachable : .refused
      }
    if selections.answered(pane, row, answer, shown: mirror.revision) { sendSelection(&connection) }
  }

  // MARK: Scrolling

  /// Scrolls a pane so that it shows the rows held from `line` on, as far as there are any.
  mutating func scroll(_ pane: Pane, to line: Int) {
    let scroll = PaneScroll(pane)
    guard scroll.height > 0 else { return }
    let line = min(max(0, line), scroll.last(viewHeight: height(of: pane)))
    let anchor = line == 0 && pane.status.rowsAbove == 0 ? LineAnchor() : scroll.anchor(at: line)
    let id = pane.header.paneID
    jumps.end(in: id)
    guard PaneScroll.anchor(of: pane, known: anchors[id]) != anchor else { return }
    anchors[id] = anchor
    viewports.want(id, .anchor(anchor))
  }

  /// Scrolls by `lines`: at once as far as rows are held, and the rest when more rows arrive.
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

  /// Shows the end of the rows held, and selects the last row.
  mutating func scrollToEnd(of pane: Pane, _ connection: inout Connection) {
    guard let last = pane.rows.last else { return }
    scroll(pane, to: Int.max)
    select(last.rowID, in: pane.header.paneID, &connection)
  }

  /// Scrolls by a fraction of the screen's height. The selected row stays on the screen.
  mutating func movePage(_ numerator: Int, of denominator: Int, _ connection: inout Connection) {
    guard let pane = focused, !pane.rows.isEmpty else { return }
    scroll(by: numerator * max(1, (height(of: pane) - 1) / denominator), in: pane)
    // The selection depends on where the scroll ends, not on how far the rows held reach.
    if pending.lines == nil { keepSelectionSeen(numerator, in: pane, &connection) }
  }

  /// Cancels the rest of a scroll, because something else is done now.
  mutating func stopScrolling(_ connection: inout Connection) {
    guard let left = pending.takeLines() else { return }
    if left.pane == focusID, let pane = pane(left.pane), !pane.rows.isEmpty {
      keepSelectionSeen(left.direction, in: pane, &connection)
    }
  }

  /// Selects a visible row if the selected one is no longer visible.
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
    scroll(pane, to: window.scroll.line(revealing: row, from: window.seen.lowerBound, viewHeight: height(of: pane)))
  }

  /// Moves to the next row (1) or the previous one (-1). A row higher than the screen is scrolled in steps.
  mutating func moveRow(_ step: Int, _ connection: inout Connection) {
    guard let pane = focused, !pane.rows.isEmpty else { return }
    let window = window(of: pane)
    let id = cursorRow(of: pane.header.paneID)
    guard let index = pane.rows.firstIndex(where: { $0.rowID == id }), let lines = window.scroll.lines(of: id),
      lines.overlaps(window.seen)
    else {
      let isNone = !pane.rows.contains { $0.rowID == id }
      if let index = isNone ? window.start : window.firstSeen { go(to: pane.rows[index].rowID, in: pane, &connection) }
      return
    }
    let rest = step > 0 ? lines.upperBound - window.seen.upperBound : window.seen.lowerBound - lines.lowerBound
    if lines.count > height(of: pane), rest > 0 {
      return scroll(by: step * min(rest, max(1, height(of: pane) - 2)), in: pane)
    }
    let next = index + step
    if pane.rows.indices.contains(next) { return go(to: pane.rows[next].rowID, in: pane, &connection) }
    // Keys that are faster than the daemon are not lost: the move continues when its rows arrive.
    if step > 0 ? pane.hasMoreBelow : pane.status.rowsAbove > 0 { pending.addRow(step, in: pane.header.paneID) }
    // Shows all of the last row.
    go(to: id, in: pane, &connection)
  }

  /// Continues moves that waited for rows.
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

  /// Begins a jump to a place whose rows the daemon has to send.
  mutating func jump(_ goal: Jumps.Goal, in id: UInt64, to place: ViewportSender.Place) {
    jumps.begin(goal, in: id)
    viewports.want(id, place)
  }

  /// Goes to the first row of the focused pane.
  mutating func goToTop(_ connection: inout Connection) {
    guard let pane = focused, !pane.rows.isEmpty else { return }
    let id = pane.header.paneID
    following.remove(id)
    guard pane.status.rowsAbove == 0 else { return jump(.top, in: id, to: .anchor(LineAnchor())) }
    scroll(pane, to: 0)
    select(pane.rows[0].rowID, in: id, &connection)
  }

  /// Goes to the last row of the focused pane.
  mutating func goToBottom(_ connection: inout Connection) {
    guard let pane = focused, !pane.rows.isEmpty else { return }
    following.remove(pane.header.paneID)
    guard pane.hasMoreBelow else { return scrollToEnd(of: pane, &connection) }
    // An instant beyond the ends leads to the nearest row.
    jump(.bottom, in: pane.header.paneID, to: .instant(pane.isNewestFirst ? Self.earliest : Self.latest))
  }

  /// Goes to the post of an instant, or the nearest one.
  mutating func go(toInstant milliseconds: Int64) {
    guard let pane = focused, !pane.rows.isEmpty else { return }
    following.remove(pane.header.paneID)
    jump(.instant, in: pane.header.paneID, to: .instant(milliseconds == 0 ? 1 : milliseconds))
  }

  /// Instants beyond those of any post: the years 1 and 9999.
  private static let earliest: Int64 = -62_135_596_800_000
  private static let latest: Int64 = 253_402_300_799_000

  /// Goes to the newest row of the focused pane.
  mutating func goToNewest(_ connection: inout Connection) {
    guard let pane = focused else { return }
    if pane.isNewestFirst { goToTop(&connection) } else { goToBottom(&connection) }
  }

  /// Goes to the newest row of every pane.
  mutating func goToNewestEverywhere(_ connection: inout Connection) {
    let focus = focusID
    for pane in mirror.panes where !pane.rows.isEmpty {
      focusID = pane.header.paneID
      goToNewest(&connection)
    }
    focusID = focus
  }

  /// Turns following the newest row of the focused pane on or off. Returns true if it is on now.
  mutating func toggleFollow(_ connection: inout Connection) -> Bool {
    if following.remove(focusID) != nil { return false }
    goToNewest(&connection)
    following.insert(focusID)
    return true
  }
}
