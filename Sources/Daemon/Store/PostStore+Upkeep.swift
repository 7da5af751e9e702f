extension PostStore {
  /// Sees that what made a new store is on the disk, before anything is added to it.
  func settle() throws(StoreError) {
    guard !isSettled else { return }
    try connection.rewriteLog()
    isSettled = true
  }

  /// What is wrong with the file: nothing for a sound one. Reads all of it.
  public func integrity() throws(StoreError) -> [String] {
    var findings: [String] = []
    let check = try connection.prepare("PRAGMA integrity_check")
    while try check.step() {
      let line = check.text(0)
      if line != "ok" { findings.append(line) }
    }
    if try connection.integer(Self.miscounts) != 0 { findings.append("the count of timeline entries is wrong") }
    let references = try connection.prepare("PRAGMA foreign_key_check")
    while try references.step() {
      findings.append("\(references.text(0)) row \(references.integer(1)) refers to a missing row of \(references.text(2))")
    }
    return findings
  }

  /// 1 if `tallies` and the entries themselves differ.
  private static let miscounts = """
    WITH counted AS (SELECT audience, count(*) AS entries FROM posts WHERE is_entry = 1 GROUP BY audience)
    SELECT EXISTS (SELECT * FROM counted EXCEPT SELECT * FROM tallies)
      OR EXISTS (SELECT * FROM tallies WHERE entries <> 0 EXCEPT SELECT * FROM counted)
    """

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
