internal import CSQLite

extension Connection {
  /// Bytes of the log rewritten at a time.
  private static let pieceBytes = 1 << 16

  /// Rewrites the write-ahead log with its own bytes and syncs it. Does nothing if there is no log, as in a store that
  /// was closed. O(length of the log). Must be called by the only writer, outside a transaction.
  ///
  /// An earlier process may have failed to sync the end of the log, or died before it tried. The kernel still shows
  /// such frames, but they are not on the disk and, after a failed fsync, never will be
  /// (https://wiki.postgresql.org/wiki/Fsync_Errors): frames appended to them, or checkpointed from them into the file,
  /// would be lost or torn in a power failure. Rewriting them makes the kernel write them again.
  func rewriteLog() throws(StoreError) {
    // SQLite owns the file that it names here (https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html,
    // JOURNAL_POINTER).
    var found: UnsafeMutablePointer<sqlite3_file>?
    let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &found)
    guard code == SQLITE_OK, let file = unsafe found, let methods = unsafe file.pointee.pMethods else { return }
    var size: Int64 = 0
    try check(unsafe methods.pointee.xFileSize(file, &size))
    guard size > 0 else { return }
    var piece = [UInt8](repeating: 0, count: Connection.pieceBytes)
    var offset: Int64 = 0
    while offset < size {
      let count = Int32(min(Int64(Connection.pieceBytes), size - offset))
      let place = offset
      try check(
        unsafe piece.withUnsafeMutableBytes { unsafe methods.pointee.xRead(file, $0.baseAddress, count, place) })
      try check(unsafe piece.withUnsafeBytes { unsafe methods.pointee.xWrite(file, $0.baseAddress, count, place) })
      offset += Int64(count)
    }
    try check(unsafe methods.pointee.xSync(file, SQLITE_SYNC_NORMAL))
  }

  private func check(_ code: Int32) throws(StoreError) {
    guard code != SQLITE_OK else { return }
    throw unsafe StoreError(code: code, systemError: 0, detail: String(cString: sqlite3_errstr(code)), path: path)
  }
}
