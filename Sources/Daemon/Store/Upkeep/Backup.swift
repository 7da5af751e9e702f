/// Copies a store to a file that appears under its name when it is complete: it is written beside it, as
/// ``partialPath``, synced and renamed. What a killed copy left there is replaced by the next one.
struct Backup {
  private let connection: Connection
  private let path: String
  private let place: FilePlace
  private var partialPath: String { path + Self.partialSuffix }

  /// Ends the name of an unfinished copy.
  private static let partialSuffix = ".partial"

  init(of connection: Connection, to path: String) {
    (self.connection, self.path, place) = (connection, path, FilePlace(path))
  }

  /// See ``StoreReader/backup(to:)``.
  func write() throws(StoreError) -> Int {
    try checkName()
    removePartial()
    try check(StoreFiles.createPrivate(partialPath))
    do throws(StoreError) {
      let byteCount = try fillPartial()
      try check(StoreFiles.rename(partialPath, toNew: path))
      let code = StoreFiles.syncFolder(place.folder)
      if code != 0 { StoreFiles.remove(path) }
      try check(code)
      return byteCount
    } catch {
      removePartial()
      throw error
    }
  }

  /// Refuses a path that is no name for a new file, and names of the store's own files: SQLite would take a file called
  /// like the store and "-journal" for one of its own, and the next copy would remove one called like the store and
  /// ``partialSuffix``.
  private func checkName() throws(StoreError) {
    guard !["", ".", ".."].contains(place.name), !path.utf8.contains(0) else {
      throw refusal(.cannotOpen, "it names no file; add a file name")
    }
    let partial = FilePlace(partialPath)
    for store in [connection.path, connection.fileName]
    where place.belongs(toStore: store) || partial.belongs(toStore: store) {
      throw refusal(.cannotOpen, "the store \(store) uses that name itself; choose another path")
    }
    if StoreFiles.exists(path) { throw StoreError(creatingCopy: path, systemError: 17) }
  }

  /// Writes the copy, without an epoch, and syncs it. Returns its size in bytes.
  private func fillPartial() throws(StoreError) -> Int {
    do throws(StoreError) {
      let statement = try connection.prepare("VACUUM INTO ?1")
      statement.bind(1, text: partialPath)
      _ = try statement.step()
      let copy = try Connection(path: partialPath, access: .readWrite, vfs: nil)
      // A copy that is not complete is not used, so it needs no journal on the disk.
      try copy.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL; UPDATE meta SET epoch = 0")
      return Int(try copy.integer("PRAGMA page_count") * copy.integer("PRAGMA page_size"))
    } catch {
      throw StoreError(kind: error.kind, code: error.code, message: "cannot write a copy to \(path): \(error.message)")
    }
  }

  /// Removes an unfinished copy, with what SQLite may have kept beside it.
  private func removePartial() {
    for suffix in ["", "-journal", "-wal", "-shm"] { StoreFiles.remove(partialPath + suffix) }
  }

  private func check(_ code: Int32) throws(StoreError) {
    if code != 0 { throw StoreError(creatingCopy: path, systemError: code) }
  }

  private func refusal(_ kind: StoreError.Kind, _ problem: String) -> StoreError {
    StoreError(kind: kind, message: "cannot write a copy to \(path): \(problem)")
  }
}
