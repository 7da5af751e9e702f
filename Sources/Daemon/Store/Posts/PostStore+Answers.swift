internal import Posts

/// A post counts, beside what its source told, the answers that were written here and that everybody may see. One that
/// is for fewer shows in no number, not even to those who may see it: a number that differs from one account to the
/// next would tell of it.
extension PostStore {
  /// Notes that a row that answers a post comes or changes: if it was written here, what it answers is counted again.
  func noteAnswer(_ row: PostRow, to parent: PostID?) throws(StoreError) {
    guard let parent, try local() == row.source else { return }
    transaction!.answered.insert(parent)
  }

  /// The same for a stored post that is for others now, goes, or has found what it answers.
  func noteAnswer(_ id: PostID) throws(StoreError) {
    let local = try local()
    let statement = try connection.statement(.answeredBy)
    defer { statement.reset() }
    statement.bind(1, id.rawValue)
    statement.bind(2, local)
    if try statement.step() { transaction!.answered.insert(PostID(statement.integer(0))) }
  }

  /// Counts the answers of all posts of which some came or went. Counted anew each time, the number cannot drift.
  /// O(answers) for each.
  func countAnswers() throws(StoreError) {
    if transaction!.answered.isEmpty { return }
    let local = try local()
    for id in transaction!.answered.sorted() {
      guard var post = try post(id), post.subject == id else { continue }
      let statement = try connection.statement(.answerCount)
      defer { statement.reset() }
      statement.bind(1, id.rawValue)
      statement.bind(2, local)
      let answers = try statement.step() ? UInt32(clamping: statement.integer(0)) : 0
      if post.marks.set(answers: answers) { try save(post.marks, of: id) }
    }
  }
}
