internal import Engine

/// The streams of the views that are open, by their views.
struct OpenViews {
  /// Where a stream has gone and none has come in its place: nil.
  private var streams: [ViewStream?] = []
  private var free: [Int] = []
  private var places = ViewMap()

  /// The stream of a view; nil if it is not open.
  subscript(id: ViewID) -> ViewStream? { places[id].flatMap { streams[$0] } }

  /// Puts a stream in, in place of any that its view has had.
  mutating func insert(_ stream: ViewStream) {
    remove(stream.id)
    let place = free.popLast() ?? streams.count
    if place == streams.count { streams.append(stream) } else { streams[place] = stream }
    places.set(stream.id, to: place)
  }

  /// Takes a view's stream out; nil if it is not open.
  @discardableResult
  mutating func remove(_ id: ViewID) -> ViewStream? {
    guard let place = places.remove(id) else { return nil }
    free.append(place)
    defer { streams[place] = nil }
    return streams[place]
  }

  /// The views in the order of their numbers. O(n log n).
  var ids: [ViewID] { streams.compactMap { $0?.id }.sorted { $0.rawValue < $1.rawValue } }
}
