internal import Posts

/// Files direct conversations into the messages of their people: of each conversation the newest post that is not by
/// an author whom the reader has blocked.
final class MessageFiling {
  /// The newest post that an account's messages have of a conversation, by the column `lists.id`; nil for none.
  typealias Newest = (conversation: Int64, key: OrderKey?)

  private let entries: Entries
  private let lists: ListLookup
  private let groups: AudienceGroupLookup
  private let mutes: MuteReader

  init(_ entries: Entries, _ lists: ListLookup, _ groups: AudienceGroupLookup, _ mutes: MuteReader) {
    (self.entries, self.lists, self.groups, self.mutes) = (entries, lists, groups, mutes)
  }

  /// Updates the messages of the people of a conversation after a change of a post by `authors`, before and after.
  /// `gone` is an entry that may no longer belong there. Does nothing for a group of followers.
  func renew(_ group: AudienceGroupID, by authors: [AuthorID], without gone: OrderKey?) throws(StoreError) {
    guard let list = try groups.place(of: group)?.list else { return }
    for account in try groups.members(of: group).sorted(by: { $0.rawValue < $1.rawValue }) {
      // Skipped before anything is read: an account that is blocked may write as much as it likes.
      guard let place = try messages(of: account), try !hasBlocked(authors, account) else { continue }
      let newest = try entries.newest(of: list, for: account, limit: 2)
      for old in [gone, newest.dropFirst().first].compactMap({ $0 }) where old != newest.first {
        if try entries.reason(place.list, old) != nil { try entries.remove(old, place) }
      }
      if let first = newest.first, try entries.reason(place.list, first) == nil { try entries.insert(first, place) }
    }
  }

  /// Returns what the messages of an account have of the conversations in which an author has written. O(posts of the
  /// author).
  func newest(by author: AuthorID, for account: AccountID) throws(StoreError) -> [Newest] {
    var found: [Newest] = []
    for group in try entries.groups(of: author, with: account) {
      guard let list = try groups.place(of: group)?.list else { continue }
      found.append((list, try entries.newest(of: list, for: account, limit: 1).first))
    }
    return found
  }

  /// Updates the messages of an account that has blocked or unblocked an author. `before` is what
  /// ``newest(by:for:)`` returned until then.
  func renew(_ account: AccountID, since before: [Newest]) throws(StoreError) {
    guard let place = try messages(of: account) else { return }
    for (list, old) in before {
      let newest = try entries.newest(of: list, for: account, limit: 1).first
      guard newest != old else { continue }
      if let old { try entries.remove(old, place) }
      if let newest { try entries.insert(newest, place) }
    }
  }

  private func messages(of account: AccountID) throws(StoreError) -> Place? {
    guard let messages = try lists.own(of: account)?.messages else { return nil }
    return Place(list: messages, name: .messages(account), account: account, reason: [])
  }

  private func hasBlocked(_ authors: [AuthorID], _ account: AccountID) throws(StoreError) -> Bool {
    for author in authors where try !mutes.isListed(.blocked, author, for: account) { return false }
    return true
  }
}
