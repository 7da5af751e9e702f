internal import ConnectorSupport
package import Dates
package import HTTPSupport
internal import Ingest
internal import Posts

/// The program that reads feeds for the daemon, as a value: lines, responses and parsed documents go in; lines,
/// requests and documents to parse come out.
///
/// It keeps nothing on disk: the daemon stores its state as cursors, in the transaction of the posts they stand for.
package struct FeedConnector {
  /// An event.
  package enum Input {
    /// A line from the daemon, without its end.
    case line([UInt8])
    /// A line from the daemon that is too long.
    case lineTooLong
    /// The end of a ``Effect/fetch(check:_:)``.
    case fetched(check: Int, Result<FetchResponse, FetchFailure>)
    case parsed(FeedParseOutcome)
    /// The deadline was reached.
    case time
  }

  /// An action for the owner to carry out.
  package enum Effect {
    /// Writes a line to the daemon.
    case write([UInt8])
    /// Fetches a document.
    case fetch(check: Int, FetchRequest)
    /// Parses a document on another thread.
    case parse(FeedParseJob)
    /// Writes a line to the daemon's log.
    case log(String)
  }

  /// The most requests that are open, and documents that are to be parsed, at once.
  package static let openLimit = FetchScheduler.slowLimit
  /// The most feeds that are read.
  static let feedLimit = 10_000

  /// What is asked for; servers that offer several formats choose by it.
  private static let accept =
    "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5"

  struct Feed {
    var told: DaemonLine.ToldFeed
    var memory: FeedMemory
    /// The check under way, until the daemon has stored what it brought; nil for none.
    var check: Int?
    /// What was known before the check whose posts the daemon has not stored yet.
    var before: FeedMemory?
  }

  /// A check until its document was read.
  struct Check {
    let feed: FeedName
    var redirects = RedirectTrail()
    /// The response whose document is being read.
    var answer: FetchScheduler.Answer?
  }

  let parser = JSONParser()
  var feeds: [FeedName: Feed] = [:]
  /// The checks whose documents were not read yet, also those of feeds that were removed meanwhile.
  var checks: [Int: Check] = [:]
  var scheduler: FetchScheduler
  var batches = BatchQueue()
  var isReady = false
  var effects: [Effect] = []
  /// The daemon's time minus ours, in milliseconds.
  var offset: Int64 = 0

  /// A connector that says hello.
  ///
  /// - Parameter seed: spreads the times of checks.
  package init(seed: UInt64) {
    scheduler = FetchScheduler(seed: seed)
    effects = [.write(ConnectorLine.hello(can: ["feed"]))]
  }

  /// Handles an event and returns the effects to carry out, in order.
  package mutating func handle(_ input: Input, at time: Instant) -> [Effect] {
    switch input {
    case .line(let line): read(line, at: time)
    case .lineTooLong: effects.append(.log("a line of the daemon is too long; ignored"))
    case .fetched(let check, let response): fetched(check, response, at: daemonTime(time))
    case .parsed(let outcome): parsed(outcome, at: daemonTime(time))
    case .time: break
    }
    proceed(at: daemonTime(time))
    defer { effects = [] }
    return effects
  }

  /// The time at which ``handle(_:at:)`` is to be called with ``Input/time``; nil for none.
  package func deadline(after time: Instant) -> Instant? {
    guard isReady else { return nil }
    let now = daemonTime(time)
    let times = [batches.deadline, batches.isFull ? nil : scheduler.deadline(after: now)]
    return times.compactMap(\.self).min().map { $0.adding(milliseconds: -offset) }
  }

  private func daemonTime(_ time: Instant) -> Instant { time.adding(milliseconds: offset) }

  private mutating func proceed(at now: Instant) {
    guard isReady else { return }
    for line in batches.lines(at: now) { effects.append(.write(line)) }
    guard !batches.isFull else { return }
    for request in scheduler.requests(at: now) {
      if checks[request.check] == nil { checks[request.check] = Check(feed: request.feed) }
      feeds[request.feed]?.check = request.check
      var fetch = FetchRequest(
        request.url, validators: request.validators,
        allowsPrivateAddresses: feeds[request.feed]?.told.url?.isPrivate == true)
      fetch.accept = Self.accept
      effects.append(.fetch(check: request.check, fetch))
    }
  }

  // MARK: - Lines

  private mutating func read(_ bytes: [UInt8], at time: Instant) {
    guard let line = DaemonLine(bytes, parser: parser) else {
      effects.append(.log("a line of the daemon cannot be read; ignored"))
      return
    }
    let now = daemonTime(time)
    switch line {
    case .feed(let told): add(told, at: now)
    case .gone(let feed): remove(feed)
    case .ready(let daemon, let credit):
      offset = daemon.milliseconds - time.milliseconds
      batches.setCredit(credit)
      isReady = true
      for feed in feeds.keys.sorted() { tellStatus(feed) }
    case .did(let number, let answer): answered(number, answer, at: now)
    case .want(let id, let what, let feed): want(id, what, feed, at: now)
    case .command(let id): effects.append(.write(ConnectorLine.answer(id, refusal: "feeds are only read")))
    case .unrecognised: break
    }
  }

  private mutating func add(_ told: DaemonLine.ToldFeed, at now: Instant) {
    guard let url = told.url else {
      let status = ConnectorStatus(.off, reason: "not an address of a feed: \(told.address.shortened)")
      effects.append(.write(ConnectorLine.status(.feed(told.name), status)))
      return
    }
    // Cursors that are empty were forgotten, so that the feed is read from the beginning.
    if let known = scheduler.record(of: told.name), known.url == url, told.cursors?.isEmpty != true {
      // Also after a move that this program has found. What it knows is as new as what the daemon does.
      feeds[told.name]?.told = told
      scheduler.setInterval(told.minutes, of: told.name)
      if isReady { tellStatus(told.name) }
      return
    }
    guard feeds.count < Self.feedLimit || feeds[told.name] != nil else {
      let status = ConnectorStatus(.off, reason: "more than \(Self.feedLimit) feeds")
      return effects.append(.write(ConnectorLine.status(.feed(told.name), status)))
    }
    remove(told.name)
    let memory = FeedMemory(told.cursors ?? [:], url: url, now: now)
    feeds[told.name] = Feed(told: told, memory: memory)
    scheduler.add(told.name, memory.record)
    scheduler.setInterval(told.minutes, of: told.name)
    if isReady { tellStatus(told.name) }
  }

  /// Forgets a feed. A request under way goes on, and keeps its host and its place among all, until it is answered.
  private mutating func remove(_ name: FeedName) {
    guard let feed = feeds.removeValue(forKey: name) else { return }
    if let check = feed.check, scheduler.isRedirected(name) { checks[check] = nil }
    scheduler.remove(name)
    if let check = feed.check { batches.drop(check: check) }
  }

  private mutating func answered(_ number: String, _ answer: BatchAnswer, at now: Instant) {
    guard let batch = batches.answered(number, isDone: answer != .again, at: now) else { return }
    if case .refused(let reason) = answer {
      effects.append(.log("\(batch.subject): the daemon refused posts: \(reason.shortened)"))
    }
    guard feeds[batch.subject]?.check == batch.check else { return }
    switch answer {
    case .again: break
    case .stored(let refused, _):
      if let reason = batch.move.flatMap({ refused[$0] }) { stay(batch.subject, reason, at: now) }
      if batch.isLast { stored(batch.subject) }
    case .refused(let reason): refused(batch.subject, reason, at: now)
    }
  }

  private mutating func want(_ id: String, _ what: String, _ name: FeedName, at now: Instant) {
    func refuse(_ reason: String) { effects.append(.write(ConnectorLine.answer(id, refusal: reason))) }
    guard what == "refresh" else { return refuse("unknown want: \(what.shortened)") }
    guard feeds[name] != nil else { return refuse("there is no such feed") }
    if let allowed = scheduler.refresh(name, at: now) {
      return refuse("it was checked just now; try again in \(max(1, allowed.seconds - now.seconds)) s")
    }
    effects.append(.write(ConnectorLine.answer(id)))
  }

  /// Writes the status of a feed.
  mutating func tellStatus(_ name: FeedName) {
    guard let feed = feeds[name], let record = scheduler.record(of: name) else { return }
    effects.append(.write(ConnectorLine.status(.feed(name), Self.status(record, feed.memory))))
  }

  private static func status(_ record: FeedRecord, _ memory: FeedMemory) -> ConnectorStatus {
    var status = state(record, memory)
    status.history = memory.checks.sentences
    return status
  }

  private static func state(_ record: FeedRecord, _ memory: FeedMemory) -> ConnectorStatus {
    let last = memory.checks.checks.last?.outcome ?? ""
    switch record.health {
    case .gone: return ConnectorStatus(.off, since: record.lastCheck, reason: "gone for good (410)")
    case .failing(_, let since):
      return ConnectorStatus(record.isFailing ? .failing : .waiting, since: since, next: record.next, reason: last)
    case .fine where record.lastCheck == nil: return ConnectorStatus(.connecting)
    case .fine: return ConnectorStatus(.polling, since: memory.since, next: record.next)
    }
  }
}
