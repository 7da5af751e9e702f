internal import Posts

extension Schema {
  /// Marks may have a second byte, for what is read and unread, and an owner who has not done anything to a post does
  /// not stand among its accounts any more (``PostMarks``): in older files one who is not there has taken back what the
  /// import said.
  static let reading = Migration("") { connection throws(StoreError) in
    let rows = try connection.prepare(
      "SELECT id, owner_id, body, marks FROM posts WHERE marks != x'' AND repost_of IS NULL")
    let update = try connection.prepare("UPDATE posts SET marks = ?2 WHERE id = ?1")
    var found: [(id: Int64, marks: PostMarks)] = []
    while try rows.step() {
      let known = PostMarks(trusted: rows.bytes(3))
      var marks = known
      marks.settle(owner: AccountID(rows.integer(1)), imported: PackedBody(trusted: rows.bytes(2)).flags)
      if marks != known { found.append((rows.integer(0), marks)) }
    }
    for (id, marks) in found {
      defer { update.reset() }
      update.bind(1, id)
      update.bind(2, blob: marks.bytes)
      _ = try update.step()
    }
  }
}
