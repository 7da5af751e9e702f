internal import Engine
internal import ViewState

/// Prepares declared font metrics for measuring, once for all views with the same metrics, which then share one object.
struct SharedFonts {
  private struct Entry {
    weak var metrics: PointMetrics?
  }

  /// Metrics by digest that views may hold. On a digest collision the newer one wins.
  private var known: [UInt64: Entry] = [:]

  init() {}

  /// Returns `layout` with shared metrics, if equal ones are known. O(1) for those, O(advances + fonts held) for new
  /// ones.
  mutating func shared(_ layout: LayoutParameters) -> LayoutParameters {
    guard let points = layout.points else { return layout }
    var layout = layout
    if let same = known[points.digest]?.metrics, same == points {
      layout.points = same
    } else {
      let prepared = points.preparedForMeasuring()
      known = known.filter { $0.value.metrics != nil }
      known[points.digest] = Entry(metrics: prepared)
      layout.points = prepared
    }
    return layout
  }
}
