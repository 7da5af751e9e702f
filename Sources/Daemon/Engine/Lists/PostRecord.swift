internal import Dates
internal import Posts

/// Encoding of the parts of a post that are not in a chunk's columns: a flags byte; then, for each flag set, a varint
/// for the original of a repost (as the distance between the IDs), its reposter and its age, the parent (as a distance
/// too), the owner and the audience; the length-prefixed marks, if there are any; and the ``CompactBody``.
struct PostRecord {
  private static let repost: UInt8 = 1 << 0
  private static let reply: UInt8 = 1 << 1
  /// Its owner is not the chunk's usual one.
  private static let foreign: UInt8 = 1 << 2
  /// Its audience does not follow from its visibility and owner.
  private static let special: UInt8 = 1 << 3
  /// It has marks of accounts.
  private static let marked: UInt8 = 1 << 4

  private(set) var subject: Int64?
  private(set) var repostedBy: Int64?
  /// The age of the original of a repost at the time of the repost, in milliseconds; 0 for other posts.
  private(set) var originalAge: Int64 = 0
  private(set) var parent: Int64?
  private(set) var owner: Int64
  /// Nil if it follows from visibility and owner.
  private(set) var audience: Audience?
  /// The range of its marks.
  private(set) var marks = 0..<0
  /// Number of bytes before the body.
  private(set) var headCount = 1

  /// Reads the record of post `id` up to its body. `usualOwner` is the owner if the record names none.
  init(_ bytes: Swift.Span<UInt8>, id: Int64, usualOwner: Int64) {
    owner = usualOwner
    let kind = bytes[0]
    if kind & Self.repost != 0 {
      subject = id &- Varint.readSigned(bytes, at: &headCount)
      repostedBy = Varint.readSigned(bytes, at: &headCount)
      originalAge = Varint.readSigned(bytes, at: &headCount)
    }
    if kind & Self.reply != 0 { parent = id &- Varint.readSigned(bytes, at: &headCount) }
    if kind & Self.foreign != 0 { owner = Varint.readSigned(bytes, at: &headCount) }
    if kind & Self.special != 0 { audience = Audience(number: Varint.readSigned(bytes, at: &headCount)) }
    if kind & Self.marked != 0 { marks = Self.marks(bytes, at: &headCount) }
  }

  /// Appends the record of a post to `bytes`. O(length).
  static func append(_ post: StoredPost, usualOwner: Int64, to bytes: inout [UInt8]) {
    let isForeign = post.owner.rawValue != usualOwner
    let isSpecial = post.audience != Audience(visibility: post.body.visibility, owner: post.owner)
    bytes.append(
      (post.repostedBy != nil ? repost : 0) | (post.inReplyTo != nil ? reply : 0) | (isForeign ? foreign : 0)
        | (isSpecial ? special : 0) | (post.marks.isEmpty ? 0 : marked))
    if let by = post.repostedBy {
      Varint.append(signed: post.id.rawValue &- post.subject.rawValue, to: &bytes)
      Varint.append(signed: by.rawValue, to: &bytes)
      Varint.append(signed: post.originalAt.map { post.createdAt.milliseconds &- $0.milliseconds } ?? 0, to: &bytes)
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

  /// Returns true for the record of a repost.
  @inline(__always)
  static func isRepost(_ bytes: Swift.Span<UInt8>) -> Bool { bytes[0] & repost != 0 }

  /// Returns true for the record of a post with marks of accounts.
  @inline(__always)
  static func isMarked(_ bytes: Swift.Span<UInt8>) -> Bool { bytes[0] & marked != 0 }

  /// Returns the number of bytes before the body, without decoding the rest.
  @inline(__always)
  static func headCount(_ bytes: Swift.Span<UInt8>) -> Int {
    var count = 1
    if bytes[0] != 0 {
      for _ in 0..<numbers(bytes[0]) { _ = Varint.read(bytes, at: &count) }
      if bytes[0] & marked != 0 { _ = marks(bytes, at: &count) }
    }
    return count
  }

  /// Skips the marks and returns their range.
  private static func marks(_ bytes: Swift.Span<UInt8>, at position: inout Int) -> Range<Int> {
    let count = Int(Varint.read(bytes, at: &position))
    position += count
    return position - count..<position
  }

  private static func numbers(_ kind: UInt8) -> Int {
    (kind & repost != 0 ? 3 : 0) + (kind & (reply | foreign | special)).nonzeroBitCount
  }
}
