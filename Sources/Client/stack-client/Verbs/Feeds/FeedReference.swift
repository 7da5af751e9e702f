internal import ClientCore
internal import Messages

/// Feeds as a person names them.
enum FeedReference {
  /// Returns the feeds that the account follows.
  static func all(_ context: ClientContext) throws(ClientFailure) -> [SourceSummary] {
    try context.list(Method.listSources, ListSourcesResponse.self).filter { $0.feedID != 0 }
  }

  /// Returns the number in an ID (`f7` or `7`); nil for anything else.
  private static func number(in text: String) -> UInt64? {
    UInt64(text.hasPrefix("f") ? text.dropFirst() : text[...])
  }

  /// Returns the feed with this ID (`f7` or `7`), address or title.
  static func find(_ text: String, _ context: ClientContext) throws(ClientFailure) -> SourceSummary {
    guard let feed = try followed(text, context) else {
      throw ClientFailure(.notFound, "you follow no feed '\(text)'", hint: "`stack-client feed` lists yours")
    }
    return feed
  }

  private static func followed(_ text: String, _ context: ClientContext) throws(ClientFailure) -> SourceSummary? {
    let feeds = try all(context)
    let number = number(in: text)
    if let feed = feeds.first(where: { $0.feedID == number || $0.url == text }) { return feed }
    let named = feeds.filter { $0.title.lowercased() == text.lowercased() }
    guard named.count <= 1 else {
      let ids = named.map { "f\($0.feedID)" }.joined(separator: ", ")
      throw ClientFailure(.usage, "several feeds are called '\(text)': \(ids)", hint: "give an ID")
    }
    return named.first
  }

  /// Makes changes of a feed, one after the other, and prints it. By its ID an administrator changes one that only
  /// others follow.
  static func change(
    _ text: String, _ changes: [SetFeedRequest.Change], _ context: ClientContext
  ) throws(ClientFailure) {
    let known = try followed(text, context)?.feedID ?? number(in: text)
    let number = if let known { known } else { try find(text, context).feedID }
    var feed: SourceSummary?
    for change in changes {
      let answer: FeedResponse = try context.command(Method.setFeed, SetFeedRequest(feedID: number, change))
      feed = answer.feed
    }
    if let feed { try context.write(feed.record) }
  }
}
