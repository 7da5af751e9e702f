internal import ConnectorSupport
internal import Dates
internal import HTTPSupport
internal import Ingest
internal import Posts

/// A login at a server: connects, reads its timelines, follows its stream, and begins again when that fails. Responses
/// and events go in; requests and items for the daemon come out.
struct Login {
  /// The pauses between two readings of the newest pages, with and without a stream, in milliseconds. A remote status may
  /// arrive late, and a server may tell of no edits.
  static let (livePause, pollPause): (Int64, Int64) = (30 * 60_000, 60_000)
  /// While the server builds the home timeline it is asked again after so long, so often.
  static let (buildingPause, buildingLimit): (Int64, Int) = (2_000, 10)
  /// The pause before what the daemon has refused is read once more, in milliseconds.
  static let refusalPause: Int64 = 5 * 60_000

  let name: String
  private(set) var server: MastodonServer
  /// True if no other login is at this server: then a status that it does not find is deleted.
  var isAlone = true
  /// True while more waits for the daemon than it stores: nothing is asked, and what the stream brings is held.
  var isPaused = false
  /// The number with which this login began: answers to questions of an earlier one of its name have a lower one.
  let firstEpoch: Int

  private let parser: JSONParser
  private var phase = LoginPhase.signedOut
  private var timelines: LoginTimelines
  /// How far the daemon has stored what was read.
  private var place: StoredPlace
  private var writer: LoginWriter
  /// What is asked beside the timelines.
  var side: SideRequests
  var report = LoginReport()
  private var stream = LoginStream()
  private var facts: ServerFacts?
  private var buildingCount = 0
  private var backoff = Backoff()
  private var queue = RequestQueue()
  private var clock = ServerClock()
  /// Counts connections: an answer from before the last failure is not read.
  private var epoch: Int
  private var effects: [Effect] = []

  /// - Parameters:
  ///   - epoch: a number that no earlier login of the name has had.
  ///   - lastBatch: the number of the last batch before it began.
  init(
    name: String, server: MastodonServer, cursors: [String: String], epoch: Int, lastBatch: Int,
    markers: LoginMarkers.Direction, keepsBookmarks: Bool, parser: JSONParser
  ) {
    (self.name, self.server, self.epoch, self.firstEpoch, self.parser) = (name, server, epoch, epoch, parser)
    timelines = LoginTimelines(cursors: cursors, of: LoginName(text: name, host: server.host))
    place = StoredPlace(cursors: cursors, lastUncounted: lastBatch)
    writer = LoginWriter(record: WritingRecord(text: cursors["writing"] ?? ""), parser: parser)
    side = SideRequests(
      markers, bookmarks: keepsBookmarks ? cursors["bookmarks"] ?? "" : nil, of: timelines.login, parser: parser)
  }

  /// The cursors that stand for everything that was sent.
  var cursors: [String: String] {
    var cursors = timelines.cursors
    cursors["writing"] = writer.record.text
    return cursors
  }

  /// True if nothing is being read, and the server can be asked.
  var isAtRest: Bool { if case .resting = phase { true } else { false } }

  /// True if the server cannot be asked at present.
  var isFailing: Bool { phase.isFailing }

