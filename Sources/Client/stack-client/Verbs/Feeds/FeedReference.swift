internal import ClientCore
internal import Messages

/// Feeds as a person names them.
enum FeedReference {
  /// Returns the feeds that the account follows.
  static func all(_ context: ClientContext) throws(ClientFailure) -> [SourceSummary] {
    try context.list(Method.listSources, ListSourcesResponse.self).filter { $0.feedID != 0 }
  }

  /// Returns the feed with this ID (`f7` or `7`), address or title.
  static func find(_ text: String, _ context: ClientContext) throws(ClientFailure) -> SourceSummary {
    let feeds = try all(context)
    let number = UInt64(text.hasPrefix("f") ? text.dropFirst() : text[...])
    if let feed = feeds.first(where: { $0.feedID == number || $0.url == text }) { return feed }
    let named = feeds.filter { $0.title.lowercased() == text.lowercased() }
    guard let feed = named.first else {
      throw ClientFailure(.notFound, "you follow no feed '\(text)'", hint: "`stack-client feed` lists yours")
    }
    guard named.count == 1 else {
      let ids = named.map { "f\($0.feedID)" }.joined(separator: ", ")
      throw ClientFailure(.usage, "several feeds are called '\(text)': \(ids)", hint: "give an ID")
    }
    return feed
  }

  /// Makes changes of a feed, one after the other, and prints it.
  static func change(
    _ text: String, _ changes: [SetFeedRequest.Change], _ context: ClientContext
  ) throws(ClientFailure) {
    var feed = try find(text, context)
    for change in changes {
      let answer: FeedResponse = try context.command(Method.setFeed, SetFeedRequest(feedID: feed.feedID, change))
      feed = answer.feed
    }
    try context.write(feed.record)
  }
}
