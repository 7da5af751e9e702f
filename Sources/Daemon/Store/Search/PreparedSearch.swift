internal import Dates
internal import Posts
internal import Search

/// A search of an account, ready to be asked for: what FTS5 matches, and between which places of a list.
struct PreparedSearch {
  let expression: MatchExpression
  let account: AccountID
  /// The place that no hit is before.
  private(set) var lower: OrderKey
  /// The place that every hit is before.
  private(set) var upper: OrderKey

  /// All hits of a query.
  init(_ query: SearchQuery, _ account: AccountID, _ expression: MatchExpression) {
    self.expression = expression
    self.account = account
    lower = OrderKey(createdAt: query.after ?? Instant(milliseconds: .min), id: PostID(.min))
    let end = OrderKey(createdAt: Instant(milliseconds: .max), id: PostID(.max))
    upper = query.before.map { OrderKey(createdAt: $0, id: PostID(.min)) } ?? end
  }

  /// Those before `key`.
  func before(_ key: OrderKey) -> PreparedSearch {
    var search = self
    search.upper = min(upper, key)
    return search
  }

  /// Those that are not before `key`.
  func from(_ key: OrderKey) -> PreparedSearch {
    var search = self
    search.lower = max(lower, key)
    return search
  }

  /// The keys that hits with a place may have.
  var keys: Range<Int64> {
    let first = SearchKey.bucket(lower.createdAt)
    return first.lowerBound..<max(first.upperBound, SearchKey.bucket(upper.createdAt).upperBound)
  }

  /// Those of which all that FTS5 matches are hits, without another look: the keys of whole buckets. Nil for none.
  var wholeKeys: Range<Int64>? {
    guard expression.isExact else { return nil }
    let first = keys.lowerBound + (lower.createdAt < .distantPast ? 0 : SearchKey.places)
    let end = keys.upperBound - (upper.createdAt > .distantFuture ? 0 : SearchKey.places)
    return first < end ? first..<end : nil
  }
}
