import Messages
import Testing

@testable import Services

@Suite("What is read and sent of the sources that a client watches")
struct SourceListingTests {
  private static func feed(_ number: UInt64, _ title: String = "") -> SourceSummary {
    var feed = SourceSummary()
    (feed.source, feed.feedID, feed.title) = ("feed", number, title)
    return feed
  }

  /// A listing whose client holds feeds 1 and 2.
  private func held() -> SourceListing {
    var listing = SourceListing()
    #expect(listing.changed(.all) == .all && listing.read([Self.feed(1), Self.feed(2)]) == nil)
    #expect(listing.nextMessage { $0.status }?.sources.map(\.feedID) == [1, 2])
    return listing
  }

  @Test("of a feed that has changed only that one is read, and only that one is sent") func one() {
    var listing = held()
    #expect(listing.changed(.feeds([2])) == .feeds([2]))
    #expect(listing.read([Self.feed(2, "Otters")]) == nil)
    #expect(listing.nextMessage { $0.status }?.sources.map(\.title) == ["Otters"])
    #expect(listing.changed(.feeds([2, 3])) == .feeds([2, 3]) && listing.read([Self.feed(3)]) == nil)
    let news = listing.nextMessage { $0.status }
    #expect(news?.sources.map(\.feedID) == [3] && news?.gone.map(\.feedID) == [2] && news?.isComplete == true)
    #expect(listing.nextMessage { $0.status } == nil)
  }

  @Test("what changes while the store is asked is read next, together") func together() {
    var listing = held()
    #expect(listing.changed(.feeds([1])) == .feeds([1]))
    #expect(listing.changed(.feeds([3])) == nil && listing.changed(.feeds([4])) == nil)
    #expect(listing.read([Self.feed(1, "New")]) == .feeds([3, 4]))
    #expect(listing.nextMessage { $0.status }?.isComplete == false)
    #expect(listing.changed(.feeds([5])) == nil && listing.changed(.all) == nil && listing.changed(.feeds([6])) == nil)
    #expect(listing.read([]) == .all && listing.read([Self.feed(1, "New")]) == nil)
    let news = listing.nextMessage { $0.status }
    #expect(news?.sources == [] && news?.gone.map(\.feedID) == [2] && news?.isComplete == true)
  }
}
