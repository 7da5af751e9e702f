internal import Posts

/// Decides when a program is asked for what people want: in order, and for a limited number at a time. Pure.
struct UpstreamWants {
  /// Maximum number of wants that the program has not answered; the others wait.
  static let limit = 16
  /// Maximum number of fetches that wait.
  static let waitingLimit = 64
  /// Minimum time between two requests of people for the same feed.
  static let refreshPause = Duration.seconds(60)

  private struct Want {
    var number: Int
    var want: UpstreamWant
  }

  /// The numbers of the wants that the program has, by the IDs under which it knows them.
  private var open: [String: Int] = [:]
  private var waiting: [Want] = []
  private var waitingFeeds: Set<String> = []
  private var lastID = 0
  private var lastNumber = 0
  /// When each feed was last asked for.
  private var refreshed: [String: Duration] = [:]

  /// Adds a want for what is new in a feed, unless one waits already or the feed was asked for just now.
  mutating func addRefresh(of feed: String, at now: Duration) {
    if let last = refreshed[feed], now - last < Self.refreshPause { return }
    guard waitingFeeds.insert(feed).inserted else { return }
    refreshed[feed] = now
    append(.refresh(feed: feed))
  }

  /// Adds a fetch, and returns its number; nil if too many wait.
  mutating func add(_ fetch: UpstreamFetch, login: String) -> Int? {
    let waitingFetches = waiting.count { if case .fetch = $0.want { true } else { false } }
    guard waitingFetches < Self.waitingLimit else { return nil }
    return append(.fetch(fetch, login: login))
  }

  /// A fetch is not wanted any more. Returns the line for the program that has it.
  mutating func withdraw(_ number: Int) -> UpstreamNotice? {
    waiting.removeAll { $0.number == number }
    guard let id = open.first(where: { $0.value == number })?.key else { return nil }
    // Its answer is awaited all the same: until then the program may be busy with it.
    return .unwanted(id: id)
  }

  /// The program has answered. Returns the number of the want; nil if it has none of this ID.
  mutating func answered(_ id: String) -> Int? { open.removeValue(forKey: id) }

  /// Returns what the program is to be asked now. Feeds that are not known any more are passed over.
  mutating func next(isKnown: (String) -> Bool) -> [UpstreamNotice] {
    var notices: [UpstreamNotice] = []
    var sent = 0
    for want in waiting {
      guard open.count < Self.limit else { break }
      sent += 1
      if case .refresh(let feed) = want.want {
        waitingFeeds.remove(feed)
        guard isKnown(feed) else { continue }
      }
      lastID += 1
      open["w\(lastID)"] = want.number
      notices.append(.want(id: "w\(lastID)", want.want))
    }
    waiting.removeFirst(sent)
    return notices
  }

  /// A feed is not read any more.
  mutating func forget(_ feed: String) { refreshed[feed] = nil }

  /// The program has ended. IDs are not used again.
  mutating func ended() {
    open = [:]
    waiting = []
    waitingFeeds = []
    refreshed = [:]
  }

  @discardableResult
  private mutating func append(_ want: UpstreamWant) -> Int {
    lastNumber += 1
    waiting.append(Want(number: lastNumber, want: want))
    return lastNumber
  }
}
