internal import Dates
internal import HTTPSupport
internal import HeapModule

/// Decides when which feed is fetched.
///
/// A pure state machine: feeds, answers and the time go in, requests and records to store come out. At most one request
/// to a host is open and at least two seconds lie between two; 16 are open in all.
struct FetchScheduler {
  /// The most requests that are open at once.
  static let openLimit = 16
  /// The pause between two requests to one host, in milliseconds.
  static let hostPause: Int64 = 2_000
  /// The pause between two requests for one feed by hand, in milliseconds.
  static let refreshPause: Int64 = 60_000
  /// A move counts after this many checks that agree, over at least ``moveSpan``.
  static let moveChecks = 3
  static let moveSpan: Int64 = 24 * 3_600_000

  /// A request for a document.
  struct Request: Equatable {
    let feed: FeedName
    let url: WebURL
    /// What to send back to the server; empty for an unconditional request.
    let validators: ResponseFields.Validators
  }

  /// An answer to a request.
  struct Answer {
    let outcome: CheckOutcome
    /// The fields of the last response; empty if there was none.
    let fields: ResponseFields
    /// The address that answered for good, by 301 and 308 alone; nil if there was no such step.
    var movedTo: WebURL?
    /// The network address of the host; empty if unknown. Hosts with one address are one host.
    var address = ""
    /// True if the server asked for patience (429, or 503 with `Retry-After`): all feeds of the host rest.
    var isBusy = false
  }

  private struct Feed {
    var record: FeedRecord
    /// Counts changes of the time, so that old entries of the queue are recognised.
    var generation = 0
    var isOpen = false
  }

  private struct Due: Comparable {
    let time: Instant
    let feed: FeedName
    let generation: Int

    static func < (left: Due, right: Due) -> Bool { left.time < right.time }
  }

  private struct HostDue: Comparable {
    let time: Instant
    let host: String

    static func < (left: HostDue, right: HostDue) -> Bool {
      left.time == right.time ? left.host < right.host : left.time < right.time
    }
  }

  private struct Host {
    var isOpen = false
    /// The time before which it is not asked.
    var rest: Instant
    /// Feeds that are due and wait for the host, in order.
    var waiting: [FeedName] = []
  }

  private var feeds: [FeedName: Feed] = [:]
  private var queue = Heap<Due>()
  private var hosts: [String: Host] = [:]
  /// The hosts for which feeds wait, by the time from which they may be asked; also some for which none waits any more.
  private var hostQueue = Heap<HostDue>()
  /// The network address of each host name, once known.
  private var addresses: [String: String] = [:]
  private var openCount = 0
  private var random: SplitMix

  /// Starts without feeds.
  ///
  /// - Parameter seed: what decides where in the tenth around an interval a check falls.
  init(seed: UInt64) { random = SplitMix(state: seed) }

  /// The record of a feed; nil if there is no such feed.
  func record(of feed: FeedName) -> FeedRecord? { feeds[feed]?.record }

  /// Adds a feed, or replaces what is known of it.
  mutating func add(_ name: FeedName, _ record: FeedRecord) {
    var feed = feeds[name] ?? Feed(record: record)
    feed.record = record
    feeds[name] = feed
    enqueue(name)
  }

  /// Removes a feed. An answer that is still to come is ignored.
  mutating func remove(_ name: FeedName) {
    guard let feed = feeds.removeValue(forKey: name), feed.isOpen else { return }
    release(feed.record.url, rest: nil)
  }

  /// Sets the interval of a feed in minutes, or nil for the feed's own.
  mutating func setInterval(_ minutes: Int?, of name: FeedName) {
    let range = CheckTimes.settableMinutes
    feeds[name]?.record.wantedMinutes = minutes.map { min(max($0, range.lowerBound), range.upperBound) }
  }

  /// Checks a feed now, because a person wants it. Returns the time from which that is allowed, if it is not yet.
  mutating func refresh(_ name: FeedName, at now: Instant) -> Instant? {
    guard let record = feeds[name]?.record, feeds[name]?.isOpen == false else { return nil }
    if let last = record.lastCheck {
      let allowed = last.adding(milliseconds: Self.refreshPause)
      if allowed > now { return allowed }
    }
    feeds[name]?.record.next = now
    if record.health == .gone { feeds[name]?.record.health = .fine }
    enqueue(name)
    return nil
  }

  // MARK: - Requests

  /// Returns the requests to make now.
  mutating func requests(at now: Instant) -> [Request] {
    var requests: [Request] = []
    while let due = queue.min, due.time <= now {
      queue.removeMin()
      guard let feed = feeds[due.feed], feed.generation == due.generation, !feed.isOpen else { continue }
      let key = key(feed.record.url)
      hosts[key, default: Host(rest: now)].waiting.append(due.feed)
      wake(key)
    }
    while openCount < Self.openLimit, let due = hostQueue.min, due.time <= now {
      hostQueue.removeMin()
      if let request = takeRequest(of: due.host, at: now) { requests.append(request) }
    }
    return requests
  }

  /// Puts a host for which feeds wait into the queue, unless a request to it is open.
  private mutating func wake(_ key: String) {
    guard let host = hosts[key], !host.isOpen, !host.waiting.isEmpty else { return }
    hostQueue.insert(HostDue(time: host.rest, host: key))
  }

