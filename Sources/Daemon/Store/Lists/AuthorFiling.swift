internal import Dates
internal import Posts

/// All posts of one author at once, where a list gets or loses that author; and all mentions of an account, where it is
/// called something else. Costs what the author has written, or what is in the account's sources.
struct AuthorFiling {
  private let connection: Connection
  private let transaction: Transaction
  private let tallies: Tallies
  private let posts: ListedPosts

  init(_ connection: Connection, _ transaction: Transaction, _ tallies: Tallies, _ posts: ListedPosts) {
    (self.connection, self.transaction, self.tallies, self.posts) = (connection, transaction, tallies, posts)
  }

  /// Puts what an author wrote, as far as it may be seen by whoever reads the list, into it for the place's reason.
  func file(_ author: AuthorID, in place: Place) throws(StoreError) {
    let before = try entryCount(author, place)
    if try connection.change(EntryQuery.fileAuthor, place.list, author, place.reason, place.account) {
      try note(author, place, before)
    }
  }

  /// Takes what an author wrote out of a list, unless it is there for another reason than the place's too.
  func unfile(_ author: AuthorID, from place: Place) throws(StoreError) {
    let before = try entryCount(author, place)
    if try connection.change(EntryQuery.unfileAuthor, place.list, author, place.reason) {
      try connection.run(EntryQuery.deleteUnreasoned, place.list, author)
      try note(author, place, before)
    }
  }

  private func note(_ author: AuthorID, _ place: Place, _ before: Int) throws(StoreError) {
    transaction.noteChange()
    let difference = try entryCount(author, place) - before
    guard difference != 0 else { return }
    tallies.count(difference, in: place.list)
    transaction.reload(place.name)
  }

  private func entryCount(_ author: AuthorID, _ place: Place) throws(StoreError) -> Int {
    try connection.count(EntryQuery.countOfAuthor, place.list, author)
  }

  /// Finds all mentions of an account again, in the sources in which it is somebody.
  func renewMentions(of account: AccountID, in list: Int64, _ sources: [Int64]) throws(StoreError) {
    try connection.run(EntryQuery.deleteAll, list)
    let lost = connection.changes
    var found = 0
    for source in sources {
      for key in try posts.mentions(of: account, in: source) {
        try connection.run(EntryQuery.insert, list, key.createdAt, key.id, Reason([]))
        found += 1
      }
    }
    if lost == 0 && found == 0 { return }
    transaction.noteChange()
    tallies.count(found - lost, in: list)
    transaction.reload(.mentions(account))
  }
}
