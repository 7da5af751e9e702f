internal import Posts

/// What a chunk has of a post beside its columns, as bytes: a byte that says what there is, then, each as a varint and
/// only where there is such a thing, the original of a repost (its number's distance to the repost's own), who reposted
/// it, the post it answers (the same), its owner, its audience, and its marks, which have their length before them;
/// then its ``CompactBody``.
struct PostRecord {
  private static let repost: UInt8 = 1 << 0
  private static let reply: UInt8 = 1 << 1
  /// Its owner is not the one that most of the chunk have.
  private static let foreign: UInt8 = 1 << 2
  /// Its audience is not what its visibility and its owner say.
  private static let special: UInt8 = 1 << 3
  /// Accounts have done something to it.
  private static let marked: UInt8 = 1 << 4

  private(set) var subject: Int64?
  private(set) var repostedBy: Int64?
  private(set) var parent: Int64?
  private(set) var owner: Int64
  /// Nil where visibility and owner say it.
  private(set) var audience: Audience?
  /// Where its marks are.
  private(set) var marks = 0..<0
  /// How many bytes are before the body.
  private(set) var headCount = 1

  /// Reads the record of post `id`, down to its body. `usualOwner` has what names no owner.
  init(_ bytes: Swift.Span<UInt8>, id: Int64, usualOwner: Int64) {
    owner = usualOwner
    let kind = bytes[0]
    if kind & Self.repost != 0 {
      subject = id &- Varint.readSigned(bytes, at: &headCount)
      repostedBy = Varint.readSigned(bytes, at: &headCount)
    }
    if kind & Self.reply != 0 { parent = id &- Varint.readSigned(bytes, at: &headCount) }
    if kind & Self.foreign != 0 { owner = Varint.readSigned(bytes, at: &headCount) }
    if kind & Self.special != 0 { audience = Audience(number: Varint.readSigned(bytes, at: &headCount)) }
    if kind & Self.marked != 0 { marks = Self.marks(bytes, at: &headCount) }
  }

  /// Adds the record of a post to `bytes`. O(length).
  static func append(_ post: StoredPost, usualOwner: Int64, to bytes: inout [UInt8]) {
    let isForeign = post.owner.rawValue != usualOwner
    let isSpecial = post.audience != Audience(visibility: post.body.visibility, owner: post.owner)
    bytes.append(
      (post.repostedBy != nil ? repost : 0) | (post.inReplyTo != nil ? reply : 0) | (isForeign ? foreign : 0)
        | (isSpecial ? special : 0) | (post.marks.isEmpty ? 0 : marked))
    if let by = post.repostedBy {
      Varint.append(signed: post.id.rawValue &- post.subject.rawValue, to: &bytes)
      Varint.append(signed: by.rawValue, to: &bytes)
    }
    if let parent = post.inReplyTo { Varint.append(signed: post.id.rawValue &- parent.rawValue, to: &bytes) }
    if isForeign { Varint.append(signed: post.owner.rawValue, to: &bytes) }
    if isSpecial { Varint.append(signed: post.audience.number, to: &bytes) }
    if !post.marks.isEmpty {
      Varint.append(UInt64(post.marks.bytes.count), to: &bytes)
      bytes += post.marks.bytes
    }
    CompactBody.append(post.body, to: &bytes)
  }

  /// Whether it is a repost's.
  @inline(__always)
  static func isRepost(_ bytes: Swift.Span<UInt8>) -> Bool { bytes[0] & repost != 0 }

  /// How many bytes are before the body, read without the rest.
  @inline(__always)
  static func headCount(_ bytes: Swift.Span<UInt8>) -> Int {
    var count = 1
    if bytes[0] != 0 {
      for _ in 0..<numbers(bytes[0]) { _ = Varint.read(bytes, at: &count) }
      if bytes[0] & marked != 0 { _ = marks(bytes, at: &count) }
    }
    return count
  }

  /// Passes the marks and says where they are.
  private static func marks(_ bytes: Swift.Span<UInt8>, at position: inout Int) -> Range<Int> {
    let count = Int(Varint.read(bytes, at: &position))
    position += count
    return position - count..<position
  }

  private static func numbers(_ kind: UInt8) -> Int {
    (kind & repost != 0 ? 2 : 0) + (kind & (reply | foreign | special)).nonzeroBitCount
  }
}
