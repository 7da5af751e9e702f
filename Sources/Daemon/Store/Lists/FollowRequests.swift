internal import Dates
internal import Posts

/// Reads requests to follow.
struct FollowRequestReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the open requests to follow an account, newest first. O(requests log requests).
  func requests(to leader: AccountID) throws(StoreError) -> [PendingFollow] {
    try connection.rows(FollowRequestQuery.toLeader, leader, LocalSource.name, read: PendingFollow.init(row:))
      .sorted { $0.orderKey > $1.orderKey }
  }

  /// Returns true if an account has asked to follow another one, which has not decided yet.
  func isOpen(from account: AccountID, to leader: AccountID) throws(StoreError) -> Bool {
    try connection.hasRow(FollowRequestQuery.isOpen, leader, account)
  }
}

/// Writes requests to follow.
final class FollowRequests {
  private let connection: Connection
  private let transaction: Transaction
  private let reader: FollowRequestReader

  init(_ connection: Connection, _ transaction: Transaction) {
    (self.connection, self.transaction) = (connection, transaction)
    reader = FollowRequestReader(connection)
  }

  /// Returns true if an account has asked to follow another one, which has not decided yet.
  func isOpen(from account: AccountID, to leader: AccountID) throws(StoreError) -> Bool {
    try reader.isOpen(from: account, to: leader)
  }

  /// Records a request, unless there is one. Returns false if there is.
  func open(from account: AccountID, to leader: AccountID, at instant: Instant) throws -> Bool {
    guard try !isOpen(from: account, to: leader) else { return false }
    guard try connection.count(FollowRequestQuery.countFrom, account) < StoreLimits.followRequests else {
      throw Refusal.tooManyRequests
    }
    try connection.run(FollowRequestQuery.insert, transaction.nextPostID(), leader, account, instant)
    noteChange(of: leader)
    return true
  }

  /// Removes a request, however it was decided. Returns false if there is none.
  @discardableResult
  func close(from account: AccountID, to leader: AccountID) throws(StoreError) -> Bool {
    guard try connection.change(FollowRequestQuery.delete, leader, account) else { return false }
    noteChange(of: leader)
    return true
  }

  private func noteChange(of leader: AccountID) {
    transaction.noteChange()
    transaction.noteFollowRequests(to: leader)
  }
}

extension PendingFollow {
  /// Reads ID, instant and name, and the author from the next four columns.
  fileprivate init(row: Statement) {
    self.init(
      id: PostID(row.integer(0)), name: SafeText(line: row.text(2)),
      author: Author(
        id: AuthorID(row.integer(3)), handle: SafeText(trusted: row.bytes(4)),
        displayName: SafeText(trusted: row.bytes(5)), avatarURL: SafeText(trusted: row.bytes(6))),
      askedAt: Instant(milliseconds: row.integer(1)))
  }
}
