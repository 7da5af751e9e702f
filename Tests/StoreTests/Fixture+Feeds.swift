import Posts

@testable import Store

extension StoreReader {
  /// Returns the feeds that an account follows, or that anybody does, as they are shown.
  func listedFeeds(_ account: AccountID? = nil) throws -> [ListedFeed] {
    try listed(FeedReader(database).feeds(followedBy: account), for: account)
  }

  /// Returns all feeds that a program is told of.
  func toldFeeds(knowing known: [String: UpstreamFeed] = [:]) throws -> [ToldFeed] {
    try feeds(.page(after: 0, limit: 1_000), knowing: known)
  }
}
