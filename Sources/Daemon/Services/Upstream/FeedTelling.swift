internal import Posts
internal import Store

/// Tells a program which feeds are followed, in slices: the next one is read when the program has taken the last, so
/// that neither the store nor the pipe holds more. Pure.
struct FeedTelling {
  /// Maximum number of feeds that are read and told at once. With the cursors and addresses of as many, they are less
  /// than what may wait for a program.
  static let sliceFeeds = 64

  /// The feeds of which the program has been told, as it knows them.
  private(set) var feeds: [String: UpstreamFeed] = [:]
  /// When to ask the store again that failed; nil if it has not.
  private(set) var again: Duration?
  /// The number after which the next page begins; nil if there is none left.
  private var page: Int64?
  /// The feeds that have changed, and those of them whose cursors the program must forget.
  private var changed: Set<Int64> = []
  private var restarted: Set<Int64> = []
  /// What the store is reading, and true while the program has not taken what it was sent.
  private var reading: FeedSelection?
  private var isSending = false

  /// Begins with the first feed.
  mutating func begin() -> [UpstreamIntake.Action] {
    page = 0
    return read()
  }

  /// Feeds have changed.
  mutating func feedsChanged(_ changes: FeedChanges) -> [UpstreamIntake.Action] {
    changed.formUnion(changes.changed)
    changed.formUnion(changes.restarted)
    restarted.formUnion(changes.restarted)
    return read()
  }

  /// The store has read what was wanted, or failed (nil). Returns what the program is told, and true if that completes
  /// the first time; nil if it is told nothing.
  mutating func feedsRead(
    _ told: [ToldFeed]?, at now: Duration
  ) -> (notices: [UpstreamNotice], isFirstTime: Bool)? {
    guard let selection = reading else { return nil }
    reading = nil
    guard let told else {
      if case .numbers(let numbers) = selection { changed.formUnion(numbers) }
      again = now + UpstreamIntake.storePause
      return nil
    }
    isSending = true
    var notices = told.compactMap { notice(of: $0) }
    switch selection {
    case .page(_, let limit):
      page = told.count < limit ? nil : told.last.flatMap { StoredFeed.number(in: $0.feed.name) }
      return (notices, isFirstTime: page == nil)
    case .numbers(let numbers):
      let followed = Set(told.map(\.feed.name))
      for name in numbers.map(StoredFeed.name(of:)) where !followed.contains(name) {
        if feeds.removeValue(forKey: name) != nil { notices.append(.gone(feed: name)) }
      }
      restarted.subtract(numbers)
      return (notices, isFirstTime: false)
    }
  }

  /// The program has taken what it was sent.
  mutating func taken() -> [UpstreamIntake.Action] {
    isSending = false
    return read()
  }

  /// Time has passed; ``again`` may be due.
  mutating func timePassed(at now: Duration) -> [UpstreamIntake.Action] {
    guard let time = again, time <= now else { return [] }
    again = nil
    return read()
  }

  private mutating func read() -> [UpstreamIntake.Action] {
    guard reading == nil, !isSending, again == nil else { return [] }
    if let page {
      reading = .page(after: page, limit: Self.sliceFeeds)
    } else if !changed.isEmpty {
      let numbers = Array(changed.sorted().prefix(Self.sliceFeeds))
      changed.subtract(numbers)
      reading = .numbers(numbers)
    }
    guard let reading else { return [] }
    var known: [String: UpstreamFeed] = [:]
    if case .numbers(let numbers) = reading {
      for number in numbers where !restarted.contains(number) {
        let name = StoredFeed.name(of: number)
        known[name] = feeds[name]
      }
    }
    return [.readFeeds(reading, knowing: known)]
  }

  /// Returns what the program is told of a feed; nil if it knows it as it is.
  private mutating func notice(of told: ToldFeed) -> UpstreamNotice? {
    let feed = told.feed
    let known = feeds.updateValue(feed, forKey: feed.name)
    let isRestarted = StoredFeed.number(in: feed.name).map(restarted.contains) ?? false
    guard known != feed || isRestarted else { return nil }
    // The program knows its cursors better than the store, unless they are another address's.
    return .feed(feed, cursors: known?.url == feed.url && !isRestarted ? nil : told.cursors)
  }
}
