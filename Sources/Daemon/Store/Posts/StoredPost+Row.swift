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
      audience: Audience(column: row.integer(4)))
  }
}

extension Audience {
  /// From the column `audience`: 0 everyone, n account n alone, -1 nobody, -1 - n circle n.
  init(column: Int64) {
    switch column {
    case 0: self = .everyone
    case 1...: self = .only(AccountID(column))
    case -1: self = .nobody
    default: self = .circle(CircleID(-1 - column))
    }
  }

  /// For the column `audience`.
  var column: Int64 {
    switch self {
    case .everyone: 0
    case .only(let account): account.rawValue
    case .circle(let circle): -1 - circle.rawValue
    case .nobody: -1
    }
  }
}
