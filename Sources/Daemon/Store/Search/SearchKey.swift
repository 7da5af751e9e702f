internal import Dates
internal import Posts

/// The rowid of a post in the index of words: ordered by time, so that SQLite finds the newest posts first and stops.
///
/// An instant's bucket, of 128 ms, is in the upper bits, a place in it in the lower ten. The order within a bucket says
/// nothing: whoever reads it sorts it. Posts for which there is no place (more than ``places`` of one instant, as files
/// without times have them, or an instant that no calendar reaches) have keys of their own above all others, by their
/// number, and are sorted when they are read.
enum SearchKey {
  /// Keys of a bucket.
  static let places: Int64 = 1 << 10
  /// The keys of those without a place.
  static let overflow: Range<Int64> = 1 << 62..<(.max)

  private static let millisecondBits: Int64 = 7

  /// The keys of an instant's bucket; for an instant that no calendar reaches those of the end that is nearer.
  static func bucket(_ instant: Instant) -> Range<Int64> {
    let clamped = min(max(instant, .distantPast), .distantFuture)
    let first = clamped.milliseconds >> millisecondBits * places
    return first..<first + places
  }

  /// Whether posts of this instant have a bucket.
  static func hasBucket(_ instant: Instant) -> Bool { instant >= .distantPast && instant <= .distantFuture }

  /// The key of a post without a place.
  static func overflow(_ id: PostID) -> Int64 { overflow.lowerBound + id.rawValue }
}
