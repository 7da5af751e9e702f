internal import Dates
internal import Posts
internal import Search

/// Reads the newest entry that accounts have seen in their sections, and counts newer ones.
struct SeenReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the newest entry of a section that the account has seen; nil for none.
  func seen(_ section: SeenSection, of account: AccountID) throws(StoreError) -> OrderKey? {
    try connection.first(SeenQuery.newest, account, section, read: OrderKey.init(row:))
  }

  /// See ``StoreReader/unseen(_:of:since:)``.
  func unseen(_ section: SeenSection, of account: AccountID, since seen: OrderKey?) throws(StoreError) -> Int {
    guard let list = try ListReader(connection).number(of: section.list(of: account), for: account) else { return 0 }
    let muteList = section == .messages ? MuteList() : try MuteReader(connection).muteList(of: account)
    // Notices do not count, and only the post itself tells whether it is one.
    guard muteList.isEmpty, section != .mentions else {
      return try unseen(list, account, since: seen, MuteMatcher(muteList))
    }
    return try connection.rowCount(
      SeenQuery.unseen, list, seen?.createdAt.milliseconds ?? .min, seen?.id.rawValue ?? .min, StoreLimits.unseen)
  }

  /// Counts unseen entries that are neither hidden nor notices, among at most ``StoreLimits/unseenLookedAt`` entries.
  private func unseen(
    _ list: Int64, _ account: AccountID, since seen: OrderKey?, _ hidden: MuteMatcher
  ) throws(StoreError) -> Int {
    var hidden = hidden
    var (count, looked) = (0, 0)
    var last: OrderKey?
    while looked < StoreLimits.unseenLookedAt {
      let posts = try PageReader(connection).posts(of: list, for: account, before: last, limit: 255)
      for post in posts {
        if seen.map({ post.orderKey <= $0 }) ?? false { return count }
        if !hidden.hides(post), !post.body.flags.contains(.notice) { count += 1 }
        if count == StoreLimits.unseen { return count }
      }
      looked += posts.count
      guard posts.count == 256, let oldest = posts.last else { return count }
      last = oldest.orderKey
    }
    return count
  }
}

/// Records what accounts have seen.
struct SeenMarks {
  private let connection: Connection
  private let transaction: Transaction

  init(_ connection: Connection, _ transaction: Transaction) {
    (self.connection, self.transaction) = (connection, transaction)
  }

  /// Records the newest entry of a section that an account has seen. Returns true if it is newer than the stored one;
  /// otherwise nothing changes.
  func mark(_ section: SeenSection, _ key: OrderKey, of account: AccountID) throws -> Bool {
    _ = try AccountReader(connection).existing(account)
    guard try connection.change(SeenQuery.mark, account, section, key.createdAt, key.id) else { return false }
    transaction.noteChange()
    return true
  }
}
