internal import Posts

/// Identifies an entry of an account's undo log.
struct UndoEntryID: Hashable {
  var account: AccountID
  /// Ascending within the account.
  var number: Int64
}

/// Caches the ends of the undo logs across the writer's transactions.
final class UndoPositions {
  struct Position {
    /// The last number given.
    var last: Int64
    /// True if anything can be redone.
    var hasUndone: Bool
  }

  private let connection: Connection
  private var known: [AccountID: Position] = [:]

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the end of an account's log; read from the file once.
  func position(of account: AccountID) throws(StoreError) -> Position {
    if let position = known[account] { return position }
    let position =
      try connection.first(UndoQuery.state, account) { Position(last: $0.integer(0), hasUndone: $0.integer(1) != 0) }
      ?? Position(last: 0, hasUndone: false)
    known[account] = position
    return position
  }

  /// Records the end of an account's log.
  func setPosition(of account: AccountID, to position: Position) { known[account] = position }
}

/// Records what accounts did, so that they can undo it (docs/adr/0025). An entry is written in the transaction of its
/// change.
final class UndoLog {
  /// The state of an entry: the column `state`.
  enum State: Int64, Bindable { case done, undone, void }

  private let connection: Connection
  private let transaction: Transaction
  private let positions: UndoPositions
  /// The entry that is being undone or redone, or that all changes are currently part of.
  private var current: UndoEntryID?

  init(_ connection: Connection, _ transaction: Transaction, _ positions: UndoPositions) {
    (self.connection, self.transaction, self.positions) = (connection, transaction, positions)
  }

  /// Records a change of an account; entries that were undone can no longer be redone. Returns the new entry. While an
  /// entry is being undone or redone, records nothing and returns that entry.
  @discardableResult
  func record(_ change: UndoEntry, of account: AccountID) throws(StoreError) -> UndoEntryID {
    if let current { return current }
    var position = try positions.position(of: account)
    if position.hasUndone {
      try connection.run(UndoQuery.forgetUndone, account)
      try connection.run(UndoQuery.forgetDeletedPosts, account)
    }
    position.last += 1
    position.hasUndone = false
    let columns = change.columns
    try connection.run(
      UndoQuery.insert, account, position.last, columns.kind, columns.isOn, columns.subject, columns.object,
      columns.before, columns.after)
    transaction.noteChange()
    // In batches, so that an account that writes thousands of posts pays for one row each.
    if position.last % StoreLimits.undoEntries == 0 {
      try connection.run(UndoQuery.forget, account, position.last - StoreLimits.undoEntries)
      try connection.run(UndoQuery.forgetDeletedPosts, account)
    }
    positions.setPosition(of: account, to: position)
    return UndoEntryID(account: account, number: position.last)
  }

  /// Runs `body` as part of undoing or redoing an entry: its changes are not recorded.
  func replaying<Result>(_ undoEntry: UndoEntryID, _ body: () throws -> Result) rethrows -> Result {
    let outer = current
    current = undoEntry
    defer { current = outer }
    return try body()
  }

  /// Runs `body` as part of the entry recorded last: its changes are not recorded.
  func withoutRecording<Result>(of account: AccountID, _ body: () throws -> Result) rethrows -> Result {
    try replaying(current ?? UndoEntryID(account: account, number: 0), body)
  }

  // MARK: Entries

  /// Returns the account's last change that is done, or the first one to redo; nil if there is none.
  func next(of account: AccountID, isRedo: Bool) throws(StoreError) -> (id: UndoEntryID, undoEntry: UndoEntry)? {
    let query = isRedo ? UndoQuery.firstUndone : UndoQuery.lastDone
    guard let (number, undoEntry) = try connection.first(query, account, read: { ($0.integer(0), UndoEntry(row: $0)) })
    else {
      return nil
    }
    guard let undoEntry else {
      throw StoreError(
        kind: .corrupt, message: "the store \(connection.path) has an undo entry of an unknown kind; restore a backup")
    }
    return (UndoEntryID(account: account, number: number), undoEntry)
  }

  /// Returns an entry; nil if it was forgotten.
  func entry(_ id: UndoEntryID) throws(StoreError) -> UndoEntry? {
    try connection.first(UndoQuery.byNumber, id.account, id.number) { UndoEntry(row: $0) } ?? nil
  }

  /// Sets the state of an entry: done, undone or void.
  func setState(of id: UndoEntryID, to state: State) throws(StoreError) {
    try connection.run(UndoQuery.setState, id.account, id.number, state)
    transaction.noteChange()
  }

  /// Returns the number of an account's entries in a state.
  func count(_ state: State, of account: AccountID) throws(StoreError) -> Int {
    try connection.count(UndoQuery.count, account, state)
  }

  /// Records whether an account has anything to redo.
  func noteUndone(_ hasUndone: Bool, of account: AccountID) throws(StoreError) {
    var position = try positions.position(of: account)
    position.hasUndone = hasUndone
    positions.setPosition(of: account, to: position)
  }
}

extension UndoEntry {
  /// Reads the columns after the entry's number.
  fileprivate init?(row: Statement) {
    self.init(
      Columns(
        kind: row.integer(1), isOn: row.integer(2) != 0, subject: row.integer(3), object: row.integer(4),
        before: row.bytes(5),
        after: row.bytes(6)))
  }
}
