internal import Synchronization

/// A statement that is run repeatedly: its SQL, and its slot among a connection's prepared statements.
///
/// Created once, as a constant of the feature that uses it; a test checks the query plan of each. Parameters are
/// numbered in the order of the values it is run with.
struct Query: Sendable {
  let sql: String
  /// Index of the prepared statement in every connection.
  let slot: Int

  private static let slotsTaken = Atomic<Int>(0)

  init(_ sql: String) {
    self.sql = sql
    slot = Self.slotsTaken.add(1, ordering: .relaxed).oldValue
  }
}

extension Query {
  static let begin = Query("BEGIN IMMEDIATE")
  static let beginReading = Query("BEGIN")
  static let commit = Query("COMMIT")
  static let rollback = Query("ROLLBACK")
}
