internal import Engine

/// The streams of the open views.
struct OpenViews {
  /// Streams by place; nil marks a free place.
  private var streams: [ViewStream?] = []
  private var free: [Int] = []
  private var places = ViewMap()

  /// The stream of a view; nil if it is not open.
  subscript(id: ViewID) -> ViewStream? { places[id].flatMap { streams[$0] } }

  /// Adds a stream, replacing any that its view had.
  mutating func insert(_ stream: ViewStream) {
    remove(stream.id)
    let place = free.popLast() ?? streams.count
    if place == streams.count { streams.append(stream) } else { streams[place] = stream }
    places.set(stream.id, to: place)
  }

  /// Removes and returns a view's stream; nil if it is not open.
  @discardableResult
  mutating func remove(_ id: ViewID) -> ViewStream? {
    guard let place = places.remove(id) else { return nil }
    free.append(place)
    defer { streams[place] = nil }
    return streams[place]
  }

  /// The open views, sorted by number. O(n log n).
  var ids: [ViewID] { streams.compactMap { $0?.id }.sorted { $0.rawValue < $1.rawValue } }
}
