internal import HTTPSupport
internal import Ingest

/// The feeds that a web page offers (https://www.rssboard.org/rss-autodiscovery).
enum OfferedFeeds {
  /// The most bytes of a page that are read.
  private static let pageBytes = 512 << 10
  /// The most feeds that are read of a page.
  private static let limit = 16
  private static let types: Set<String> = ["application/rss+xml", "application/atom+xml", "application/feed+json"]

  /// Returns the addresses in the `link` elements of a page at `url`, resolved by its `base`, in the order of the page.
  /// O(length).
  static func read(_ page: [UInt8], at url: WebURL) -> [WebURL] {
    var base = url
    var feeds: [WebURL] = []
    for tag in HTMLText.tags(in: Array(page.prefix(pageBytes)), named: ["base", "link"]) where !tag.href.isEmpty {
      if tag.name == "base" {
        base = url.resolving(tag.href) ?? base
      } else if tag.relations.contains("alternate"), types.contains(tag.type), let feed = base.resolving(tag.href) {
        feeds.append(feed)
        if feeds.count == limit { break }
      }
    }
    return feeds
  }
}