  /// The time at which ``requests(at:)`` may have something new; nil for none until an answer comes.
  func deadline(after now: Instant) -> Instant? {
    let times = [queue.min?.time, openCount < Self.openLimit ? hostQueue.min?.time : nil]
    return times.compactMap(\.self).min().map { max($0, now) }
  }

  private mutating func takeRequest(of key: String, at now: Instant) -> Request? {
    guard var host = hosts[key], !host.isOpen else { return nil }
    guard host.rest <= now else {
      wake(key)
      return nil
    }
    while !host.waiting.isEmpty {
      let name = host.waiting.removeFirst()
      guard let feed = feeds[name], !feed.isOpen, feed.record.next <= now, self.key(feed.record.url) == key else {
        continue
      }
      host.isOpen = true
      hosts[key] = host
      openCount += 1
      feeds[name]?.isOpen = true
      return Request(feed: name, url: feed.record.url, validators: feed.record.validators)
    }
    hosts[key] = nil
    return nil
  }

  // MARK: - Answers

  /// Takes the answer to a request. Returns the record to store, or nil if the feed was removed meanwhile.
  mutating func answered(_ name: FeedName, _ answer: Answer, at now: Instant) -> FeedRecord? {
    guard var feed = feeds[name], feed.isOpen else { return nil }
    let url = feed.record.url
    release(url, rest: answer.isBusy ? answer.fields.retryAfter ?? now.adding(milliseconds: 60_000) : nil, at: now)
    if !answer.address.isEmpty { learn(answer.address, of: url, at: now) }
    feed.isOpen = false
    feed.record.lastCheck = now
    apply(answer, to: &feed.record, at: now)
    feeds[name] = feed
    enqueue(name)
    return feed.record
  }

  private mutating func apply(_ answer: Answer, to record: inout FeedRecord, at now: Instant) {
    let spread = random.spread()
    switch answer.outcome {
    case .document(let pace):
      record.health = .fine
      record.validators = answer.fields.validators
      record.pace = pace
      record.next = CheckTimes.next(after: now, record: record, fields: answer.fields, spread: spread)
    case .unchanged:
      record.health = .fine
      // A 304 may bring new validators, one of them or both.
      record.validators.entityTag = answer.fields.validators.entityTag ?? record.validators.entityTag
      record.validators.lastModified = answer.fields.validators.lastModified ?? record.validators.lastModified
      record.next = CheckTimes.next(after: now, record: record, fields: answer.fields, spread: spread)
    case .gone:
      record.health = .gone
      record.validators = ResponseFields.Validators()
    case .failed, .unreadable:
      if answer.outcome == .unreadable { record.validators = ResponseFields.Validators() }
      var (count, since) = (0, now)
      if case .failing(let before, let start) = record.health { (count, since) = (before, start) }
      record.health = .failing(count: count + 1, since: since)
      record.next = CheckTimes.next(
        after: now, failures: count + 1, retryAfter: answer.fields.retryAfter, spread: spread)
    }
    follow(answer.movedTo, in: &record, at: now)
  }

  /// Follows a move for good once several checks over a day agree on it.
  private func follow(_ target: WebURL?, in record: inout FeedRecord, at now: Instant) {
    guard let target, target != record.url, record.health == .fine else {
      record.moving = nil
      return
    }
    var moving = record.moving ?? FeedRecord.Moving(target: target, count: 0, since: now)
    if moving.target != target { moving = FeedRecord.Moving(target: target, count: 0, since: now) }
    moving.count += 1
    record.moving = moving
    guard moving.count >= Self.moveChecks, now.milliseconds - moving.since.milliseconds >= Self.moveSpan else { return }
    record.url = target
    record.validators = ResponseFields.Validators()
    record.moving = nil
  }

  // MARK: - Hosts

  /// The name under which a host is counted: its network address once known.
  private func key(_ url: WebURL) -> String { addresses[url.host] ?? url.host }

  private mutating func learn(_ address: String, of url: WebURL, at now: Instant) {
    guard addresses[url.host] != address else { return }
    let old = key(url)
    addresses[url.host] = address
    // What waited under the old name waits under the new one.
    guard let host = hosts.removeValue(forKey: old) else { return }
    var merged = hosts[address] ?? Host(rest: now)
    merged.isOpen = merged.isOpen || host.isOpen
    merged.rest = max(merged.rest, host.rest)
    merged.waiting += host.waiting
    hosts[address] = merged
    wake(address)
  }

  private mutating func release(_ url: WebURL, rest: Instant?, at now: Instant? = nil) {
    openCount -= 1
    let key = key(url)
    hosts[key]?.isOpen = false
    if let now { hosts[key]?.rest = max(now.adding(milliseconds: Self.hostPause), rest ?? now) }
    wake(key)
  }

  private mutating func enqueue(_ name: FeedName) {
    guard var feed = feeds[name], feed.record.health != .gone else { return }
    feed.generation += 1
    feeds[name] = feed
    if !feed.isOpen { queue.insert(Due(time: feed.record.next, feed: name, generation: feed.generation)) }
  }
}

/// A small generator of random numbers (Steele, Lea, Flood 2014), for times that need not be secret.
struct SplitMix {
  var state: UInt64

  /// Returns a number from -1 to 1.
  mutating func spread() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Double(mixed >> 11) / Double(1 << 52) - 1
  }
}
