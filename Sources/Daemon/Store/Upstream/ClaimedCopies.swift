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
  private let outbox: Outbox

  init(
    _ connection: Connection, rows: PostRows, marks: MarkRows, listed: ListedPosts, filing: Filing, removal: Removal,
    outbox: Outbox
  ) {
    posts = PostReader(connection)
    (self.rows, self.marks, self.listed, self.filing, self.removal) = (rows, marks, listed, filing, removal)
    self.outbox = outbox
  }

  /// Makes the oldest copy the shared post, with the marks of its account. Its audience is still that account. Returns
  /// false if there is none.
  func share(_ row: PostRow) throws(StoreError) -> Bool {
    guard let copy = try copies(of: row, besides: row.owner).min(by: { $0.id < $1.id }),
      let stored = try posts.post(copy.id), var body = stored.body.unpacked()
    else { return false }
    let account = AccountID(copy.scope)
    let mark = stored.mark(of: account)
    // What its account did there is a mark from now on.
    body.flags.subtract(.ofAccount)
    try rows.share(copy.id, of: row.owner, as: PackedBody(body))
    if !mark.isEmpty, var shared = try posts.post(copy.id),
      shared.marks.set(mark, of: account, owner: row.owner, imported: shared.body.flags, isCounted: true)
    {
      try marks.save(shared.marks, of: copy.id)
    }
    return true
  }

  /// Removes the copies of a shared post, except that of `account`. The post is filed where they were, and gets their
  /// reposts and what their accounts did to them.
  func merge(into row: PostRow, besides account: AccountID) throws(StoreError) {
    for copy in try copies(of: row, besides: account) {
      guard let gone = try listed.listed(copy.id) else { continue }
      let reader = AccountID(copy.scope)
      for repost in try posts.reposts(of: copy.id) { try rows.repoint(repost.id, to: row.id) }
      try moveEntries(of: gone, to: row.orderKey, row.audience, by: reader)
      try moveMarks(from: copy.id, to: row.id, of: reader)
      try removal.remove(gone)
    }
  }

  /// Makes a private repost that everyone may see the shared one, or merges it into that. Returns true if it is gone.
  func mergeRepost(_ id: PostID) throws(StoreError) -> Bool {
    guard let name = try rows.name(of: id), name.scope != 0, name.server != 0 else { return false }
    guard let shared = try rows.named(name.nativeID, in: name.source).first(where: { $0.scope == 0 }) else {
      try rows.shareRepost(id)
      return false
    }
    guard let repost = try listed.listed(shared.id), let gone = try listed.listed(id) else { return false }
    try moveEntries(of: gone, to: repost.orderKey, repost.audience, by: AccountID(name.scope))
    try removal.remove(gone)
    return true
  }

  private func moveEntries(
    of gone: ListedPost, to key: OrderKey, _ audience: Audience, by reader: AccountID
  ) throws(StoreError) {
    for kind in [ListKind.home, .mentions] where try filing.isImported(gone.orderKey, by: reader, in: kind) {
      _ = try filing.fileImported(key, audience: audience, by: reader, in: kind)
    }
  }

  /// The counts of the shared post have what its source knows, and so not what still waits in the outbox.
  private func moveMarks(from copy: PostID, to post: PostID, of reader: AccountID) throws(StoreError) {
    guard let gone = try posts.post(copy), var shared = try posts.post(post) else { return }
    let mark = gone.mark(of: reader).subtracting([.pending, .failed, .favouriteAhead, .repostAhead])
    let entries = try outbox.move(from: copy, to: post, of: reader)
    var known = mark
    for entry in entries.entries where entry.account == reader {
      guard let one = entry.operation.mark else { continue }
      if entry.truth { known.insert(one) } else { known.remove(one) }
    }
    shared.marks.set(known, of: reader, owner: shared.owner, imported: shared.body.flags, isCounted: true)
    shared.marks.set(mark, of: reader, owner: shared.owner, imported: shared.body.flags)
    let delivery = entries.standing(of: reader)
    shared.marks.noteDelivery(
      isPending: delivery.isPending, failure: delivery.failure, of: reader, owner: shared.owner,
      imported: shared.body.flags)
    try marks.save(shared.marks, of: post)
  }

  private func copies(of row: PostRow, besides account: AccountID) throws(StoreError) -> [NamedRow] {
    try rows.named(row.name.nativeID, in: row.name.source).filter {
      ![0, account.rawValue].contains($0.scope) && $0.server != 0 && $0.author == row.author && $0.id != row.id
    }
  }
}
