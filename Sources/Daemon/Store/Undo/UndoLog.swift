internal import Posts

/// A step of an account's undo log.
struct StepID: Hashable {
  var account: AccountID
  /// Ascending; the account's own.
  var number: Int64
}

/// Where the undo logs of accounts are, of those that have done something; kept from one transaction to the next.
final class UndoPositions {
  struct Position {
    /// The number last given.
    var last: Int64
    /// Whether there is anything to do again.
    var hasUndone: Bool
  }

  private let connection: Connection
  private var known: [AccountID: Position] = [:]

  init(_ connection: Connection) { self.connection = connection }

  /// Where an account's log is; asked of the file once.
  func position(of account: AccountID) throws(StoreError) -> Position {
    if let position = known[account] { return position }
    let position =
      try connection.first(UndoQuery.state, account) { Position(last: $0.integer(0), hasUndone: $0.integer(1) != 0) }
      ?? Position(last: 0, hasUndone: false)
    known[account] = position
    return position
  }

  /// Notes where an account's log is now.
  func move(_ account: AccountID, to position: Position) { known[account] = position }
}

/// What accounts did, step by step, so that they can take it back (docs/adr/0025). A step is written in the transaction
/// that it tells of.
final class UndoLog {
  /// A step's state: the column `state`.
  enum State: Int64, Bindable { case done, undone, void }

  private let connection: Connection
  private let transaction: Transaction
  private let positions: UndoPositions
  /// The step that is being taken back or done again, or of which all that is done is a part.
  private var current: StepID?

  init(_ connection: Connection, _ transaction: Transaction, _ positions: UndoPositions) {
    (self.connection, self.transaction, self.positions) = (connection, transaction, positions)
  }

  /// Notes what an account has done. From then on what it had taken back cannot be done again. Returns the step; while
  /// one is taken back or done again that is the step, and nothing is noted.
  @discardableResult
  func record(_ change: Step, of account: AccountID) throws(StoreError) -> StepID {
    if let current { return current }
    var position = try positions.position(of: account)
    if position.hasUndone {
      try connection.run(UndoQuery.forgetUndone, account)
      try connection.run(UndoQuery.forgetTrash, account)
    }
    position.last += 1
    position.hasUndone = false
    let columns = change.columns
    try connection.run(
      UndoQuery.insert, account, position.last, columns.kind, columns.isOn, columns.subject, columns.object,
      columns.before, columns.after)
    transaction.noteChange()
    // Many at a time: who writes thousands of posts pays for one row each.
    if position.last % StoreLimits.steps == 0 {
      try connection.run(UndoQuery.forget, account, position.last - StoreLimits.steps)
      try connection.run(UndoQuery.forgetTrash, account)
    }
    positions.move(account, to: position)
    return StepID(account: account, number: position.last)
  }

  /// Does `body` as a part of a step that is taken back or done again: nothing of it is noted.
  func replaying<Result>(_ step: StepID, _ body: () throws -> Result) rethrows -> Result {
    let outer = current
    current = step
    defer { current = outer }
    return try body()
  }

  /// Does `body` as a part of the step that was noted last: nothing of it is noted.
  func withoutRecording<Result>(of account: AccountID, _ body: () throws -> Result) rethrows -> Result {
    try replaying(current ?? StepID(account: account, number: 0), body)
  }

  // MARK: Steps

  /// What an account did last, or took back last.
  func next(of account: AccountID, isRedo: Bool) throws(StoreError) -> (id: StepID, step: Step)? {
    let query = isRedo ? UndoQuery.firstUndone : UndoQuery.lastDone
    guard let (number, step) = try connection.first(query, account, read: { ($0.integer(0), Step(row: $0)) }) else {
      return nil
    }
    guard let step else {
      throw StoreError(
        kind: .corrupt, message: "the store \(connection.path) has a step of an unknown kind: restore a backup")
    }
    return (StepID(account: account, number: number), step)
  }

  /// A step; nil where it is forgotten.
  func step(_ id: StepID) throws(StoreError) -> Step? {
    try connection.first(UndoQuery.byNumber, id.account, id.number) { Step(row: $0) } ?? nil
  }

  /// Notes that a step is done, taken back or passed over.
  func set(_ id: StepID, _ state: State) throws(StoreError) {
    try connection.run(UndoQuery.setState, id.account, id.number, state)
    transaction.noteChange()
  }

  /// How many steps of an account are in a state.
  func count(_ state: State, of account: AccountID) throws(StoreError) -> Int {
    try connection.count(UndoQuery.count, account, state)
  }

  /// Notes whether an account has anything to do again.
  func noteUndone(_ hasUndone: Bool, of account: AccountID) throws(StoreError) {
    var position = try positions.position(of: account)
    position.hasUndone = hasUndone
    positions.move(account, to: position)
  }
}

extension Step {
  /// Reads a step's number and then its columns.
  fileprivate init?(row: Statement) {
    self.init(
      Columns(
        kind: row.integer(1), isOn: row.integer(2) != 0, subject: row.integer(3), object: row.integer(4),
        before: row.bytes(5),
        after: row.bytes(6)))
  }
}
