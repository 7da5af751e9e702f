import Posts
import Testing

@Suite("A packed body unpacks to itself, and damage is noticed")
struct PackedBodyTests {
  static let body = PostBody(
    text: "hello @ann see https://example.org #tag", spans: [
      Span(kind: .mention, range: 6..<10, target: "ann"),
      Span(kind: .link, range: 15..<34, target: "https://example.org/"),
      Span(kind: .hashtag, range: 35..<39, target: "tag"),
    ], media: [Media(kind: .image, url: "https://example.org/a.png", altText: "a cat, asleep")],
    counts: Counts(replies: 1, reposts: 300, favourites: 70_000), visibility: .followers, flags: [.sensitive, .edited],
    contentWarning: "cats", language: "en", permalink: "https://example.org/1", inReplyToHandle: "ann")

  @Test("round trip") func roundTrip() {
    #expect(PackedBody(Self.body).unpacked() == Self.body)
    let bare = PostBody(text: .empty)
    #expect(PackedBody(bare).unpacked() == bare)
  }

  @Test("every shorter prefix is refused, none crashes") func truncated() {
    let bytes = PackedBody(Self.body).bytes
    for length in 0..<bytes.count {
      #expect(PackedBody(trusted: Array(bytes.prefix(length))).unpacked() == nil)
    }
  }
}
