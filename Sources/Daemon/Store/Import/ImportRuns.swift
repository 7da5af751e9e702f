internal import Dates
internal import Posts

/// Remembers which posts an import brought first, as ranges of their numbers: those of a batch follow each other.
final class ImportRuns {
  private let connection: Connection
  private let transaction: Transaction

  init(_ connection: Connection, _ transaction: Transaction) {
    (self.connection, self.transaction) = (connection, transaction)
  }

  /// Records a batch of an account whose posts have the numbers above `last`. Returns the number of its run; nil if the
  /// run has brought nothing so far.
  func record(_ run: ImportRun, of account: AccountID, after last: Int64, _ report: ImportReport) throws(StoreError)
    -> Int64?
  {
    guard report.new + report.changed > 0 else { return run.number }
    // A run that was forgotten meanwhile, or that newer ones have replaced, goes on as another.
    let number = if let known = run.number, try isStored(known) { known } else { try begin(run, of: account) }
    try connection.run(ImportRunQuery.count, number, report.new, report.changed)
    guard transaction.lastPost > last else { return number }
    var first = last + 1
    let range = try connection.first(ImportRunQuery.lastRange, number, read: ClosedRange.init(row:))
    if let range, range.upperBound == last { first = range.lowerBound }
    try connection.run(ImportRunQuery.insertRange, number, first, transaction.lastPost)
    return number
  }

  private func isStored(_ number: Int64) throws(StoreError) -> Bool {
    try ImportRunReader(connection).stored(number) != nil
  }

  private func begin(_ run: ImportRun, of account: AccountID) throws(StoreError) -> Int64 {
    let number = try connection.insert(ImportRunQuery.insert, account, run.name, run.startedAt)
    for old in try connection.rows(ImportRunQuery.surplus, account, StoreLimits.imports, read: { $0.integer(0) }) {
      try remove(old)
    }
    return number
  }

  /// Forgets which posts a run brought.
  func remove(_ number: Int64) throws(StoreError) {
    try connection.run(ImportRunQuery.deleteRanges, number)
    try connection.run(ImportRunQuery.delete, number)
    transaction.noteChange()
  }
}

/// Reads imports.
struct ImportRunReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the imports of an account, or of all; newest first.
  func imports(of account: AccountID?) throws(StoreError) -> [StoredImport] {
    if let account { return try connection.rows(ImportRunQuery.ofAccount, account, read: StoredImport.init(row:)) }
    return try connection.rows(ImportRunQuery.all, read: StoredImport.init(row:))
  }

  /// Returns an import; nil if there is none with this number.
  func stored(_ number: Int64) throws(StoreError) -> StoredImport? {
    try connection.first(ImportRunQuery.byNumber, number, read: StoredImport.init(row:))
  }

  /// Returns the import that brought a post first; nil if none is known.
  func bringing(_ post: PostID) throws(StoreError) -> StoredImport? {
    try connection.first(ImportRunQuery.ofPost, post, read: StoredImport.init(row:))
  }
}

extension StoredImport {
  fileprivate init(row: Statement) {
    self.init(
      number: row.integer(0), account: AccountID(row.integer(1)), name: SafeText(trusted: row.bytes(2)),
      startedAt: Instant(milliseconds: row.integer(3)), new: Int(row.integer(4)), changed: Int(row.integer(5)))
  }
}
