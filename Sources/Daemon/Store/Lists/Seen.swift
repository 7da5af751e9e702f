internal import Dates
internal import Posts
internal import Search

/// Reads what accounts have seen of their sections, and how much is newer.
struct SeenReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// The newest entry of a section that the account has seen; nil for none.
  func seen(_ section: SeenSection, of account: AccountID) throws(StoreError) -> OrderKey? {
    try connection.first(SeenQuery.newest, account, section, read: OrderKey.init(row:))
  }

  /// See ``StoreReader/unseen(_:of:since:)``.
  func unseen(_ section: SeenSection, of account: AccountID, since seen: OrderKey?) throws(StoreError) -> Int {
    guard let list = try ListReader(connection).number(of: section.list(of: account), for: account) else { return 0 }
    let quiet = section == .messages ? Quiet() : try MuteReader(connection).quiet(of: account)
    guard quiet.isEmpty else { return try unseen(list, account, since: seen, QuietMatcher(quiet)) }
    return try connection.rowCount(
      SeenQuery.unseen, list, seen?.createdAt.milliseconds ?? .min, seen?.id.rawValue ?? .min, StoreLimits.unseen)
  }

  /// The same without what is hidden. With it no more than ``StoreLimits/unseenLookedAt`` entries are looked at.
  private func unseen(
    _ list: Int64, _ account: AccountID, since seen: OrderKey?, _ hidden: QuietMatcher
  ) throws(StoreError) -> Int {
    var hidden = hidden
    var (count, looked) = (0, 0)
    var last: OrderKey?
    while looked < StoreLimits.unseenLookedAt {
      let posts = try PageReader(connection).posts(of: list, for: account, before: last, limit: 255)
      for post in posts {
        if seen.map({ post.orderKey <= $0 }) ?? false { return count }
        if !hidden.hides(post) { count += 1 }
        if count == StoreLimits.unseen { return count }
      }
      looked += posts.count
      guard posts.count == 256, let oldest = posts.last else { return count }
      last = oldest.orderKey
    }
    return count
  }
}

/// Notes what accounts have seen.
struct Seen {
  private let connection: Connection
  private let transaction: Transaction

  init(_ connection: Connection, _ transaction: Transaction) {
    (self.connection, self.transaction) = (connection, transaction)
  }

  /// Notes the newest entry of a section that an account has seen. What is not newer than what is noted changes
  /// nothing; returns whether it is.
  func mark(_ section: SeenSection, _ key: OrderKey, of account: AccountID) throws -> Bool {
    _ = try AccountReader(connection).existing(account)
    guard try connection.change(SeenQuery.mark, account, section, key.createdAt, key.id) else { return false }
    transaction.noteChange()
    return true
  }
}
