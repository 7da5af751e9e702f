internal import Codecs
internal import Dates

/// A compact record of a feed's items: enough to recognise each, to see whether it has changed, and to keep its date.
/// The daemon stores it as a cursor; it has 16 bytes an item.
struct KnownItems: Equatable {
  /// An item.
  struct Item: Equatable {
    /// The hash of its identifier, 48 bits.
    var id: UInt64
    /// The identifier of its post, 48 bits: that hash, or the one under which the item was first seen.
    var post: UInt64
    /// A hash of its link, or of title and date if it has none, 24 bits.
    var other: UInt32
    /// A hash of the shown text, address and attachments, 24 bits.
    var content: UInt32
    /// The date of its post.
    var date: Instant
  }

  /// The items: those of the last document in its order, then earlier ones.
  private(set) var items: [Item] = []
  private var byID: [UInt64: Int] = [:]
  private var byOther: [UInt32: Int] = [:]

  /// The longest form as text, in bytes.
  static let textBytes = 12_800
  /// Bytes of an item, without the six for a post with another identifier.
  private static let itemBytes = 16
  /// Dates are counted in seconds from 1990-01-01 on, for an item cannot be older.
  private static let epoch: Int64 = 631_152_000

  init() {}

  /// Keeps the first items that fit into ``textBytes``.
  init(_ items: some Sequence<Item>) {
    var bytes = 0
    for item in items {
      bytes += Self.itemBytes + (item.id == item.post ? 0 : 6)
      guard bytes <= Self.textBytes / 4 * 3 - 2 else { break }
      append(item)
    }
  }

  private mutating func append(_ item: Item) {
    guard byID[item.id] == nil else { return }
    byID[item.id] = items.count
    if byOther[item.other] == nil { byOther[item.other] = items.count }
    items.append(item)
  }

  /// True if there is hardly room for more, so that items may have been forgotten.
  var isFull: Bool { items.count * (Self.itemBytes + 6) >= Self.textBytes / 4 * 3 - 64 }

  /// Returns the item with this identifier.
  func item(id: UInt64) -> Item? { byID[id].map { items[$0] } }

  /// Returns the first item with this link, or this title and date.
  func item(other: UInt32) -> Item? { byOther[other].map { items[$0] } }

  // MARK: - As text

  /// Reads the form that ``text`` writes; what cannot be read is left out.
  init(text: some Sequence<UInt8>) {
    let bytes = Base64.decode(text) ?? []
    var position = 0
    func number(_ count: Int) -> UInt64 {
      defer { position += count }
      return bytes[position..<position + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
    while position + Self.itemBytes <= bytes.count {
      let (id, other, content, seconds) = (number(6), number(3), number(3), number(4))
      var item = Item(
        id: id, post: id, other: UInt32(other), content: UInt32(content),
        date: Instant(seconds: Int64(seconds >> 1) + Self.epoch))
      if seconds & 1 == 1 {
        guard position + 6 <= bytes.count else { return }
        item.post = number(6)
      }
      append(item)
    }
  }

  /// The items in base64.
  var text: String {
    var bytes: [UInt8] = []
    func append(_ number: UInt64, _ count: Int) {
      for index in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(index * 8))) }
    }
    for item in items {
      append(item.id, 6)
      append(UInt64(item.other), 3)
      append(UInt64(item.content), 3)
      let seconds = UInt64(min(max(0, item.date.seconds - Self.epoch), 0x7FFF_FFFF))
      append(seconds << 1 | (item.id == item.post ? 0 : 1), 4)
      if item.id != item.post { append(item.post, 6) }
    }
    return Base64.encode(bytes)
  }
}
