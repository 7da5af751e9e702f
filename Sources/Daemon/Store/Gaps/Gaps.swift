internal import Dates
internal import Posts

/// Reads the gaps of accounts: stretches of a source's posts that are known to be missing.
struct GapReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the gaps of an account, newest first. O(gaps).
  func gaps(of account: AccountID) throws(StoreError) -> [Gap] {
    try connection.rows(GapQuery.ofAccount, account) { row in
      Gap(
        id: PostID(row.integer(0)), source: row.text(1), newer: Instant(milliseconds: row.integer(2)),
        older: Instant(milliseconds: row.integer(3)), missing: Int(clamping: row.integer(4)),
        isLost: row.integer(5) != 0, login: row.text(6))
    }
  }
}

/// Records gaps (docs/BEHAVIOUR.md, rule 36; ADR 0023).
final class Gaps {
  private let connection: Connection
  private let transaction: Transaction
  private let reader: GapReader
  private let sources: Sources

  init(_ connection: Connection, _ transaction: Transaction, _ sources: Sources) {
    (self.connection, self.transaction, self.sources) = (connection, transaction, sources)
    reader = GapReader(connection)
  }

  /// Records that posts of a source are missing, or that all posts of a stretch are present, for a login of the account
  /// or, if that is empty, as a file says. Of the same instants other logins may lack posts. Returns true if anything
  /// changed.
  func applyNote(_ note: GapNote, of id: AccountID, login: String = "") throws -> Bool {
    let account = try AccountReader(connection).existing(id)
    guard note.source.utf8.count <= StoreLimits.sourceBytes else {
      throw Refusal.tooLong("the name of a source", limit: StoreLimits.sourceBytes)
    }
    let all = try reader.gaps(of: account.id)
    let old = all.filter { $0.source == note.source && $0.login == login }
    func noted(_ nextID: () -> PostID) -> [Gap] {
      old.noting(note, nextID: nextID).map { gap in
        var gap = gap
        gap.login = login
        return gap
      }
    }
    let planned = noted { PostID(.max) }
    guard planned != old else { return false }
    guard planned.count <= old.count || all.count + planned.count - old.count <= StoreLimits.gaps else {
      throw Refusal.tooMany("gaps", limit: StoreLimits.gaps)
    }
    try replace(old, with: noted { transaction.nextPostID() }, of: account.id)
    return true
  }

  /// Subtracts new posts from the count of missing posts of the gaps that they fall into, if that count is known.
  func countArrivals(_ arrivals: [(source: String, createdAt: Instant)], of account: AccountID) throws(StoreError) {
    guard !arrivals.isEmpty else { return }
    let old = try reader.gaps(of: account).filter { $0.missing > 0 }
    guard !old.isEmpty else { return }
    var new = old
    for arrival in arrivals {
      for index in new.indices where new[index].source == arrival.source && new[index].missing > 0 {
        guard new[index].older < arrival.createdAt, arrival.createdAt < new[index].newer else { continue }
        new[index].missing -= 1
      }
    }
    if new != old { try replace(old, with: new, of: account) }
  }

  /// Removes the gaps of a login.
  func forget(_ login: AccountLogin) throws(StoreError) {
    let old = try reader.gaps(of: login.account).filter { $0.source == login.source && $0.login == login.name }
    if !old.isEmpty { try replace(old, with: [], of: login.account) }
  }

  private func replace(_ old: [Gap], with new: [Gap], of account: AccountID) throws(StoreError) {
    let before = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
    let after = Dictionary(uniqueKeysWithValues: new.map { ($0.id, $0) })
    for gap in old where after[gap.id] != gap { try connection.run(GapQuery.delete, gap.id) }
    for gap in new where before[gap.id] != gap {
      let source = try sources.number(of: gap.source)
      try connection.run(
        GapQuery.insert, gap.id, account, source, gap.newer, gap.older, Int64(gap.missing), gap.isLost, gap.login)
    }
    transaction.noteChange()
    transaction.noteGaps(of: account)
  }
}
