internal import Dates
internal import HTTPSupport
internal import Ingest

/// The bookmarks of a login, which are what its account saves: pages of them, the newest first, down to one that is
/// known. No server tells that a bookmark was removed elsewhere, so its post stays saved.
struct LoginBookmarks {
  /// What a page has brought: items, and the cursor that stands for all that was read; nil while there are more pages.
  typealias Outcome = (items: [[UInt8]], cursor: String?)

  /// The statuses of a page, and the most pages that are read in a row.
  static let pageSize = 40
  static let pageLimit = 20
  /// The number of the newest bookmarks that are remembered: any of them may be removed.
  private static let knownLimit = 8

  /// The newest bookmarks that the daemon has; nil if the account's saved posts are not kept there.
  private var known: [String]?
  /// The bookmark below which the next page is, empty for the newest page; nil for no page.
  private var below: String?
  private var newest: [String] = []
  private var pages = 0

  /// - Parameter cursor: what the daemon has stored, empty for nothing; nil if bookmarks are not kept.
  init(cursor: String?) { known = cursor.map { $0.split(separator: " ").map(String.init) } }

  /// Reads what is new.
  mutating func begin() { if known != nil { (below, newest, pages) = ("", [], 0) } }

  /// The connection has failed.
  mutating func interrupt() { below = nil }

  /// Returns the bookmark below which a page is to be asked for, empty for the newest page; nil for none.
  mutating func next() -> String? {
    defer { below = nil }
    return below
  }

  /// Takes a page. Posts are dated by the server's clock, which says `serverNow`.
  mutating func answered(
    _ response: FetchResponse?, host: String, serverNow: Instant, parser: JSONParser
  ) -> Outcome {
    let page = response?.parsed(by: parser) { value -> [TimelineStatus]? in
      guard value.isArray else { return nil }
      return value.elements.compactMap { TimelineStatus($0, host: host, now: serverNow) }
    }
    // What cannot be read is read with the next connection.
    guard let page, let known else { return ([], nil) }
    pages += 1
    if newest.isEmpty { newest = Array(page.map(\.id).prefix(Self.knownLimit)) }
    let new = page.prefix { !known.contains($0.id) }
    if new.count == page.count, pages < Self.pageLimit { below = response.flatMap(Self.nextPage) }
    let items = new.map { LoginItem.post($0.post, in: ["saved"]) }
    guard below == nil else { return (items, nil) }
    let all = Array((newest + known.filter { !newest.contains($0) }).prefix(Self.knownLimit))
    self.known = all
    return (items, all == known ? nil : all.joined(separator: " "))
  }

  /// Returns the bookmark below which the next page is, as the Link field says: pages are by numbers of bookmarks, which
  /// are not those of statuses.
  private static func nextPage(after response: FetchResponse) -> String? {
    for link in response.field("link")?.split(separator: ",") ?? [] where link.contains("rel=\"next\"") {
      guard let address = link.split(separator: ">").first, let query = address.split(separator: "?").last else {
        continue
      }
      return FormFields.value("max_id", in: query).flatMap { $0.isEmpty ? nil : $0 }
    }
    return nil
  }
}
