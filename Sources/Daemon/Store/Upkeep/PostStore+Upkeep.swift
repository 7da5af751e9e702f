extension PostStore {
  /// Sees that what made a new store is on the disk, before anything is added to it.
  func settle() throws(StoreError) {
    guard !isSettled else { return }
    try connection.rewriteLog()
    isSettled = true
  }

  /// Writes a copy of the store to `path`, which must not exist yet, while readers read on.
  ///
  /// The copy has no epoch, and takes a new one when it is opened as a store: what clients hold of this store may be later
  /// than it.
  public func backup(to path: String) throws(StoreError) {
    Connection.createPrivateFile(path)
    let statement = try connection.prepare("VACUUM INTO ?1")
    statement.bind(1, text: path)
    _ = try statement.step()
    let copy = try Connection(path: path, access: .readWrite, vfs: nil)
    try copy.execute("PRAGMA synchronous = FULL; UPDATE meta SET epoch = 0")
  }
}
