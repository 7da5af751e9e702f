/// The bound of `--since` and `--before`.
public enum SinceBound: Equatable, Sendable {
  /// A post.
  case post(String)
  /// An instant, in milliseconds since 1970.
  case instant(Int64)

  /// Reads `12` or `twitter:12` (a post), or a time as ``DateSpan`` does, of which the beginning counts. A number alone
  /// is a post, not a year.
  ///
  /// - Parameters:
  ///   - now: milliseconds since 1970.
  ///   - localOffset: the seconds by which local time is ahead of UTC when a local clock shows the given seconds since
  ///     1970-01-01T00:00.
  /// - Returns: nil for any other text.
  public init?(_ text: String, now: Int64, localOffset: (Int64) -> Int64) {
    if PostReference.number(text) != nil {
      self = .post(text)
    } else if let span = DateSpan(text, now: now, localOffset: localOffset) {
      self = .instant(span.start)
    } else if PostReference.isPlausible(text), !ISODate.isMeant(by: text) {
      self = .post(text)
    } else {
      return nil
    }
  }
}
