internal import Synchronization

/// A statement that is run more than once: its text, and where each connection keeps it prepared.
///
/// Made once, as a constant of the feature that uses it; a test asks SQLite for the plan of each. Parameters are
/// numbered in the order of the values that it is run with.
struct Query: Sendable {
  let sql: String
  /// The place of the prepared statement in every connection.
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
