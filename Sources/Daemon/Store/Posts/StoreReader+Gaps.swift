internal import Dates
public import Posts

extension StoreReader {
  /// What an account is known not to have, the newest first. O(gaps).
  public func gaps(of account: AccountID) throws(StoreError) -> [Gap] {
    let statement = try connection.statement(.gaps)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    var gaps: [Gap] = []
    while try statement.step() {
      gaps.append(
        Gap(
          id: PostID(statement.integer(0)), source: statement.text(1),
          newer: Instant(milliseconds: statement.integer(2)),
          older: Instant(milliseconds: statement.integer(3)), missing: Int(clamping: statement.integer(4))))
    }
    return gaps
  }
}
