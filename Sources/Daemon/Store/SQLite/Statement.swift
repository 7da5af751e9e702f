internal import CSQLite

/// A prepared statement: bind parameters (numbered from 1), step through rows, read columns (numbered from 0), reset.
///
/// Owns the `sqlite3_stmt`. SQLite copies everything bound, and everything read is copied out, so no pointer outlives a
/// call.
@safe final class Statement {
  private let handle: OpaquePointer
  private let path: String
  /// The first failure to bind since the last reset; the next step throws it.
  private var bindResult: Int32 = SQLITE_OK

  /// Takes ownership of `handle`.
  init(taking handle: OpaquePointer, path: String) {
    unsafe self.handle = handle
    self.path = path
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Steps to the next row; returns false at the end.
  func step() throws(StoreError) -> Bool {
    guard bindResult == SQLITE_OK else { throw error(bindResult) }
    let code = unsafe sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw error(code)
    }
  }

  /// Resets the statement, to be bound and stepped again. `step` has thrown its errors already.
  func reset() {
    unsafe sqlite3_reset(handle)
    bindResult = SQLITE_OK
  }

  private func recordBindResult(_ code: Int32) {
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
  /// Binds an INTEGER.
  func bind(_ index: Int32, _ value: Int64) { recordBindResult(unsafe sqlite3_bind_int64(handle, index, value)) }

  /// Binds NULL.
  func bindNull(_ index: Int32) { recordBindResult(unsafe sqlite3_bind_null(handle, index)) }

  /// Binds UTF-8 bytes as TEXT.
  func bind(_ index: Int32, text: [UInt8]) {
    unsafe recordBindResult(
      text.withUnsafeBytes { unsafe stack_sqlite3_bind_text(handle, index, $0.baseAddress, UInt64($0.count)) })
  }

  /// Binds a TEXT.
  func bind(_ index: Int32, text: String) {
    var text = text
    recordBindResult(text.withUTF8 { unsafe stack_sqlite3_bind_text(handle, index, $0.baseAddress, UInt64($0.count)) })
  }

  /// Binds a BLOB.
  func bind(_ index: Int32, blob: [UInt8]) {
    unsafe recordBindResult(
      blob.withUnsafeBytes { unsafe stack_sqlite3_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) })
  }
}

// MARK: Columns

extension Statement {
  /// Number of columns of a row.
  var columnCount: Int32 { unsafe sqlite3_column_count(handle) }

  /// Reads an INTEGER column; 0 for NULL.
  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  /// Reads an INTEGER column; nil for NULL.
  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  /// Returns true if a column is NULL.
  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// Reads the bytes of a BLOB or TEXT column; empty for NULL.
  func bytes(_ column: Int32) -> [UInt8] { unsafe [UInt8](lent(column)) }

  /// Reads a TEXT column; empty for NULL.
  func text(_ column: Int32) -> String { unsafe String(decoding: lent(column), as: UTF8.self) }

  /// Reads a TEXT column; nil for NULL.
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// Returns true if a BLOB or TEXT column equals `bytes`, without copying it.
  func column(_ column: Int32, equals bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe Statement.areEqual($0, lent(column)) }
  }

  /// Returns true if a TEXT column equals `text`; NULL equals nil.
  func column(_ column: Int32, equals text: String?) -> Bool {
    guard var text else { return isNull(column) }
    return !isNull(column) && text.withUTF8 { unsafe Statement.areEqual(UnsafeRawBufferPointer($0), lent(column)) }
  }

  /// Returns the column's memory, which SQLite owns; valid until the next step or reset.
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
