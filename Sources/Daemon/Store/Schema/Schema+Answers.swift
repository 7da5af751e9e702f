internal import Posts

extension Schema {
  /// Answers that were written here before they were counted are counted (``PostMarks``).
  static let answers = Migration("") { connection throws(StoreError) in
    let parents = try connection.prepare(
      """
      SELECT p.id, p.owner_id, p.body, p.marks, count(*) FROM posts p
      JOIN posts r ON r.reply_to = p.id AND r.audience = 0 AND r.source_id = (SELECT id FROM sources WHERE name = 'stack')
      WHERE p.repost_of IS NULL GROUP BY p.id
      """)
    var found: [(id: Int64, marks: PostMarks)] = []
    while try parents.step() {
      var marks = PostMarks(trusted: parents.bytes(3))
      let flags = PackedBody(trusted: parents.bytes(2)).flags
      if marks.isEmpty { marks.settle(owner: AccountID(parents.integer(1)), imported: flags) }
      marks.set(answers: UInt32(clamping: parents.integer(4)))
      found.append((parents.integer(0), marks))
    }
    let update = try connection.prepare("UPDATE posts SET marks = ?2 WHERE id = ?1")
    for (id, marks) in found {
      defer { update.reset() }
      update.bind(1, id)
      update.bind(2, blob: marks.bytes)
      _ = try update.step()
    }
  }
}
