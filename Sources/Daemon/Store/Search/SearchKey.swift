internal import Dates
internal import Posts

/// The rowid of a post in the search index, ordered by time, so that SQLite finds the newest posts first and stops.
///
/// The upper bits hold the instant's bucket of 128 ms, the lower ten bits a place in the bucket. The order within a
/// bucket is meaningless, so readers sort. Posts without a place (more than ``places`` of one instant, as in files
/// without times, or an instant that no calendar reaches) have overflow keys above all others, derived from their ID,
/// and are sorted when read.
enum SearchKey {
  /// Number of keys in a bucket.
  static let places: Int64 = 1 << 10
  /// The keys of posts without a place.
  static let overflow: Range<Int64> = 1 << 62..<(.max)

  private static let millisecondBits: Int64 = 7

  /// Returns the keys of an instant's bucket; an instant that no calendar reaches is clamped to the nearer end.
  static func bucket(_ instant: Instant) -> Range<Int64> {
    let clamped = min(max(instant, .distantPast), .distantFuture)
    let first = clamped.milliseconds >> millisecondBits * places
    return first..<first + places
  }

  /// Returns true if posts of this instant have a bucket.
  static func hasBucket(_ instant: Instant) -> Bool { instant >= .distantPast && instant <= .distantFuture }

  /// Returns the key of a post without a place.
  static func overflow(_ id: PostID) -> Int64 { overflow.lowerBound + id.rawValue }
}
