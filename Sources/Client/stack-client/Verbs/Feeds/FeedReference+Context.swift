internal import ClientCore
internal import Messages

/// Feeds as a person names them, of those that the account follows.
extension FeedReference {
  /// Returns the feeds that the account follows.
  static func all(_ context: ClientContext) throws(ClientFailure) -> [SourceSummary] {
    try context.list(Method.listSources, ListSourcesResponse.self).filter { $0.feedID != 0 }
  }

  /// Returns the feed with this ID (`f7` or `7`), address or title.
  static func find(_ text: String, _ context: ClientContext) throws(ClientFailure) -> SourceSummary {
    guard let feed = try find(text, in: all(context)) else {
      throw ClientFailure(.notFound, "you follow no feed '\(text)'", hint: "`stack-client feed` lists yours")
    }
    return feed
  }

  /// Makes changes of a feed, one after the other, and prints it. By its ID an administrator changes one that only
  /// others follow.
  static func change(
    _ text: String, _ changes: [SetFeedRequest.Change], _ context: ClientContext
  ) throws(ClientFailure) {
    let known = try find(text, in: all(context))?.feedID ?? number(in: text)
    let number = if let known { known } else { try find(text, context).feedID }
    var feed: SourceSummary?
    for change in changes {
      let answer: FeedResponse = try context.command(Method.setFeed, SetFeedRequest(feedID: number, change))
      feed = answer.feed
    }
    if let feed { try context.write(feed.record) }
  }
}
