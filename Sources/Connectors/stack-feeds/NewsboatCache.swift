internal import CSQLite
internal import Feeds

/// The cache of newsboat, a SQLite database (`cache.db`, table `rss_item`; newsboat 2.0 and later).
enum NewsboatCache {
  /// A file that cannot be read as such a cache.
  struct Unreadable: Error {
    /// Why, as a clause.
    let reason: String
  }

  /// Returns a line for each item that was read or deleted. The file is not changed. O(items).
  static func readItems(in path: String) throws(Unreadable) -> [UInt8] {
    var database: OpaquePointer?
    defer { _ = unsafe sqlite3_close(database) }
    try unsafe check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil), database, path)
    var statement: OpaquePointer?
    defer { _ = unsafe sqlite3_finalize(statement) }
    let sql = "SELECT url, title FROM rss_item WHERE unread = 0 OR deleted = 1"
    try unsafe check(sqlite3_prepare_v2(database, sql, -1, &statement, nil), database, path)
    var lines: [UInt8] = []
    while true {
      let code = unsafe sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        try unsafe check(code == SQLITE_DONE ? SQLITE_OK : code, database, path)
        return lines
      }
      lines += unsafe SubscriptionLines.line(itemAt: bytes(statement, 0), title: bytes(statement, 1))
    }
  }

  private static func bytes(_ statement: OpaquePointer?, _ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_text(statement, column) else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }

  private static func check(_ code: Int32, _ database: OpaquePointer?, _ path: String) throws(Unreadable) {
    guard code != SQLITE_OK else { return }
    let words = unsafe sqlite3_errmsg(database).map { unsafe String(cString: $0) } ?? "out of memory"
    throw Unreadable(reason: "\(path) cannot be read as newsboat's cache: \(words)")
  }
}
