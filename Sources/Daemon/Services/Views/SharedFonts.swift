internal import Engine
internal import ViewState

/// Prepares what clients declare of a font for measuring, once for all views that declare the same; those then hold the
/// same object.
struct SharedFonts {
  private struct Entry {
    weak var metrics: PointMetrics?
  }

  /// By digest, what views may hold; with a digest that two share, the newer.
  private var known: [UInt64: Entry] = [:]

  /// None known.
  init() {}

  /// `layout`, with the metrics that an earlier one had if they are the same. O(1) for those, O(advances + fonts held)
  /// for new ones.
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
