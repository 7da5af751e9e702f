internal import Posts

/// The private copies of a public post that logins of other accounts brought in the name of an author whom an account
/// has claimed, before that account's own login did (docs/adr/0031). Then they become the shared post.
final class ClaimedCopies {
  private let posts: PostReader
  private let rows: PostRows
  private let marks: MarkRows
  private let listed: ListedPosts
  private let filing: Filing
  private let removal: Removal

  init(
    _ connection: Connection, rows: PostRows, marks: MarkRows, listed: ListedPosts, filing: Filing, removal: Removal
  ) {
    posts = PostReader(connection)
    (self.rows, self.marks, self.listed, self.filing, self.removal) = (rows, marks, listed, filing, removal)
  }

  /// Makes the oldest copy the shared post, with the marks of its account. Its audience is still that account. Returns
  /// false if there is none.
  func share(_ row: PostRow) throws(StoreError) -> Bool {
    guard let copy = try copies(of: row, besides: row.owner).min(by: { $0.id < $1.id }),
      let stored = try posts.post(copy.id)
    else { return false }
    let account = AccountID(copy.scope)
    let mark = stored.mark(of: account)
    try rows.share(copy.id, of: row.owner)
    if !mark.isEmpty, var shared = try posts.post(copy.id),
      shared.marks.set(mark, of: account, owner: row.owner, imported: shared.body.flags)
    {
      try marks.save(shared.marks, of: copy.id)
    }
    return true
  }

  /// Removes the copies of a shared post, except that of `account`, and files the post where they were.
  func merge(into row: PostRow, besides account: AccountID) throws(StoreError) {
    for copy in try copies(of: row, besides: account) {
      guard let gone = try listed.listed(copy.id) else { continue }
      let reader = AccountID(copy.scope)
      for kind in [ListKind.home, .mentions] where try filing.isImported(gone.orderKey, by: reader, in: kind) {
        _ = try filing.fileImported(row.orderKey, audience: row.audience, by: reader, in: kind)
      }
      try removal.remove(gone)
    }
  }

  private func copies(of row: PostRow, besides account: AccountID) throws(StoreError) -> [NamedRow] {
    try rows.named(row.name.nativeID, in: row.name.source).filter {
      ![0, account.rawValue].contains($0.scope) && $0.server != 0 && $0.author == row.author && $0.id != row.id
    }
  }
}