  /// Returns the effects since the last call.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return report.takeEffects().map { Effect($0) } + effects + side.takeEffects().map { Effect($0) }
  }

  // MARK: - Connecting

  /// Begins with a token; without one it says why.
  mutating func start(with token: String?, otherwise reason: String, at now: Instant) {
    server.token = token
    if token == nil { signOut(reason, at: now) } else { connect(at: now) }
  }

  private mutating func connect(at now: Instant) {
    phase = .opening
    report.tell(ConnectorStatus(.connecting, since: now, reason: report.status?.reason ?? ""))
    if facts == nil { queue.add(.facts(version: 2)) } else { openStream(at: now) }
  }

  /// Opens the stream and then reads, or reads at once where there is none at present.
  private mutating func openStream(at now: Instant) {
    guard !stream.isAbsent(at: now) else { return beginReading(at: now) }
    phase = .opening
    stream.begin(at: now)
    effects.append(stream.transport == .events ? .openStream(streamServer.events) : .openSocket(streamServer.events))
  }

  /// The server of the stream.
  private var streamServer: MastodonServer { server.streaming(at: facts?.streams) }

  /// Closes the connection, and makes another one later.
  private mutating func fail(_ reason: String, at now: Instant, using generator: inout some RandomNumberGenerator) {
    let pause = backoff.next(using: &generator)
    disconnect(reason, .waiting, until: max(now.adding(milliseconds: pause), queue.budget.restEnd ?? now), at: now)
  }

  /// The stream has ended, or cannot be opened. Where that goes on the timelines are polled.
  private mutating func failStream(_ reason: String, at now: Instant, using generator: inout some RandomNumberGenerator)
  {
    stream.failed(reason, at: now)
    guard stream.isAbsent(at: now) else { return fail(reason, at: now, using: &generator) }
    close(reason, at: now)
    beginReading(at: now)
  }

  private mutating func signOut(_ reason: String, at now: Instant) {
    close(reason, at: now)
    side.interruptUploads(reason, isForGood: true)
    phase = .signedOut
    report.tell(ConnectorStatus(.signedOut, since: now, reason: "\(reason); sign in with: stack-client login \(name)"))
  }

  /// Closes the connection, and makes another one at a time.
  private mutating func disconnect(
    _ reason: String, _ state: UpstreamStatus.State, until next: Instant, at now: Instant
  ) {
    close(reason, at: now)
    side.interruptUploads(reason, isForGood: false)
    phase = .waiting(next)
    report.tell(ConnectorStatus(state, since: now, next: next, reason: reason))
  }

  private mutating func close(_ reason: String, at now: Instant) {
    side.interrupt(reason)
    if !stream.isClosed { effects.append(.closeStream) }
    if stream.close(at: now) { backoff.reset() }
    queue.clear()
    epoch += 1
  }

  // MARK: - Time

  /// Does what is due.
  mutating func passTime(at now: Instant, using generator: inout some RandomNumberGenerator) {
    switch phase {
    case .waiting(let time) where time <= now && !isPaused: connect(at: now)
    case .resting(let time) where time <= now:
      if stream.isClosed { openStream(at: now) } else { beginReading(at: now) }
    default: break
    }
    if let time = stream.deadline, time <= now {
      failStream("the stream has fallen silent", at: now, using: &generator)
    }
    if let time = stream.pingTime, time <= now {
      stream.ping(using: &generator)
      sendOutput()
    }
  }

  /// Passes on what the stream has brought, and asks what the budget allows: first that for which a person waits.
  mutating func proceed(at now: Instant) {
    guard !isPaused else { return }
    releaseEvents(at: now)
    write(at: now)
    while !isFailing, let question = queue.nextUrgent(at: now, { side.nextUrgent(at: now, facts) }) {
      effects.append(.ask(.side(question), epoch: epoch, side.request(for: question, to: server)))
    }
    repeat {
      while isAtRest, queue.hasRoom, let question = side.next(at: now) { queue.add(.side(question)) }
      guard let question = queue.next(at: now) else { break }
      effects.append(.ask(question, epoch: epoch, question.request(to: server, facts)))
    } while true
    if let rest = queue.restEnd(at: now) { report.wait("the server asks to wait", until: rest, at: now) }
  }

  /// The time at which something is due; nil for none.
  func deadline(after now: Instant) -> Instant? {
    var times = [stream.deadline, stream.pingTime]
    if !isPaused { times += [phase.deadline, queue.deadline(after: now)] }
    if !isPaused, !isFailing { times.append(side.deadline(after: now)) }
    return times.compactMap(\.self).min()
  }

  /// The daemon has stored a batch, except for items that it refused for these reasons.
  mutating func stored(_ batch: BatchQueue.Batch, refused reasons: [String], at now: Instant) {
    place.stored(batch)
    report.noteLoss(reasons, at: now)
  }

  /// The daemon has refused a batch; `last` is the number of the last one. Reads once more what it has not stored, after
  /// a pause: it will hardly take it at once.
  mutating func refused(_ batch: BatchQueue.Batch, _ reason: String, last: Int, at now: Instant) {
    report.noteRefusal(reason)
    guard place.refused(batch, last: last) else { return }
    timelines.goBack(to: place.cursors)
    // Batches behind it may have moved the daemon's cursors.
    effects.append(.send([], cursors: timelines.cursors))
    guard phase != .signedOut else { return }
    let words = "the daemon refuses posts: \(reason)".shortened
    disconnect(words, .failing, until: now.adding(milliseconds: Self.refusalPause), at: now)
  }

  // MARK: - Writing

  /// Takes a wish of the login's account.
  mutating func add(_ wish: Wish, at now: Instant) { writer.add(wish, at: now) }

  /// The daemon has stored what was posted, or refuses it.
  mutating func recorded(_ isStored: Bool) { writer.stored(isStored) }

  private mutating func write(at now: Instant) {
    if isFailing {
      writer.postpone(report.status?.reason ?? "")
    } else if let facts {
      if let end = queue.budget.refusalEnd, end > now { writer.postpone("too many requests; the server asks to wait") }
      let known = LoginWriter.Facts(facts, host: server.host, clock: clock)
      while let question = queue.nextUrgent(at: now, { writer.next(known, at: now) }) {
        effects.append(.ask(.wish(question), epoch: epoch, question.request(to: server)))
      }
    }
    effects += writer.takeEffects().map { Effect($0) }
  }

  // MARK: - Reading

  private mutating func beginReading(at now: Instant) {
    (phase, buildingCount) = (.reading, 0)
    timelines.begin(at: now)
    readOn(at: now)
  }

  /// Asks for the next page, if there is one.
  private mutating func readOn(at now: Instant) {
    if let question = timelines.question { return queue.add(.page(question)) }
    let isLive = !stream.isClosed
    if !isLive { backoff.reset() }
    let next = now.adding(milliseconds: isLive ? Self.livePause : Self.pollPause)
    phase = .resting(next)
    side.begin(at: now)
    report.rest(until: isLive ? nil : next, trouble: isLive ? "" : stream.trouble, at: now)
  }

  /// Reads on in the gaps between two instants. Returns false if none is known.
  mutating func fill(older: Instant, newer: Instant, at now: Instant) -> Bool {
    guard timelines.fill(older: older, newer: newer) else { return false }
    if isAtRest {
      phase = .reading
      readOn(at: now)
    }
    return true
  }

  // MARK: - Answers

  /// Takes the response to a request.
  mutating func answered(
    _ question: LoginQuestion, epoch: Int, _ result: Result<FetchResponse, FetchFailure>, at now: Instant,
    using generator: inout some RandomNumberGenerator
  ) {
    guard epoch >= firstEpoch else { return }
    queue.answered(result, at: now)
    if case .success(let response) = result { clock.add(date: response.field("date"), at: now) }
    let answer = ServerAnswer(result, parser: parser)
    guard epoch == self.epoch || question.outlivesConnections else { return }
    switch question {
    case .wish(let wish): writer.answered(wish, result, host: server.host, at: now)
    case .side(let question):
      side.answered(
        question, answer, try? result.get(), isOnlyLogin: isAlone, at: now, serverNow: clock.time(at: now))
      if phase == .signedOut { side.interruptUploads("the login is signed out", isForGood: true) }
    case .facts, .page: break
    }
    switch (answer, question) {
    case (.signedOut(let words), _): signOut("the server says: \(words)", at: now)
    case (_, .wish), (_, .side): break
    case (.limited, _): queue.putBack(question)
    case (.later(let reason), _):
      stream.forgetFailures()
      fail(reason, at: now, using: &generator)
    case (.building, .page) where buildingCount < Self.buildingLimit:
      buildingCount += 1
      queue.putBack(question, until: now.adding(milliseconds: Self.buildingPause))
      report.wait("the server is building the timeline", at: now)
    // Its page is never read: what it lacks would be taken for what is not there.
    case (.building, .page): fail("the server is building the timeline", at: now, using: &generator)
    case (.absent, .facts(version: 2)): queue.add(.facts(version: 1))
    case (.absent, .page(let page)) where !page.isHome, (.refused, .page(let page)) where !page.isHome:
      timelines.lack(page, at: now)
      continueReading(at: now)
    case (.done, _), (.building, _):
      guard case .success(let response) = result, read(response, for: question, at: now) else {
        return fail("the server's answer cannot be read", at: now, using: &generator)
      }
    case (.absent, _): fail("the server has no such method", at: now, using: &generator)
    case (.refused(let words), _): fail("the server says: \(words)", at: now, using: &generator)
    }
  }

  /// Reads a response. Returns false if it is not what was asked for.
  private mutating func read(_ response: FetchResponse, for question: LoginQuestion, at now: Instant) -> Bool {
    switch question {
    case .facts:
      guard let facts = response.parsed(by: parser, { ServerFacts($0) }) else { return false }
      self.facts = facts
      if let item = LoginItem.limits(facts) { effects.append(.send([item], cursors: [:])) }
      openStream(at: now)
    case .page(let asked):
      let time = clock.time(at: now)
      guard let page = timelines.page(asked, in: response, now: time, parser: parser) else { return false }
      effects.append(.send(timelines.answer(asked, page), cursors: cursors))
      continueReading(at: now)
    case .side, .wish: return false
    }
    return true
  }

  private mutating func continueReading(at now: Instant) {
    releaseEvents(at: now)
    readOn(at: now)
  }

  // MARK: - The stream

  /// The server has answered the request for a stream of events.
  mutating func streamOpened(status: Int, at now: Instant, using generator: inout some RandomNumberGenerator) {
    guard stream.isOpening else { return }
    guard status == 200 else { return streamRefused(status, at: now, using: &generator) }
    stream.open(at: now)
    beginReading(at: now)
  }

  /// There is a connection for a WebSocket.
  mutating func streamConnected(using generator: inout some RandomNumberGenerator) {
    stream.connected(to: streamServer, using: &generator)
    sendOutput()
  }

  /// Bytes of the stream have arrived.
  mutating func streamReceived(_ bytes: [UInt8], at now: Instant, using generator: inout some RandomNumberGenerator) {
    let reader = StreamEventReader(login: timelines.login, now: clock.time(at: now), parser: parser)
    let outcome = stream.receive(bytes, at: now, by: reader, using: &generator)
    sendOutput()
    switch outcome {
    case .opened: beginReading(at: now)
    case .refused(let status): return streamRefused(status, at: now, using: &generator)
    case .ended(let reason): return failStream(reason, at: now, using: &generator)
    case nil: break
    }
    releaseEvents(at: now)
    if isAtRest, timelines.isHolding {
      phase = .reading
      readOn(at: now)
    }
    if stream.isOverfull { fail("the stream brings more than can be held", at: now, using: &generator) }
  }

  private mutating func sendOutput() {
    let output = stream.takeOutput()
    if !output.isEmpty { effects.append(.sendBytes(output)) }
  }

  private mutating func streamRefused(
    _ status: Int, at now: Instant, using generator: inout some RandomNumberGenerator
  ) {
    switch status {
    case 408, 429, 500...: failStream("the server answered \(status) in place of a stream", at: now, using: &generator)
    case 401 where stream.transport != .socket: signOut("the server does not know the login any more", at: now)
    default:
      effects.append(.closeStream)
      if stream.tryNextTransport(after: status, at: now) { openStream(at: now) } else { beginReading(at: now) }
    }
  }

  /// The stream has ended.
  mutating func streamEnded(_ reason: String, at now: Instant, using generator: inout some RandomNumberGenerator) {
    if !stream.isClosed { failStream(reason, at: now, using: &generator) }
  }

  /// Passes on what the stream has brought, unless it waits for the newest pages or for the daemon.
  private mutating func releaseEvents(at now: Instant) {
    guard !timelines.isHolding, !isPaused else { return }
    for event in stream.takeEvents() {
      switch event {
      case .update(let status): effects.append(.send(timelines.receive(status), cursors: cursors))
      case .mention(let status): effects.append(.send(timelines.receive(mention: status), cursors: cursors))
      case .notice(let status): effects.append(.send(timelines.receive(notice: status), cursors: cursors))
      case .merged: timelines.beginNotifications(at: now)
      case .edit(let status): effects.append(.send([LoginItem.post(status.post, in: [])], cursors: [:]))
      case .delete(let id): effects.append(.doubt([id]))
      }
    }
  }
}
