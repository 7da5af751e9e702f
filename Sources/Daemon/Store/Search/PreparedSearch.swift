internal import Dates
internal import Posts
internal import Search

/// A search by an account, ready to run: the FTS5 expression, and a range in list order.
struct PreparedSearch {
  let expression: MatchExpression
  let account: AccountID
  /// Hits are not before this place.
  private(set) var lower: OrderKey
  /// Hits are before this place.
  private(set) var upper: OrderKey

  /// Prepares a search for all hits of a query.
  init(_ query: SearchQuery, _ account: AccountID, _ expression: MatchExpression) {
    self.expression = expression
    self.account = account
    lower = OrderKey(createdAt: query.after ?? Instant(milliseconds: .min), id: PostID(.min))
    let end = OrderKey(createdAt: Instant(milliseconds: .max), id: PostID(.max))
    upper = query.before.map { OrderKey(createdAt: $0, id: PostID(.min)) } ?? end
  }

  /// Returns the search for hits before `key`.
  func before(_ key: OrderKey) -> PreparedSearch {
    var search = self
    search.upper = min(upper, key)
    return search
  }

  /// Returns the search for hits not before `key`.
  func from(_ key: OrderKey) -> PreparedSearch {
    var search = self
    search.lower = max(lower, key)
    return search
  }

  /// The keys that hits in buckets can have.
  var keys: Range<Int64> {
    let first = SearchKey.bucket(lower.createdAt)
    return first.lowerBound..<max(first.upperBound, SearchKey.bucket(upper.createdAt).upperBound)
  }

  /// The keys of whole buckets, in which every FTS5 match is a hit without further checks; nil if there are none.
  var wholeKeys: Range<Int64>? {
    guard expression.isExact else { return nil }
    let first = keys.lowerBound + (lower.createdAt < .distantPast ? 0 : SearchKey.places)
    let end = keys.upperBound - (upper.createdAt > .distantFuture ? 0 : SearchKey.places)
    return first < end ? first..<end : nil
  }
}
