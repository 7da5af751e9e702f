/// An extended grapheme cluster (UAX #29) of a text: a character as the reader sees it, which is never split.
public struct Cluster: Hashable, Sendable {
  /// The offset of its start in the text, in bytes.
  public var offset: Int
  /// Its length in bytes, at least 1.
  public var count: Int
  /// Its width in the unit of the metrics; 0 for a control or a lone combining mark.
  public var width: Int
}

/// Returns the clusters of `text` in order. O(n).
public func clusters(of text: Span<UInt8>, metrics: TextMetrics) -> [Cluster] {
  var found: [Cluster] = []
  forEachCluster(of: text, metrics: metrics) {
    found.append($0)
    return true
  }
  return found
}

/// Calls `body` with each cluster of `text` in order until it returns `false`. O(n).
public func forEachCluster(of text: Span<UInt8>, metrics: TextMetrics, _ body: (Cluster) -> Bool) {
  switch metrics {
  case .cells(let profile): forEachCluster(of: text, widths: CellWidths(profile), body)
  case .advances(let table): forEachCluster(of: text, widths: AdvanceWidths(table), body)
  }
}

private func forEachCluster(of text: Span<UInt8>, widths: some WidthSource, _ body: (Cluster) -> Bool) {
  let automaton = Automaton.unicode
  var state = 0
  var offset = 0
  var cluster = Cluster(offset: 0, count: 0, width: 0)
  while offset < text.count {
    let (entry, length) = automaton.decode(text, at: offset)
    let transition = automaton.transition(state, entry.cls)
    state = transition.next
    if transition.startsCluster && offset > 0 {
      cluster.count = offset - cluster.offset
      guard body(cluster) else { return }
      cluster = Cluster(offset: offset, count: 0, width: 0)
    }
    cluster.width += widths.width(of: transition, text, at: offset, length: length)
    offset += length
  }
  if offset > 0 {
    cluster.count = offset - cluster.offset
    _ = body(cluster)
  }
}

/// Returns the width of `text` on one line, in the unit of the metrics. Line feeds have no width. O(n).
public func width(of text: Span<UInt8>, metrics: TextMetrics) -> Int {
  var width = 0
  forEachCluster(of: text, metrics: metrics) {
    width += $0.width
    return true
  }
  return width
}

/// Returns the end, in bytes, of the longest run of whole clusters from the start of `text` that fits into `width`, in
/// the unit of the metrics. O(n).
///
/// Clusters of zero width after the last one that fits belong to the run.
public func truncate(_ text: Span<UInt8>, to width: Int, metrics: TextMetrics) -> Int {
  var end = 0
  var room = width
  forEachCluster(of: text, metrics: metrics) { cluster in
    guard cluster.width <= room else { return false }
    room -= cluster.width
    end = cluster.offset + cluster.count
    return true
  }
  return end
}
