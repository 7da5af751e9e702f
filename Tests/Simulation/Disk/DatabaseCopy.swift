internal import CSQLite

/// A copy of a database on a ``SimulatedDisk`` in its present state. Reading it leaves the original alone.
@safe final class DatabaseCopy {
  /// A value in a row.
  enum Value: Equatable {
    case integer(Int64)
    case bytes([UInt8])
    case null

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var bytes: [UInt8] { if case .bytes(let value) = self { value } else { [] } }
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// An SQLite error.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let vfs: SimulatedVFS
  private var database: OpaquePointer?

  /// Opens the copy of the file at `path`.
  init(_ disk: SimulatedDisk, path: String) throws(Failure) {
    vfs = SimulatedVFS(disk.copy())
    let code = unsafe sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, vfs.name)
    guard code == SQLITE_OK else {
      unsafe sqlite3_close(database)
      unsafe database = nil
      throw Failure(description: "cannot open a copy of \(path): \(code)")
    }
  }

  deinit { unsafe sqlite3_close(database) }

  /// Returns the rows of a query.
  func rows(_ sql: String) throws(Failure) -> [[Value]] {
    var statement: OpaquePointer?
    guard unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
    defer { unsafe sqlite3_finalize(statement) }
    var rows: [[Value]] = []
    while true {
      switch unsafe sqlite3_step(statement) {
      case SQLITE_ROW: rows.append(unsafe (0..<sqlite3_column_count(statement)).map { unsafe value(statement, $0) })
      case SQLITE_DONE: return rows
      default: throw failure
      }
    }
  }

  private var failure: Failure { Failure(description: unsafe String(cString: sqlite3_errmsg(database))) }

  private func value(_ statement: OpaquePointer?, _ column: Int32) -> Value {
    switch unsafe sqlite3_column_type(statement, column) {
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(statement, column))
    default:
      let count = unsafe Int(sqlite3_column_bytes(statement, column))
      guard count > 0, let start = unsafe sqlite3_column_blob(statement, column) else { return .bytes([]) }
      return .bytes(unsafe Array(UnsafeRawBufferPointer(start: start, count: count)))
    }
  }
}
