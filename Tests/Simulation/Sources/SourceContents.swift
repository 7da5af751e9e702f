import Posts

/// What a store's file has of the sources in ``ScriptedSource``, read without the store's own code.
struct SourceContents {
  /// Cursors by source and login or feed.
  private(set) var cursors: [String: Int] = [:]
  /// The texts of posts by source and ID. Each should have one.
  private(set) var posts: [String: [String]] = [:]
  /// Names of authors by source and ID.
  private(set) var names: [String: String] = [:]

  /// Reads the store of a disk; nil if none has been created yet.
  init?(_ disk: SimulatedDisk) throws(DatabaseCopy.Failure) {
    guard disk.contains("posts.db") else { return nil }
    let copy = try DatabaseCopy(disk, path: "posts.db")
    guard try copy.rows("SELECT 1 FROM sqlite_schema WHERE name = 'feeds'").count == 1 else { return nil }
    for row in try copy.rows(
      "SELECT s.name, c.subject, c.value FROM cursors c JOIN sources s ON s.id = source_id WHERE c.name = 'at'")
    {
      cursors["\(row[0].text) \(row[1].text)"] = Int(row[2].text) ?? -1
    }
    for row in try copy.rows(
      """
      SELECT s.name, p.native_id, p.body FROM posts p JOIN sources s ON s.id = source_id
      WHERE s.name IN ('\(ScriptedSource.login)', '\(ScriptedSource.feeds)')
      """)
    {
      let text = PackedBody(trusted: row[2].bytes).unpacked()?.text.string ?? "damaged"
      posts["\(row[0].text) \(row[1].text)", default: []].append(text)
    }
    for row in try copy.rows(
      "SELECT s.name, a.native_id, a.display_name FROM authors a JOIN sources s ON s.id = source_id")
    {
      names["\(row[0].text) \(row[1].text)"] = row[2].text
    }
  }
}
