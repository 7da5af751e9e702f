/// A migration from one version of the file to the next, in a transaction of its own: SQL first, then code for what SQL
/// cannot do.
struct Migration: Sendable {
  /// Statements without parameters, each ended by a semicolon.
  var sql: String
  /// Fills new tables from old ones if SQL is not enough, for instance because bodies have to be unpacked. Runs inside
  /// the transaction; an error rolls the whole migration back.
  var fill: (@Sendable (Connection) throws(StoreError) -> Void)?

  init(_ sql: String, fill: (@Sendable (Connection) throws(StoreError) -> Void)? = nil) {
    self.sql = sql
    self.fill = fill
  }
}
