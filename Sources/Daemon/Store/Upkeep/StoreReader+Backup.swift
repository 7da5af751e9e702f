extension StoreReader {
  /// Writes a copy of the store to `path`, where nothing is yet, while everybody reads and writes on; it is on the disk
  /// when this returns. Only its owner may read it. Where that fails nothing is left of it.
  ///
  /// The copy has no epoch, and takes a new one when it is opened as a store: what clients hold of this store may be
  /// later than it.
  ///
  /// - Returns: Bytes of the copy.
  @discardableResult
  public func backup(to path: String) throws(StoreError) -> Int {
    let code = Connection.createPrivateFile(path)
    guard code == 0 else { throw StoreError(creatingCopy: path, systemError: code) }
    do throws(StoreError) {
      let statement = try connection.prepare("VACUUM INTO ?1")
      statement.bind(1, text: path)
      _ = try statement.step()
      let copy = try Connection(path: path, access: .readWrite, vfs: nil)
      try copy.execute("PRAGMA synchronous = FULL; UPDATE meta SET epoch = 0")
      return Int(try copy.integer("PRAGMA page_count") * copy.integer("PRAGMA page_size"))
    } catch {
      Connection.removeFile(path)
      Connection.removeFile(path + "-journal")
      throw StoreError(kind: error.kind, code: error.code, message: "no copy at \(path): \(error.message)")
    }
  }
}
