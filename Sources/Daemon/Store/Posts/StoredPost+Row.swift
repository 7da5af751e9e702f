internal import Dates
internal import Posts

extension StoredPost {
  /// Reads the columns that ``Query`` calls `shown`.
  init(row: Statement) {
    let id = PostID(row.integer(0))
    let owner = AccountID(row.integer(3))
    let author = AuthorID(row.integer(2))
    let isRepost = !row.isNull(5)
    self.init(
      id: id, subject: isRepost ? PostID(row.integer(5)) : id, createdAt: Instant(milliseconds: row.integer(1)),
      author: isRepost ? AuthorID(row.integer(8)) : author, repostedBy: isRepost ? author : nil, owner: owner,
      inReplyTo: row.optionalInteger(isRepost ? 9 : 6).map { PostID($0) },
      body: PackedBody(trusted: row.bytes(isRepost ? 10 : 7)), marks: PostMarks(trusted: row.bytes(11)),
      audience: Audience(number: row.integer(4)))
  }
}
