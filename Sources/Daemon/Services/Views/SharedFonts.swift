internal import Engine
internal import Posts
internal import ViewState

/// Prepares declared font metrics for measuring, once for all views with the same metrics, which then share one object.
/// What accounts hold of them is limited.
struct SharedFonts {
  private struct Entry {
    weak var metrics: PointMetrics?
    /// The account that declared them first.
    let account: AccountID
    let bytes: Int
  }

  /// Maximum bytes of the different metrics that an account has in use: sixteen of the largest.
  static let accountBytes = 4 << 20
  /// Maximum bytes of those of all accounts. An account that has none is not refused.
  static let totalBytes = 32 << 20

  /// Metrics by digest that views may hold. On a digest collision the newer one wins.
  private var known: [UInt64: Entry] = [:]

  init() {}

  /// Returns an account's `layout` with shared metrics, if equal ones are known. O(1) for those, O(advances + fonts
  /// held) for new ones.
  ///
  /// - Throws: RESOURCE_EXHAUSTED if too many different metrics are in use.
  mutating func shared(_ layout: LayoutParameters, for account: AccountID) throws(EngineError) -> LayoutParameters {
    guard let points = layout.points else { return layout }
    var layout = layout
    if let same = known[points.digest]?.metrics, same == points {
      layout.points = same
      return layout
    }
    known = known.filter { $0.value.metrics != nil }
    let bytes = Self.bytes(of: points)
    let held = known.values.reduce(0) { $0 + ($1.account == account ? $1.bytes : 0) }
    let total = known.values.reduce(0) { $0 + $1.bytes }
    guard held == 0 || held + bytes <= Self.accountBytes && total + bytes <= Self.totalBytes else {
      throw EngineError(
        .resourceExhausted, "too many different fonts are in use; use fewer, or close views")
    }
    let prepared = points.preparedForMeasuring()
    known[points.digest] = Entry(metrics: prepared, account: account, bytes: bytes)
    layout.points = prepared
    return layout
  }

  /// Returns the approximate size of metrics that are prepared for measuring.
  private static func bytes(of points: PointMetrics) -> Int {
    points.runs.reduce(4096) { $0 + 4 * $1.advances.count }
  }
}
