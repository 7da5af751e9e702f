extension PostStore {
  /// Sees that what made a new store is on the disk, before anything is added to it.
  func settle() throws(StoreError) {
    guard !isSettled else { return }
    try connection.rewriteLog()
    isSettled = true
  }
}
