internal import Posts

/// By how much a transaction changes the numbers of lists' entries and of authors' posts; written at its end.
final class Tallies {
  /// Posts of an author that one audience may see.
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

  /// Notes that a list has so many entries more.
  func count(_ number: Int, in list: Int64) { entries[list, default: 0] += number }

  /// Forgets a list that is deleted.
  func forget(_ list: Int64) { entries[list] = nil }

  /// Notes that an author has so many posts more that `audience` may see.
  func count(_ number: Int, by author: AuthorID, for audience: Audience, isEntry: Bool) {
    let key = AuthorTally(author: author, audience: audience)
    let tally = posts[key] ?? (0, 0)
    posts[key] = isEntry ? (tally.entries + number, tally.others) : (tally.entries, tally.others + number)
    transaction.noteAudience(audience)
  }

  /// Writes what was counted, in order, as everything that is written: the same commits make the same file.
  func save() throws(StoreError) {
    for (list, count) in entries.sorted(by: { $0.key < $1.key }) where count != 0 {
      try connection.run(TallyQuery.addEntries, list, count)
    }
    for (key, count) in posts.sorted(by: { $0.key < $1.key }) {
      try connection.run(TallyQuery.addPosts, key.author, key.audience, count.entries, count.others)
    }
  }
}
