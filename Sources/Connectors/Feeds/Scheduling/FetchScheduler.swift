internal import Dates
internal import HTTPSupport
internal import HeapModule

/// Decides when which feed is fetched.
///
/// A pure state machine: feeds, answers and the time go in, requests and records to store come out. At most one request
/// to a host is open and at least two seconds lie between two; 16 are open in all.
///
/// A check of a feed begins with its request and ends when the daemon has answered what the check brought. Until then
/// the feed is not asked again.
struct FetchScheduler {
  /// The most requests that are open at once, but for those that have been open for ``placeTime``.
  static let openLimit = 16
  /// The time after which a request no longer keeps others from their turn, in milliseconds, and the most that are open
  /// with such. So servers that send slowly delay only each other.
  static let placeTime: Int64 = 30_000
  static let slowLimit = 32
  /// The pause between two requests to one host, in milliseconds.
  static let hostPause: Int64 = 2_000
  /// The longest pause of a network address after one of its names was busy, in milliseconds: others share the address.
  static let addressPause: Int64 = 15 * 60_000
  /// The pause between two checks of one feed by hand, in milliseconds.
  static let refreshPause: Int64 = 60_000
  /// A move counts after this many checks that agree, over at least ``moveSpan``.
  static let moveChecks = 3
  static let moveSpan: Int64 = 24 * 3_600_000

  /// A request for a document.
  struct Request: Equatable {
    /// The number of the check that begins with it.
    let check: Int
    let feed: FeedName
    let url: WebURL
    /// The validators to send; empty for an unconditional request.
    let validators: ResponseFields.Validators
  }

  /// An answer to a request.
  struct Answer {
    var outcome: CheckOutcome
    /// The fields of the last response; empty if there was none.
    let fields: ResponseFields
    /// The address that answered for good, by 301 and 308 alone; nil if there was no such step.
    var movedTo: WebURL?
    /// The network address of the host that was asked; empty if unknown. Names with one address are one host.
    var address = ""
    /// True if the server is busy (429, or 503 with `Retry-After`): all feeds of its name wait.
    var isBusy = false
  }

  private struct Feed {
    var record: FeedRecord
    /// The number of changes of the time; entries of the queue with another one are outdated.
    var generation = 0
    /// The check under way; nil for none.
    var check: Int?
    /// The address to which a redirect leads, while the check waits for its host.
    var redirect: WebURL?
    /// The time at which a person last wanted a check.
    var refreshed: Instant?

    /// The address to ask next.
    var url: WebURL { redirect ?? record.url }

    /// Returns true if it is to be asked now.
    func isDue(at now: Instant) -> Bool { redirect != nil || check == nil && record.next <= now }
  }

  /// A request that has no answer yet.
  private struct Open {
    let feed: FeedName
    let url: WebURL
    let since: Instant
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
  /// The hosts for which feeds wait, by the time from which they may be asked; some entries are outdated.
  private var hostQueue = Heap<HostDue>()
  /// The network address of each host name, once known.
  private var addresses: [String: String] = [:]
  /// The times before which the names of busy servers are not asked.
  private var rests: [String: Instant] = [:]
  /// The requests under way, by their checks; also those of feeds that were removed meanwhile.
  private var open: [Int: Open] = [:]
  private var checkCount = 0
  private var random: ItemHash

  /// Starts without feeds.
  ///
  /// - Parameter seed: spreads checks over the tenth around their intervals.
  init(seed: UInt64) { random = ItemHash(Array(String(seed).utf8)) }

  /// The record of a feed; nil if there is no such feed.
  func record(of feed: FeedName) -> FeedRecord? { feeds[feed]?.record }

  /// Adds a feed, which must not be there yet.
  mutating func add(_ name: FeedName, _ record: FeedRecord) {
    feeds[name] = Feed(record: record)
    enqueue(name)
  }

  /// Removes a feed. Its request, if there is one under way, keeps its place until ``answered(_:_:at:)``.
  mutating func remove(_ name: FeedName) { feeds[name] = nil }

  /// Sets the interval of a feed in minutes, or nil for the feed's own. The next check follows it at once, counted from
  /// the last one. A feed that fails is asked when it would have been.
  mutating func setInterval(_ minutes: Int?, of name: FeedName) {
    let range = CheckTimes.settableMinutes
    let wanted = minutes.map { min(max($0, range.lowerBound), range.upperBound) }
    guard var feed = feeds[name], feed.record.wantedMinutes != wanted else { return }
    feed.record.wantedMinutes = wanted
    if let last = feed.record.lastCheck, feed.record.health == .fine {
      feed.record.next = CheckTimes.next(after: last, record: feed.record, spread: spread())
    }
    feeds[name] = feed
    enqueue(name)
  }

  /// Checks a feed now, because a person wants it. Returns the time from which that is allowed, if it is not yet.
  mutating func refresh(_ name: FeedName, at now: Instant) -> Instant? {
    guard let feed = feeds[name], feed.check == nil else { return nil }
    if let allowed = feed.refreshed?.adding(milliseconds: Self.refreshPause), allowed > now { return allowed }
    feeds[name]?.refreshed = now
    feeds[name]?.record.next = now
    if feed.record.health == .gone { feeds[name]?.record.health = .fine }
    enqueue(name)
    return nil
  }

