internal import Dates
internal import Posts

/// What an account is known not to have (behaviour.md, rule 36; ADR 0023).
extension PostStore {
  /// Notes that posts of a source are missing, or that all of a stretch are here.
  func noteGap(_ id: AccountID, _ note: GapNote) throws -> Outcome {
    let account = try existing(id)
    guard note.source.utf8.count <= StoreLimits.sourceBytes else {
      throw Refusal.tooLong("the name of a source", limit: StoreLimits.sourceBytes)
    }
    let all = try gaps(of: account.id)
    let old = all.filter { $0.source == note.source }
    let planned = old.noting(note) { PostID(.max) }
    guard planned != old else { return .gapNoted(hasChanged: false) }
    guard planned.count <= old.count || all.count + planned.count - old.count <= StoreLimits.gaps else {
      throw Refusal.tooMany("gaps", limit: StoreLimits.gaps)
    }
    try replace(old, with: old.noting(note) { transaction!.nextPostID() }, of: account.id)
    return .gapNoted(hasChanged: true)
  }

  /// Counts posts that came: those within a gap of which it is known how many are missing are fewer now.
  func countArrivals(_ arrivals: [(source: String, createdAt: Instant)], of account: AccountID) throws(StoreError) {
    guard !arrivals.isEmpty else { return }
    let old = try gaps(of: account).filter { $0.missing > 0 }
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

  private func replace(_ old: [Gap], with new: [Gap], of account: AccountID) throws(StoreError) {
    for gap in old where !new.contains(gap) {
      let statement = try connection.statement(.deleteGap)
      defer { statement.reset() }
      statement.bind(1, gap.id.rawValue)
      _ = try statement.step()
    }
    for gap in new where !old.contains(gap) {
      let source = try source(gap.source)
      let statement = try connection.statement(.insertGap)
      defer { statement.reset() }
      statement.bind(1, gap.id.rawValue)
      statement.bind(2, account.rawValue)
      statement.bind(3, source)
      statement.bind(4, gap.newer.milliseconds)
      statement.bind(5, gap.older.milliseconds)
      statement.bind(6, Int64(gap.missing))
      _ = try statement.step()
    }
    noteChange()
    transaction!.gapsChanged.insert(account)
  }
}
