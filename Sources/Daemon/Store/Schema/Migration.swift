/// One step from a version of the file to the next, done in a transaction of its own: the SQL, then what SQL cannot
/// fill.
struct Migration: Sendable {
  /// Statements without parameters, each ended by a semicolon.
  var sql: String
  /// Fills new tables from old ones where that needs more than SQL: bodies have to be unpacked, for instance. Reads and
  /// writes by the connection, inside of the transaction; what it throws takes the whole step back.
  var fill: (@Sendable (Connection) throws(StoreError) -> Void)?

  init(_ sql: String, fill: (@Sendable (Connection) throws(StoreError) -> Void)? = nil) {
    self.sql = sql
    self.fill = fill
  }
}
