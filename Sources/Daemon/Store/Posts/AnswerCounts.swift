internal import Posts

/// A post counts, beside what its source told, the answers that were written here and that everybody may see. One that
/// is for fewer shows in no number, not even to those who may see it: a number that differs from one account to the
/// next would tell of it.
final class AnswerCounts {
  private let connection: Connection
  private let sources: Sources
  private let marks: MarkRows
  /// Posts whose answers have changed in the transaction.
  private var answered: Set<PostID> = []

  init(_ connection: Connection, _ sources: Sources, _ marks: MarkRows) {
    (self.connection, self.sources, self.marks) = (connection, sources, marks)
  }

  /// Has a post counted again.
  func renew(_ id: PostID) { answered.insert(id) }

  /// Notes that a row that answers a post comes or changes: if it was written here, what it answers is counted again.
  func note(_ row: PostRow, to parent: PostID?) throws(StoreError) {
    guard let parent, try sources.local() == row.name.source else { return }
    answered.insert(parent)
  }

  /// The same for a stored post that is for others now, goes, or has found what it answers.
  func note(_ id: PostID) throws(StoreError) {
    if let parent = try connection.number(ReplyQuery.answered, id, try sources.local()) {
      answered.insert(PostID(parent))
    }
  }

  /// Counts the answers of all posts of which some came or went. Counted anew each time, the number cannot drift.
  /// O(answers) for each.
  func save() throws(StoreError) {
    if answered.isEmpty { return }
    let local = try sources.local()
    for id in answered.sorted() {
      guard var post = try PostReader(connection).post(id), post.subject == id else { continue }
      let answers = try connection.number(ReplyQuery.answerCount, id, local) ?? 0
      if post.marks.set(answers: UInt32(clamping: answers)) { try marks.save(post.marks, of: id) }
    }
  }
}
