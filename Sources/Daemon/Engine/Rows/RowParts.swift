internal import Posts
internal import ViewState

/// The lines of a row beside its text that not every row has (docs/BEHAVIOUR.md, rule 20).
struct RowParts: OptionSet, Hashable {
  let rawValue: UInt8
  /// The line with the reposter.
  static let reposter = RowParts(rawValue: 1 << 0)
  /// The line with counts and marks.
  static let facts = RowParts(rawValue: 1 << 1)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The parts of a row with these fields.
  init(_ fields: RowContent.Fields) {
    self = fields.repostedBy == nil ? [] : .reposter
    if fields.hasFacts { insert(.facts) }
  }

  /// The parts of a post's row as `account` sees it: the same as those of the row's fields. O(length).
  init(_ post: StoredPost, for account: AccountID?) {
    self = post.repostedBy == nil ? [] : .reposter
    if post.hasFacts(for: account) { insert(.facts) }
  }
}

extension StoredPost {
  /// Returns true if the post's row has a line of counts and marks; see `RowContent.Fields.hasFacts`.
  fileprivate func hasFacts(for account: AccountID?) -> Bool {
    let mark = account.map { self.mark(of: $0) } ?? []
    if mark.contains(.pending) { return true }
    if mark.contains(.failed), let account, marks.failure(of: account) != nil { return true }
    guard let body = body.unpacked() else { return false }
    let counts = marks.counts(beside: body.counts)
    let flags = body.flags.subtracting(.ofAccount).union(mark.flags)
    return counts != Counts() || !body.media.isEmpty || body.visibility != .public || !body.inReplyToHandle.isEmpty
      || mark.reading == .unread || !RowFlags(rawValue: flags.rawValue).isDisjoint(with: .shown)
  }
}
