import Dates
import TestSupport
import Testing

@testable import Feeds

@Suite("What is remembered of items")
struct KnownItemsTests {
  @Test("the text is read as the same, and has a limit", arguments: seeds(0..<50 as Range<UInt64>))
  func law(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let items = (0..<Int.random(in: 0...1_500, using: &random)).map { _ in
      let id = UInt64.random(in: 0..<1 << 48, using: &random)
      return KnownItems.Item(
        id: id, post: Bool.random(using: &random) ? id : UInt64.random(in: 0..<1 << 48, using: &random),
        other: UInt32.random(in: 0..<1 << 24, using: &random), content: UInt32.random(in: 0..<1 << 24, using: &random),
        date: Instant(seconds: Int64.random(in: 631_152_000...1_900_000_000, using: &random)))
    }
    let known = KnownItems(items)
    #expect(known.text.utf8.count <= KnownItems.textBytes)
    #expect(KnownItems(text: known.text.utf8) == known)
    #expect(known.items.elementsEqual(items.prefix(known.items.count)))
    #expect(known.items.count == items.count || known.isFull)
  }

  @Test("damaged text is read as far as it goes") func damage() {
    #expect(KnownItems(text: "".utf8).items.isEmpty)
    #expect(KnownItems(text: "§".utf8).items.isEmpty)
    let item = KnownItems.Item(id: 1, post: 2, other: 3, content: 4, date: Instant(seconds: 1_700_000_000))
    let text = KnownItems([item, item]).text
    #expect(KnownItems(text: text.utf8).items == [item])
    #expect(KnownItems(text: text.dropLast(3).utf8).items.isEmpty)
  }
}
