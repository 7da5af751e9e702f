internal import Dates
internal import Posts

/// Checks a store: recomputes everything derived from posts, and compares.
struct StoreCheck {
  private let connection: Connection

  /// The maximum number of findings reported per kind.
  private static let findingsOfAKind = 20

  init(_ connection: Connection) { self.connection = connection }

  /// See ``StoreReader/integrity()``.
  func findings() throws(StoreError) -> [String] {
    try connection.snapshot { () throws(StoreError) in
      var findings: [String] = []
      let check = try connection.prepare("PRAGMA integrity_check")
      while try check.step() {
        let line = check.text(0)
        if line != "ok" { findings.append(line) }
      }
      for rule in ConsistencyRule.all {
        findings += try firstRows(of: rule.sql).map { "\(rule.what): \($0) \(rule.verdict)" }
      }
      findings += try wrongMentions()
      findings += try SearchIndexCheck(connection).findings(limit: Self.findingsOfAKind)
      let references = try connection.prepare("PRAGMA foreign_key_check")
      while try references.step() {
        findings.append(
          "\(references.text(0)) row \(references.integer(1)) refers to a missing row of \(references.text(2))")
      }
      return findings
    }
  }

  /// Returns the first rows that a query finds.
  private func firstRows(of query: String) throws(StoreError) -> [String] {
    let statement = try connection.prepare("SELECT * FROM (\(query)) LIMIT \(Self.findingsOfAKind)")
    var rows: [String] = []
    while try statement.step() {
      rows.append("(" + (0..<statement.columnCount).map { String(statement.integer($0)) }.joined(separator: ", ") + ")")
    }
    return rows
  }

  /// Compares the mention lists with the accounts that each post addresses.
  private func wrongMentions() throws(StoreError) -> [String] {
    let identities = try Identities(of: connection)
    let groups = AudienceGroupReader(connection)
    let posts = try connection.prepare(ListedQuery.everyEntry)
    let entry = try connection.prepare(
      """
      SELECT e.reason FROM lists l JOIN entries e ON e.list_id = l.id
      WHERE l.kind = 2 AND l.account_id = ?1 AND e.created_at = ?2 AND e.post_id = ?3
      """)
    var findings: [String] = []
    var found: Int64 = 0
    while try posts.step() {
      let post = ListedPost(row: posts, identities)
      for account in post.addressed where try groups.isMember(account, of: post.audience) {
        defer { entry.reset() }
        entry.bind(1, account.rawValue)
        entry.bind(2, post.createdAt.milliseconds)
        entry.bind(3, post.id.rawValue)
        if try entry.step() {
          if entry.integer(0) == 0 { found += 1 }
        } else if findings.count < Self.findingsOfAKind {
          findings.append("mentions (account, post): (\(account.rawValue), \(post.id.rawValue)) is missing")
        }
      }
    }
    let there = try connection.integer(
      "SELECT count(*) FROM lists l JOIN entries e ON e.list_id = l.id WHERE l.kind = 2 AND e.reason = 0")
    if there > found { findings.append("mentions: \(there - found) unexpected entries") }
    return findings
  }
}
