internal import Messages
internal import Store

/// The sources of an account as a client of `WatchSources` holds them, as the store lists them, and what of that has to
/// be read or sent. A source that changes again before the client takes the news is sent once, as it is then. Pure.
struct SourceListing {
  /// What is read from the store.
  enum Selection: Equatable {
    /// All sources of the account.
    case all
    /// Those of these feeds that the account follows.
    case feeds(Set<Int64>)
  }

  /// Maximum number of sources in a message.
  static let messageLimit = 100

  /// The sources as the store last listed them, and as the client holds them.
  private var listed: [SourceName: SourceSummary] = [:]
  private var held: [SourceName: SourceSummary] = [:]
  /// The sources whose two states may differ.
  private var pending: Set<SourceName> = []
  /// What the store is being asked for, and what it is to be asked for after that.
  private var reading: Selection?
  private var wanted: Selection?
  /// True once the client has been told that it holds all sources.
  private var isComplete = false
  /// What the client was told of the disk.
  private var wasDiskShort = false

  /// What the store lists may have changed. Returns what to read now; nil while the store is being asked.
  mutating func changed(_ selection: Selection) -> Selection? {
    switch (wanted, selection) {
    case (.feeds(let feeds)?, .feeds(let more)): wanted = .feeds(feeds.union(more))
    case (.all?, _): break
    default: wanted = selection
    }
    return reading == nil ? nextRead() : nil
  }

  /// The store has listed what was read. Returns what to read next; nil for nothing. Any status may have changed as
  /// well if that was all.
  mutating func read(_ sources: [SourceSummary]) -> Selection? {
    let new = Dictionary(sources.map { ($0.name, $0) }) { first, _ in first }
    switch reading {
    case .feeds(let feeds)?:
      for name in feeds.map(SourceName.init(feed:)) {
        listed[name] = new[name]
        pending.insert(name)
      }
    default:
      pending.formUnion(listed.keys)
      pending.formUnion(new.keys)
      listed = new
    }
    return nextRead()
  }

  /// The status of a source may have changed. Returns false for one that is not listed. O(1).
  mutating func statusChanged(of name: SourceName) -> Bool {
    guard listed[name] != nil else { return false }
    pending.insert(name)
    return true
  }

  /// Returns the next message, with the present status of each source; nil for none. O(k log k) for k sources that may
  /// have changed.
  mutating func nextMessage(
    isDiskShort: Bool = false, _ status: (SourceSummary) -> SourceStatus
  ) -> WatchSourcesResponse? {
    var news = WatchSourcesResponse()
    news.isDiskShort = isDiskShort
    for name in pending.sorted() {
      guard news.sources.count + news.gone.count < Self.messageLimit else { break }
      pending.remove(name)
      if var source = listed[name] {
        source.status = status(source)
        if held.updateValue(source, forKey: name) != source { news.sources.append(source) }
      } else if held.removeValue(forKey: name) != nil {
        news.gone.append(SourceSummary(name))
      }
    }
    news.isComplete = pending.isEmpty && reading == nil
    let isNew = isDiskShort != wasDiskShort || news.isComplete && !isComplete
    guard isNew || !news.sources.isEmpty || !news.gone.isEmpty else { return nil }
    wasDiskShort = isDiskShort
    isComplete = isComplete || news.isComplete
    return news
  }

  private mutating func nextRead() -> Selection? {
    (reading, wanted) = (wanted, nil)
    return reading
  }
}

extension SourceName {
  /// The name of a feed.
  init(feed number: Int64) {
    self.init(source: StoredFeed.source, login: "", feedID: UInt64(clamping: number))
  }
}
