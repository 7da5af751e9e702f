internal import Dates
internal import Posts

/// Files all posts of an author at once, when a list gains or loses the author, and all mentions of an account, when
/// its names change. O(posts of the author), or O(posts in the account's sources).
final class AuthorFiling {
  private let connection: Connection
  private let transaction: Transaction
  private let tallies: Tallies
  private let posts: ListedPosts
  private let filing: Filing
  private let twins: FeedTwins

  init(
    _ connection: Connection, _ transaction: Transaction, _ tallies: Tallies, _ posts: ListedPosts, _ filing: Filing,
    _ twins: FeedTwins
  ) {
    (self.connection, self.transaction, self.tallies, self.posts) = (connection, transaction, tallies, posts)
    (self.filing, self.twins) = (filing, twins)
  }

  /// Files an author's posts that the list's reader may see into the list, for the place's reason, but for those
  /// that twins hide there.
  func file(_ author: AuthorID, in place: Place) throws(StoreError) {
    let before = try entryCount(author, place)
    if try connection.change(EntryQuery.fileAuthor, place.list, author, place.reason, place.account) {
      try recordChange(author, place, before)
    }
  }

  /// Removes an author's posts from a list, except those that are there for another reason too. Their twins take their
  /// places.
  func unfile(_ author: AuthorID, from place: Place) throws(StoreError) {
    let before = try entryCount(author, place)
    if try connection.change(EntryQuery.unfileAuthor, place.list, author, place.reason) {
      try connection.run(EntryQuery.deleteUnreasoned, place.list, author)
      try recordChange(author, place, before)
      try filing.refile(try twins.pairs(of: author).map { $0.twin })
    }
  }

  private func recordChange(_ author: AuthorID, _ place: Place, _ before: Int) throws(StoreError) {
    transaction.noteChange()
    let difference = try entryCount(author, place) - before
    guard difference != 0 else { return }
    tallies.count(difference, in: place.list)
    transaction.reload(place.name)
  }

  private func entryCount(_ author: AuthorID, _ place: Place) throws(StoreError) -> Int {
    try connection.count(EntryQuery.countOfAuthor, place.list, author)
  }

  /// Recomputes the mentions of an account in the sources in which it has an identity. What servers have among its
  /// mentions stays.
  func renewMentions(of account: AccountID, in list: Int64, _ sources: [Int64]) throws(StoreError) {
    try connection.run(EntryQuery.deleteDerived, list)
    let lost = connection.changes
    var found = 0
    for source in sources {
      for key in try posts.mentions(of: account, in: source) {
        if try connection.change(EntryQuery.insertDerived, list, key.createdAt, key.id) { found += 1 }
      }
    }
    if lost == 0 && found == 0 { return }
    transaction.noteChange()
    tallies.count(found - lost, in: list)
    transaction.reload(.mentions(account))
  }
}
