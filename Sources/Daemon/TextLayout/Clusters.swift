/// One extended grapheme cluster (UAX #29) of a text: what a reader takes for a character, and what is never taken apart.
public struct Cluster: Hashable, Sendable {
  /// Where it begins, in bytes from the text's start.
  public var offset: Int
  /// Its length in bytes, at least 1.
  public var count: Int
  /// Its width in cells; 0 for a control or a lone combining mark.
  public var width: Int
}

/// The clusters of `text` in order. O(n).
public func clusters(of text: Span<UInt8>, profile: CellProfile) -> [Cluster] {
  var found: [Cluster] = []
  forEachCluster(of: text, profile: profile) {
    found.append($0)
    return true
  }
  return found
}

/// The clusters of `text` in order. O(n).
public func clusters(of text: [UInt8], profile: CellProfile) -> [Cluster] { clusters(of: text.span, profile: profile) }

/// Calls `body` with each cluster of `text` in order until it returns `false`. O(n).
public func forEachCluster(of text: Span<UInt8>, profile: CellProfile, _ body: (Cluster) -> Bool) {
  let automaton = Automaton.unicode
  let shift = profile.widthShift
  var state = 0
  var offset = 0
  var cluster = Cluster(offset: 0, count: 0, width: 0)
  while offset < text.count {
    let (cls, length) = automaton.decode(text, at: offset)
    let transition = automaton.transition(state, cls)
    state = transition.next
    if transition.startsCluster && offset > 0 {
      cluster.count = offset - cluster.offset
      guard body(cluster) else { return }
      cluster = Cluster(offset: offset, count: 0, width: 0)
    }
    cluster.width += Int(transition.cells(shift))
    offset += length
  }
  if offset > 0 {
    cluster.count = offset - cluster.offset
    _ = body(cluster)
  }
}

/// The width of `text` on one line, in cells. Line feeds take none. O(n).
public func cellWidth(of text: Span<UInt8>, profile: CellProfile) -> Int {
  let automaton = Automaton.unicode
  let shift = profile.widthShift
  var state = 0
  var offset = 0
  var width = 0
  while offset < text.count {
    let (cls, length) = automaton.decode(text, at: offset)
    let transition = automaton.transition(state, cls)
    state = transition.next
    width += Int(transition.cells(shift))
    offset += length
  }
  return width
}

/// The width of `text` on one line, in cells. Line feeds take none. O(n).
public func cellWidth(of text: [UInt8], profile: CellProfile) -> Int { cellWidth(of: text.span, profile: profile) }

/// The end, in bytes, of the longest run of whole clusters from the start of `text` that fits into `width` cells. O(n).
///
/// Clusters without width that follow the last one that fits belong to the run.
public func truncate(_ text: Span<UInt8>, to width: Int, profile: CellProfile) -> Int {
  var end = 0
  var room = width
  forEachCluster(of: text, profile: profile) { cluster in
    guard cluster.width <= room else { return false }
    room -= cluster.width
    end = cluster.offset + cluster.count
    return true
  }
  return end
}

/// The end, in bytes, of the longest run of whole clusters that fits into `width` cells. O(n).
public func truncate(_ text: [UInt8], to width: Int, profile: CellProfile) -> Int {
  truncate(text.span, to: width, profile: profile)
}
