import Posts
import TestSupport
import Testing

@Suite("Packed bodies")
struct PackedBodyTests {
  static let body = PostBody(
    text: "hello @ann see https://example.org #tag",
    spans: [
      Span(kind: .mention, range: 6..<10, target: "ann"),
      Span(kind: .link, range: 15..<34, target: "https://example.org/"),
      Span(kind: .hashtag, range: 35..<39, target: "tag"),
    ], media: [Media(kind: .image, url: "https://example.org/a.png", altText: "a cat, asleep")],
    counts: Counts(replies: 1, reposts: 300, favourites: 70_000), visibility: .followers, flags: [.sensitive, .edited],
    contentWarning: "cats", language: "en", permalink: "https://example.org/1", inReplyToHandle: "ann")

  @Test("a body is unchanged after packing and unpacking") func roundTrip() {
    #expect(PackedBody(Self.body).unpacked() == Self.body)
    let bare = PostBody(text: .empty)
    #expect(PackedBody(bare).unpacked() == bare)
  }

  @Test("the IDs of uploaded files come back, and are bytes only where there are some") func uploads() {
    var body = Self.body
    body.media.append(Media(kind: .video, url: .empty, altText: .empty, uploadID: "1142"))
    #expect(PackedBody(body).unpacked() == body)
    body.media[1].uploadID = .empty
    #expect(PackedBody(body).unpacked() == body)
    let bytes = PackedBody(body).bytes.count
    body.media[1].uploadID = "1142"
    #expect(PackedBody(body).bytes.count == bytes + 6)
  }

  @Test("every truncated body is refused without a crash") func truncated() {
    let bytes = PackedBody(Self.body).bytes
    for length in 0..<bytes.count {
      #expect(PackedBody(trusted: Array(bytes.prefix(length))).unpacked() == nil)
    }
  }

  /// Returns a body of any kind; some are damaged.
  private static func packed(_ random: inout SeededGenerator) -> PackedBody {
    var body = body
    if Bool.random(using: &random) { body.spans = [] }
    if Bool.random(using: &random) { body.media = [] }
    if Bool.random(using: &random) { body.counts = Counts() }
    if Bool.random(using: &random) { body.flags = [] }
    if Bool.random(using: &random) { body.contentWarning = .empty }
    if Bool.random(using: &random) { (body.language, body.permalink) = (.empty, .empty) }
    if Bool.random(using: &random) { body.inReplyToHandle = .empty }
    if Int.random(in: 0..<4, using: &random) == 0 {
      body = PostBody(text: SafeText(String(repeating: "long ", count: .random(in: 0...90, using: &random))))
    }
    body.visibility = .allCases.randomElement(using: &random)!
    var bytes = PackedBody(body).bytes
    for _ in 0..<[0, 0, 0, 1, 2, 5].randomElement(using: &random)! {
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes.removeLast(.random(in: 0...min(3, bytes.count), using: &random))
      case 1: bytes.append(.random(in: 0...255, using: &random))
      default:
        if let place = bytes.indices.randomElement(using: &random) {
          bytes[place] = .random(in: 0...255, using: &random)
        }
      }
    }
    return PackedBody(trusted: bytes)
  }

  @Test(
    "a compact body restores the packed one byte for byte, damaged or not, and gives its text",
    arguments: 0..<8 as Range<UInt64>)
  func compact(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<2000 {
      let packed = Self.packed(&random)
      var bytes: [UInt8] = [7]
      CompactBody.append(packed, to: &bytes)
      let compact = bytes.dropFirst()
      #expect(CompactBody.packed(compact) == packed, "seed \(seed), round \(round)")
      let text = CompactBody.text(compact.span).map { Array(Array(compact)[$0]) }
      #expect(text == packed.unpacked()?.text.utf8, "seed \(seed), round \(round)")
    }
  }

  @Test("damaged compact bytes never cause a crash", arguments: 0..<4 as Range<UInt64>)
  func damage(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      var bytes: [UInt8] = []
      CompactBody.append(Self.packed(&random), to: &bytes)
      bytes.removeLast(.random(in: 0...min(20, bytes.count), using: &random))
      if let place = bytes.indices.randomElement(using: &random) { bytes[place] = .random(in: 0...255, using: &random) }
      if let text = CompactBody.text(bytes.span) { #expect(text.upperBound <= bytes.count) }
      _ = CompactBody.packed(bytes[...]).unpacked()
    }
  }

  @Test("a plain post takes one byte more than its text; empty parts take none") func size() {
    var bytes: [UInt8] = []
    CompactBody.append(PackedBody(PostBody(text: SafeText(String(repeating: "x", count: 188)))), to: &bytes)
    #expect(bytes.count == 189)
    bytes = []
    CompactBody.append(PackedBody(PostBody(text: "hello", language: "en")), to: &bytes)
    #expect(bytes.count == 2 + 1 + 5 + 1 + 2)
  }
}
