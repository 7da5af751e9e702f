internal import Posts
internal import Search

extension Schema {
  /// To 18: searches find what an account saved and favourited. The tables are the same; posts with such marks are
  /// indexed again.
  static let keptPosts = Migration("") { connection throws(StoreError) in
    var text = SearchText()
    let posts = try connection.prepare(
      """
      SELECT p.created_at, p.author_id, p.audience, p.body, p.owner_id, p.marks, k.key
      FROM search_posts k CROSS JOIN posts p ON p.id = k.post_id
      """)
    while try posts.step() {
      let post = SearchedPost(row: posts)
      let flags = post.body.flags
      if post.marks.isEmpty, flags.isDisjoint(with: [.saved, .favourited]) { continue }
      let after = post.document(&text)
      let before = post.documentWithoutMarks(&text)
      guard before != after else { continue }
      try connection.run(IndexQuery.delete, posts.integer(6), TextBytes(bytes: before))
      try connection.run(IndexQuery.insert, posts.integer(6), TextBytes(bytes: after))
    }
  }
}