  // MARK: - Requests

  /// Returns the requests to make now.
  mutating func requests(at now: Instant) -> [Request] {
    var requests: [Request] = []
    while let due = queue.min, due.time <= now {
      queue.removeMin()
      guard let feed = feeds[due.feed], feed.generation == due.generation, feed.isDue(at: now) else { continue }
      wait(due.feed, for: feed.url, at: now)
    }
    while let due = hostQueue.min, due.time <= now, placeTime(at: now) <= now {
      hostQueue.removeMin()
      if let request = takeRequest(of: due.host, at: now) { requests.append(request) }
    }
    return requests
  }

  /// Lets a feed wait for its turn at the host of an address.
  private mutating func wait(_ name: FeedName, for url: WebURL, at now: Instant) {
    let key = key(url)
    hosts[key, default: Host(rest: now)].waiting.append(name)
    wake(key)
  }

  /// Puts a host for which feeds wait into the queue, unless a request to it is open.
  private mutating func wake(_ key: String) {
    guard let host = hosts[key], !host.isOpen, !host.waiting.isEmpty else { return }
    hostQueue.insert(HostDue(time: host.rest, host: key))
  }

  /// The time at which ``requests(at:)`` may have something new; nil for none until an answer comes.
  func deadline(after now: Instant) -> Instant? {
    let place = placeTime(at: now)
    let host = open.count < Self.slowLimit ? hostQueue.min.map { max($0.time, place) } : nil
    return [queue.min?.time, host].compactMap(\.self).min().map { max($0, now) }
  }

  /// The time from which one more request may be open, if none ends before; O(open requests).
  private func placeTime(at now: Instant) -> Instant {
    let times = open.values.map { $0.since.adding(milliseconds: Self.placeTime) }.filter { $0 > now }
    guard open.count < Self.slowLimit else { return .distantFuture }
    guard times.count >= Self.openLimit else { return now }
    return times.sorted()[times.count - Self.openLimit]
  }

  private mutating func takeRequest(of key: String, at now: Instant) -> Request? {
    guard var host = hosts[key], !host.isOpen else { return nil }
    guard host.rest <= now else {
      wake(key)
      return nil
    }
    while !host.waiting.isEmpty {
      let name = host.waiting.removeFirst()
      // A feed that has been put off, or now belongs to another host, is in the queue once more.
      guard let feed = feeds[name], feed.isDue(at: now), self.key(feed.url) == key else { continue }
      if let rest = rests[feed.url.host] {
        guard rest <= now else {
          queue.insert(Due(time: rest, feed: name, generation: feed.generation))
          continue
        }
        rests[feed.url.host] = nil
      }
      host.isOpen = true
      hosts[key] = host
      if feed.check == nil { checkCount += 1 }
      let check = feed.check ?? checkCount
      open[check] = Open(feed: name, url: feed.url, since: now)
      feeds[name]?.check = check
      feeds[name]?.redirect = nil
      return Request(check: check, feed: name, url: feed.url, validators: feed.record.validators)
    }
    hosts[key] = nil
    return nil
  }

  // MARK: - Answers

  /// The request of a check was answered by a redirect: the check goes on at another address, when its host may be
  /// asked. Returns false if the feed was removed meanwhile.
  mutating func redirected(_ check: Int, to url: WebURL, address: String, at now: Instant) -> Bool {
    guard let request = open.removeValue(forKey: check) else { return false }
    release(request.url, Answer(outcome: .unchanged, fields: ResponseFields(), address: address), at: now)
    guard feeds[request.feed]?.check == check else { return false }
    feeds[request.feed]?.redirect = url
    wait(request.feed, for: url, at: now)
    return true
  }

  /// Returns true if a check waits for the host to which a redirect leads.
  func isRedirected(_ name: FeedName) -> Bool { feeds[name]?.redirect != nil }

  /// Takes the answer to the last request of a check. Returns the record to store, or nil if the feed was removed
  /// meanwhile.
  mutating func answered(_ check: Int, _ answer: Answer, at now: Instant) -> FeedRecord? {
    guard let request = open.removeValue(forKey: check) else { return nil }
    release(request.url, answer, at: now)
    guard var feed = feeds[request.feed], feed.check == check else { return nil }
    feed.record.lastCheck = now
    apply(answer, to: &feed.record, at: now)
    feeds[request.feed] = feed
    return feed.record
  }

  /// Ends the check of a feed whose record, and what came with it, the daemon has stored.
  mutating func stored(_ name: FeedName) {
    feeds[name]?.check = nil
    enqueue(name)
  }

  /// Takes a feed back to the address that it had before it moved. Returns the record to store, or nil if there is no
  /// such feed.
  mutating func stay(_ name: FeedName, at url: WebURL) -> FeedRecord? {
    guard var feed = feeds[name] else { return nil }
    (feed.record.url, feed.record.moving) = (url, nil)
    feed.record.validators = ResponseFields.Validators()
    feeds[name] = feed
    return feed.record
  }

