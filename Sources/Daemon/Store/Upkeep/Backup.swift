/// Copies a store.
struct Backup {
  private let connection: Connection

  init(of connection: Connection) { self.connection = connection }

  /// See ``StoreReader/backup(to:)``.
  func write(to path: String) throws(StoreError) -> Int {
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
      throw StoreError(kind: error.kind, code: error.code, message: "cannot write a copy to \(path): \(error.message)")
    }
  }
}
