internal import ClientCore
internal import Messages
internal import ViewState

/// Posts that are marked read or unread, whatever has been come to by reading.
extension App {
  /// Marks the selected post as read, or as unread where it was read.
  mutating func toggleRead() {
    guard let pane = focusedPane, let row = currentRow else { return }
    guard row.content.fields.postID != 0 else { return tellNoPost(row) }
    forgetShownMarks()
    mark([row.content.fields.postID], isRead: isUnread(row, in: pane))
  }

  /// Marks the posts as read of which anything is seen in the focused pane.
  mutating func markVisibleRead() {
    guard let pane = focusedPane else { return }
    forgetShownMarks()
    let scroll = PaneScroll(pane)
    let first = scroll.line(of: PaneScroll.anchor(of: pane, known: state.anchors[pane.header.paneID]))
    let seen = first..<first + state.viewHeight
    let unread = pane.rows.filter { row in
      scroll.lines(of: row.rowID).map { $0.overlaps(seen) } == true && isUnread(row, in: pane)
    }
    guard !unread.isEmpty else { return tell("Nothing that is seen here is unread.") }
    mark(unread.map(\.content.fields.postID), isRead: true)
  }

  /// Whether a row of a pane is a post that is unread, as far as this client has wanted nothing else since.
  func isUnread(_ row: PlacedRow, in pane: Pane) -> Bool {
    let fields = row.content.fields
    guard fields.kind == .post, fields.postID != 0 else { return false }
    if let wanted = marks[Marked(post: fields.postID, kind: .unread)], isStillToShow(wanted) { return wanted.isOn }
    switch fields.readMark {
    case .read: return false
    case .unread: return true
    case .none:
      guard pane.status.newRows > 0 else { return false }
      // Rows that are held begin above the one that was read last or below it. Gaps among them are counted as rows, and
      // not as new.
      guard let read = pane.rows.firstIndex(where: { $0.rowID == pane.status.readingRow }) else {
        return pane.status.rowsAbove < pane.status.newRows
      }
      return pane.rows.prefix(read).contains { $0.rowID == row.rowID }
    }
  }

  /// Whether it is one that is marked so, wherever it stands.
  func isMarkedUnread(_ row: PlacedRow) -> Bool {
    let fields = row.content.fields
    guard fields.postID != 0 else { return false }
    if let wanted = marks[Marked(post: fields.postID, kind: .unread)], isStillToShow(wanted) { return wanted.isOn }
    return fields.readMark == .unread
  }

  private mutating func mark(_ posts: [UInt64], isRead: Bool) {
    for post in posts { want(Marked(post: post, kind: .unread), !isRead) }
    var request = MarkReadRequest(isRead ? .read : .unread, posts: posts.map(String.init))
    request.requestID = requestID()
    call(.readMarks(posts, isRead: isRead), Method.markRead, request)
  }

  mutating func readMarksAnswered(_ posts: [UInt64], isRead: Bool, _ result: Result<[UInt8], CallEnd>) {
    let answer =
      if case .success(let bytes) = result { try? MarkReadResponse(decoding: bytes) } else { MarkReadResponse?.none }
    for post in posts { markAnswered(Marked(post: post, kind: .unread), shownAt: answer?.revision) }
    if case .failure(let end) = result { return complain(end) }
    let what = posts.count == 1 ? "The post is" : "\(posts.count) posts are"
    tell("\(what) marked as \(isRead ? "read" : "unread"). Undo takes that back.")
  }
}
