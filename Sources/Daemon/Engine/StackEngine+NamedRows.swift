internal import OrderedCollections
internal import Posts
internal import ViewState

/// Rows that commands name: they have to be there.
extension StackEngine {
  /// Whether the row that a command selects or collapses is known to be in its pane; false where the store is being
  /// asked, and true too for a row that its account may see and that would stand beyond what is loaded of the pane's
  /// list.
  ///
  /// - Throws: NOT_FOUND if it is not there, or no pane of that number is.
  mutating func findRow(of next: Session.Waiting, in key: SessionKey) throws(EngineError) -> Bool {
    let stack = sessions[key]!.stack
    let (wanted, row): (UInt64, UInt64)
    switch next.command.action {
    case .select(_, row: 0): return true
    case .select(let pane, let id): (wanted, row) = (pane, id)
    case .collapse(let pane, let post, _): (wanted, row) = (pane, post)
    default: return true
    }
    let pane = stack.panes[try stack.index(of: wanted)]
    let missing = EngineError(.notFound, "there is no row \(row) in pane \(pane.id)")
    if case .collapse = next.command.action {
      // That there is nothing to collapse there is said by the stack.
      guard case .conversation = pane.content else { return true }
    }
    guard let id = Int64(exactly: row).map({ PostID($0) }) else { throw missing }
    // What is collapsed and has gone since can be shown again.
    if case .collapse(_, _, isCollapsed: false) = next.command.action, pane.collapsed.contains(id) { return true }
    let list = pane.list(of: key.account)
    if lists.open.read(list, { $0.contains(id) }) == true { return true }
    if let loaded = lists[list], loaded.isComplete, loaded.isCurrent { throw missing }
    switch pane.content {
    case .lists, .launch: return true
    case .conversation(let subject):
      // Loaded for this, and still without the row: unless it is being read again, that is all of it.
      if next.content != nil {
        guard lists[list]?.isCurrent == false else { throw missing }
        return true
      }
      find(.conversation("\(subject.rawValue)"), for: key)
      return false
    default:
      guard let place = next.row else {
        find(row: id, for: key)
        return false
      }
      if let cursor = lists[list]?.cursor, cursor <= place { throw missing }
      return true
    }
  }

  /// Has the store find a row that the first waiting command names.
  mutating func find(row id: PostID, for key: SessionKey) {
    if !isFinding(for: key) { load(.post(key.account, reference: "\(id.rawValue)"), for: .subject(key)) }
  }
}
