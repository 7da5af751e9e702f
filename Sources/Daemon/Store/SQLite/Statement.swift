internal import CSQLite

/// A prepared statement: bind parameters (numbered from 1), step through rows, read columns (numbered from 0), reset.
///
/// Owns the `sqlite3_stmt`. Everything bound is copied by SQLite, everything read is copied out, so no pointer outlives
/// a call.
@safe final class Statement {
  private let handle: OpaquePointer
  private let path: String
  /// The first failure to bind since the last reset; told by the next step.
  private var bindResult: Int32 = SQLITE_OK

  /// Takes over `handle`.
  init(taking handle: OpaquePointer, path: String) {
    unsafe self.handle = handle
    self.path = path
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Goes to the next row: true if there is one, false at the end.
  func step() throws(StoreError) -> Bool {
    guard bindResult == SQLITE_OK else { throw error(bindResult) }
    let code = unsafe sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw error(code)
    }
  }

  /// Makes it ready to be bound and stepped again. Its errors were told by `step`.
  func reset() {
    unsafe sqlite3_reset(handle)
    bindResult = SQLITE_OK
  }

  private func note(_ code: Int32) {
    if code != SQLITE_OK && bindResult == SQLITE_OK { bindResult = code }
  }

  private func error(_ code: Int32) -> StoreError {
    let connection = unsafe sqlite3_db_handle(handle)
    return unsafe StoreError(
      code: code, systemError: sqlite3_system_errno(connection), detail: String(cString: sqlite3_errmsg(connection)),
      path: path)
  }
}

// MARK: Parameters

extension Statement {
  /// As INTEGER.
  func bind(_ index: Int32, _ value: Int64) { note(unsafe sqlite3_bind_int64(handle, index, value)) }

  /// As NULL.
  func bindNull(_ index: Int32) { note(unsafe sqlite3_bind_null(handle, index)) }

  /// UTF-8, as TEXT.
  func bind(_ index: Int32, text: [UInt8]) {
    unsafe note(
      text.withUnsafeBytes { unsafe stack_sqlite3_bind_text(handle, index, $0.baseAddress, UInt64($0.count)) })
  }

  /// As TEXT.
  func bind(_ index: Int32, text: String) {
    var text = text
    note(text.withUTF8 { unsafe stack_sqlite3_bind_text(handle, index, $0.baseAddress, UInt64($0.count)) })
  }

  /// As BLOB.
  func bind(_ index: Int32, blob: [UInt8]) {
    unsafe note(
      blob.withUnsafeBytes { unsafe stack_sqlite3_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) })
  }
}

// MARK: Columns

extension Statement {
  /// How many columns a row has.
  var columnCount: Int32 { unsafe sqlite3_column_count(handle) }

  /// An INTEGER column; 0 for NULL.
  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  /// An INTEGER column; nil for NULL.
  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  /// Whether a column is NULL.
  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// The bytes of a BLOB or TEXT column; none for NULL.
  func bytes(_ column: Int32) -> [UInt8] { unsafe [UInt8](lent(column)) }

  /// A TEXT column; empty for NULL.
  func text(_ column: Int32) -> String { unsafe String(decoding: lent(column), as: UTF8.self) }

  /// A TEXT column; nil for NULL.
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// Whether a BLOB or TEXT column holds exactly `bytes`, without copying it.
  func column(_ column: Int32, equals bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe Statement.areEqual($0, lent(column)) }
  }

  /// Whether a TEXT column holds exactly `text`; NULL is nil.
  func column(_ column: Int32, equals text: String?) -> Bool {
    guard var text else { return isNull(column) }
    return !isNull(column) && text.withUTF8 { unsafe Statement.areEqual(UnsafeRawBufferPointer($0), lent(column)) }
  }

  /// The column's memory, SQLite's own: valid until the next step or reset.
  private func lent(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = unsafe sqlite3_column_blob(handle, column)
    return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  private static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let a = left.baseAddress, let b = right.baseAddress else { return left.count == 0 }
    return unsafe stack_memcmp(a, b, UInt(left.count)) == 0
  }
}
