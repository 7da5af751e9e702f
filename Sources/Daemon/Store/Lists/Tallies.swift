internal import Posts

/// Accumulates changes to the entry counts of lists and to the post counts of authors; writes them at the end of the
/// transaction.
final class Tallies {
  /// Key of an author's post count for one audience.
  private struct AuthorTally: Hashable, Comparable {
    var author: AuthorID
    var audience: Audience

    static func < (left: AuthorTally, right: AuthorTally) -> Bool {
      (left.author.rawValue, left.audience.number) < (right.author.rawValue, right.audience.number)
    }
  }

  private let connection: Connection
  private let transaction: Transaction
  private var entries: [Int64: Int] = [:]
  private var posts: [AuthorTally: (entries: Int, others: Int)] = [:]

  init(_ connection: Connection, _ transaction: Transaction) {
    (self.connection, self.transaction) = (connection, transaction)
  }

  /// Adds to the entry count of a list.
  func count(_ number: Int, in list: Int64) { entries[list, default: 0] += number }

  /// Drops the count of a deleted list.
  func forget(_ list: Int64) { entries[list] = nil }

  /// Adds to the count of an author's posts for `audience`.
  func count(_ number: Int, by author: AuthorID, for audience: Audience, isEntry: Bool) {
    let key = AuthorTally(author: author, audience: audience)
    let tally = posts[key] ?? (0, 0)
    posts[key] = isEntry ? (tally.entries + number, tally.others) : (tally.entries, tally.others + number)
    transaction.noteAudience(audience)
  }

  func endTransaction() {
    entries = [:]
    posts = [:]
  }

  /// Writes the counts in a fixed order, so that the same commits produce the same file.
  func save() throws(StoreError) {
    for (list, count) in entries.sorted(by: { $0.key < $1.key }) where count != 0 {
      try connection.run(TallyQuery.addEntries, list, count)
    }
    for (key, count) in posts.sorted(by: { $0.key < $1.key }) {
      try connection.run(TallyQuery.addPosts, key.author, key.audience, count.entries, count.others)
    }
  }
}
