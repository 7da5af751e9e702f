public import Messages

/// An account's logins and feeds as `WatchSources` reports them, over any number of connections.
public struct SourceMirror: Equatable, Sendable {
  /// A change of the list.
  public enum Event: Equatable, Sendable {
    case inserted(SourceSummary)
    case changed(SourceSummary)
    case removed(SourceSummary)
  }

  private var known: [SourceName: SourceSummary] = [:]
  /// The sources that the daemon has not confirmed on the current connection.
  private var unconfirmed: Set<SourceName> = []
  /// True if the list is whole. It stays as it was while there is no connection.
  public private(set) var isComplete = false
  private var isDiskShort = false

  /// A list of nothing, which is not whole.
  public init() {}

  /// The sources, in the order of ListSources. O(n log n).
  public var sources: [SourceSummary] { known.sorted { $0.key < $1.key }.map(\.value) }

  /// A clause that says what is wrong, such as "ann@social.example signed out, 2 feeds failing", or that the daemon's
  /// disk is nearly full, so that nothing more can be brought; empty if nothing is.
  /// What will be tried again without anyone's doing is not wrong. O(n).
  public var trouble: String {
    var clauses = isDiskShort ? ["disk nearly full"] : []
    for state in [SourceState.signedOut, .failing, .off] {
      let names = known.filter { $0.value.status.state == state }.map(\.key)
      let logins = names.filter { $0.feedID == 0 }.map(\.login)
      let feeds = names.count - logins.count
      if logins.count == 1 { clauses.append("\(logins[0]) \(state.shown)") }
      if logins.count > 1 { clauses.append("\(logins.count) logins \(state.shown)") }
      if feeds > 0 { clauses.append("\(NumberText.count(feeds, "feed", "feeds")) \(state.shown)") }
    }
    return clauses.joined(separator: ", ")
  }

  /// A clause that says how many feeds have been read, such as "312 of 1,000 feeds read", while some have not been read
  /// for the first time; empty otherwise. O(n).
  public var progress: String {
    let feeds = known.values.filter { $0.feedID != 0 }
    let new = feeds.count { $0.status.state == .connecting }
    guard new > 0 else { return "" }
    return "\(NumberText.grouped(feeds.count - new)) of \(NumberText.count(feeds.count, "feed", "feeds")) read"
  }

  /// Another call has begun, which reports all sources again.
  public mutating func restart() { unconfirmed = Set(known.keys) }

  /// Applies a message, and returns what it changes. What a new call does not mention is removed once it is complete.
  public mutating func apply(_ news: WatchSourcesResponse) -> [Event] {
    var events: [Event] = []
    isDiskShort = news.isDiskShort
    for source in news.sources {
      unconfirmed.remove(source.name)
      let old = known.updateValue(source, forKey: source.name)
      if old != source { events.append(old == nil ? .inserted(source) : .changed(source)) }
    }
    var removed = news.gone.map(\.name)
    if news.isComplete {
      isComplete = true
      removed += unconfirmed.sorted()
      unconfirmed = []
    }
    for name in removed {
      if let old = known.removeValue(forKey: name) { events.append(.removed(old)) }
    }
    return events
  }
}