  /// Ends the check of a feed of which the daemon has refused what it brought: things are as before the check, whose
  /// record was `before`, and the feed is asked for the whole later, as after a failure. Returns the record to store, or
  /// nil if there is no such feed.
  mutating func refused(_ name: FeedName, before: FeedRecord, at now: Instant) -> FeedRecord? {
    guard var feed = feeds[name] else { return nil }
    feed.check = nil
    (feed.record.url, feed.record.moving, feed.record.health) = (before.url, before.moving, before.health)
    feed.record.validators = ResponseFields.Validators()
    fail(&feed.record, retryAfter: nil, at: now)
    feeds[name] = feed
    enqueue(name)
    return feed.record
  }

  private mutating func apply(_ answer: Answer, to record: inout FeedRecord, at now: Instant) {
    switch answer.outcome {
    case .document(let pace):
      record.validators = answer.fields.validators
      record.pace = pace
      succeed(&record, answer.fields, at: now)
    case .unchanged:
      // A 304 may bring new validators, one of them or both.
      record.validators.entityTag = answer.fields.validators.entityTag ?? record.validators.entityTag
      record.validators.lastModified = answer.fields.validators.lastModified ?? record.validators.lastModified
      succeed(&record, answer.fields, at: now)
    case .offer(let url):
      record.health = .fine
      (record.url, record.next, record.moving) = (url, now, nil)
      record.validators = ResponseFields.Validators()
      return
    case .gone:
      record.health = .gone
      record.validators = ResponseFields.Validators()
    case .failed, .unreadable:
      if answer.outcome == .unreadable { record.validators = ResponseFields.Validators() }
      fail(&record, retryAfter: answer.fields.retryAfter, at: now)
    }
    followMove(to: answer.movedTo, in: &record, at: now)
  }

  private mutating func succeed(_ record: inout FeedRecord, _ fields: ResponseFields, at now: Instant) {
    record.health = .fine
    (record.freshUntil, record.retryAfter) = (fields.freshUntil, fields.retryAfter)
    record.next = CheckTimes.next(after: now, record: record, spread: spread())
  }

  private mutating func fail(_ record: inout FeedRecord, retryAfter: Instant?, at now: Instant) {
    var (count, since) = (0, now)
    if case .failing(let before, let start) = record.health { (count, since) = (before, start) }
    record.health = .failing(count: count + 1, since: since)
    record.next = CheckTimes.next(
      after: now, of: record.url, failures: count + 1, retryAfter: retryAfter, spread: spread())
  }

  /// Returns a number from -1 to 1, at random.
  private mutating func spread() -> Double {
    random.add(CollectionOfOne(1))
    return Double(random.folded(bits: 32)) / Double(1 << 31) - 1
  }

  /// Follows a move for good once several checks over a day agree on it.
  private func followMove(to target: WebURL?, in record: inout FeedRecord, at now: Instant) {
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

  /// The name under which a host is counted: its network address once known. Files have no host to be spared.
  private func key(_ url: WebURL) -> String { url.isFile ? url.text : addresses[url.host] ?? url.host }

  /// Lets the host of an answered request go, which then rests at least for the pause between two. A name may have got
  /// another address: its feeds wait for the host of that one, and both hosts rest.
  private mutating func release(_ url: WebURL, _ answer: Answer, at now: Instant) {
    var rest = now.adding(milliseconds: Self.hostPause)
    if answer.isBusy {
      let wanted = answer.fields.retryAfter ?? now.adding(milliseconds: 60_000)
      rests[url.host] = max(wanted, rests[url.host] ?? wanted)
      rest = max(rest, min(wanted, now.adding(milliseconds: Self.addressPause)))
    }
    let old = key(url)
    var host = hosts[old] ?? Host(rest: rest)
    host.isOpen = false
    host.rest = max(host.rest, rest)
    let isElsewhere = !answer.address.isEmpty && answer.address != old
    if isElsewhere {
      addresses[url.host] = answer.address
      var next = hosts[answer.address] ?? Host(rest: rest)
      next.rest = max(next.rest, rest)
      next.waiting += host.waiting.filter { isOf(answer.address, $0) }
      host.waiting.removeAll { isOf(answer.address, $0) }
      hosts[answer.address] = next
      wake(answer.address)
    }
    // Nothing is asked under a name whose address is known. An address in place of a name stays what it is.
    hosts[old] = isElsewhere && old == url.host ? nil : host
    wake(old)
  }

  private func isOf(_ key: String, _ name: FeedName) -> Bool {
    feeds[name].map { self.key($0.url) == key } ?? false
  }

  private mutating func enqueue(_ name: FeedName) {
    guard var feed = feeds[name], feed.record.health != .gone, feed.check == nil else { return }
    feed.generation += 1
    feeds[name] = feed
    queue.insert(Due(time: feed.record.next, feed: name, generation: feed.generation))
  }
}
