internal import ConnectorSupport
internal import Dates
internal import HTTPSupport
internal import Ingest
internal import Posts

/// A login at a server: connects, reads its timelines, follows its stream, and begins again when that fails. Responses
/// and events go in; requests and items for the daemon come out.
struct Login {
  private enum Phase: Equatable {
    /// Nothing is asked: there is no token, or it is not valid.
    case signedOut
    /// Connects at a time.
    case waiting(Instant)
    /// The server's document is read, then the stream is opened.
    case opening
    case reading
    /// The timelines have been read; the newest pages are read again at a time.
    case resting(Instant)
  }

  /// The pauses between two readings of the newest pages, with and without a stream, in milliseconds. A remote status may
  /// arrive late, and a server may tell of no edits.
  static let livePause: Int64 = 30 * 60_000
  static let pollPause: Int64 = 60_000
  /// While the server builds the home timeline it is asked again after so long, so often.
  static let buildingPause: Int64 = 2_000
  static let buildingLimit = 10

  let name: String
  let server: MastodonServer
  /// True if no other login is at this server: then a status that it does not find is deleted.
  var isAlone = true

  private let parser: JSONParser
  private var phase = Phase.signedOut
  private var timelines: LoginTimelines
  private var writer: LoginWriter
  /// What is asked beside the timelines.
  var side: SideRequests
  private var stream = LoginStream()
  private var facts: ServerFacts?
  private var buildingCount = 0
  private var backoff = Backoff()
  private var budget = RequestBudget()
  private var clock = ServerClock()
  /// What is to be asked, in order, and the time before which it is not.
  private var queue: [LoginQuestion] = []
  private var notBefore: Instant?
  /// Counts connections: an answer from before the last failure is not read.
  private var epoch: Int
  /// The number with which this login began: answers to questions of an earlier one of its name have a lower one.
  private let firstEpoch: Int
  private var status: ConnectorStatus?
  private var effects: [Effect] = []

  /// - Parameter epoch: a number that no earlier login of the name has had.
  init(
    name: String, server: MastodonServer, cursors: [String: String], epoch: Int, markers: LoginMarkers.Direction,
    parser: JSONParser
  ) {
    (self.name, self.server, self.epoch, self.firstEpoch, self.parser) = (name, server, epoch, epoch, parser)
    timelines = LoginTimelines(cursors: cursors)
    writer = LoginWriter(record: WritingRecord(text: cursors["writing"] ?? ""), parser: parser)
    side = SideRequests(markers, host: server.host, parser: parser)
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
  var isFailing: Bool {
    switch phase {
    case .signedOut, .waiting: true
    case .opening, .reading, .resting: false
    }
  }

  /// Returns the effects since the last call.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects + side.takeEffects()
  }

  // MARK: - Connecting

  /// Begins, if there is a token.
  mutating func start(at now: Instant) {
    guard server.token != nil else { return signOut("not signed in", at: now) }
    connect(at: now)
  }

  private mutating func connect(at now: Instant) {
    phase = .opening
    tell(ConnectorStatus(.connecting, since: now, reason: status?.reason ?? ""))
    if facts == nil { queue = [.facts(version: 2)] } else { openStream(at: now) }
  }

  private mutating func openStream(at now: Instant) {
    guard !stream.isAbsent(at: now) else { return beginReading(at: now) }
    stream.begin(at: now)
    let request = streamServer.events
    effects.append(stream.transport == .events ? .openStream(request) : .openSocket(request))
  }

  /// The server of the stream.
  private var streamServer: MastodonServer { server.streaming(at: facts?.streams) }

  /// Closes the connection, and makes another one later.
  private mutating func fail(_ reason: String, at now: Instant, using generator: inout some RandomNumberGenerator) {
    disconnect(reason, at: now)
    let next = max(now.adding(milliseconds: backoff.next(using: &generator)), budget.restEnd ?? now)
    phase = .waiting(next)
    tell(ConnectorStatus(.waiting, since: now, next: next, reason: reason))
  }

  private mutating func signOut(_ reason: String, at now: Instant) {
    disconnect(reason, at: now)
    phase = .signedOut
    tell(ConnectorStatus(.signedOut, since: now, reason: "\(reason); sign in with: stack-client login \(name)"))
  }

  private mutating func disconnect(_ reason: String, at now: Instant) {
    side.interrupt(reason)
    if !stream.isClosed { effects.append(.closeStream) }
    if stream.close(at: now) { backoff.reset() }
    (queue, notBefore) = ([], nil)
    epoch += 1
  }

  private mutating func tell(_ status: ConnectorStatus) {
    guard status != self.status else { return }
    self.status = status
    effects.append(.tell(status))
  }

  // MARK: - Time

  /// Does what is due.
  mutating func passTime(at now: Instant, using generator: inout some RandomNumberGenerator) {
    switch phase {
    case .waiting(let time) where time <= now: connect(at: now)
    case .resting(let time) where time <= now: beginReading(at: now)
    default: break
    }
    if let time = stream.deadline, time <= now { fail("the stream has fallen silent", at: now, using: &generator) }
    if let time = stream.pingTime, time <= now {
      stream.ping(using: &generator)
      sendOutput()
    }
  }

  /// Makes the requests that the budget allows: first those for which a person waits.
  mutating func ask(at now: Instant) {
    write(at: now)
    if isAtRest { while let question = side.next(at: now) { queue.append(.side(question)) } }
    while !isFailing, budget.allowsUrgent(at: now), let question = side.nextUrgent(at: now) {
      budget.ask(at: now)
      effects.append(.ask(.side(question), epoch: epoch, question.request(to: server)))
    }
    if let time = notBefore, time > now { return }
    notBefore = nil
    while !queue.isEmpty, budget.allows(at: now) {
      budget.ask(at: now)
      let question = queue.removeFirst()
      effects.append(.ask(question, epoch: epoch, question.request(to: server, facts)))
    }
    if !queue.isEmpty, let rest = budget.restEnd, rest > now {
      let reason = "too many requests; the server asks to wait"
      tell(ConnectorStatus(.waiting, since: status?.since, next: rest, reason: reason))
    }
  }

  /// The time at which something is due; nil for none. `isPaused` if no requests are made at present.
  func deadline(after now: Instant, isPaused: Bool) -> Instant? {
    var times: [Instant] = []
    switch phase {
    case .waiting(let time), .resting(let time): times.append(time)
    case .signedOut, .opening, .reading: break
    }
    times += [stream.deadline, stream.pingTime].compactMap(\.self)
    if !isPaused, !isFailing, let time = side.deadline, time > now { times.append(time) }
    if !queue.isEmpty, !isPaused, let time = notBefore ?? budget.deadline(after: now) { times.append(time) }
    return times.min()
  }

  // MARK: - Writing

  /// Takes a wish of the login's account.
  mutating func add(_ wish: Wish, at now: Instant) { writer.add(wish, at: now) }

  /// The daemon has stored what was posted, or refuses it.
  mutating func stored(_ isStored: Bool) { writer.stored(isStored) }

  private mutating func write(at now: Instant) {
    if isFailing {
      writer.postpone(status?.reason ?? "")
    } else if let facts {
      if let end = budget.refusalEnd, end > now { writer.postpone("too many requests; the server asks to wait") }
      let known = LoginWriter.Facts(host: server.host, keepsKeys: facts.keepsKeys, clock: clock)
      while budget.allowsUrgent(at: now), let question = writer.next(known, at: now) {
        budget.ask(at: now)
        effects.append(.ask(.wish(question), epoch: epoch, question.request(to: server)))
      }
    }
    for effect in writer.takeEffects() {
      switch effect {
      case .answer(let wish, let answer): effects.append(.answer(wish, answer))
      case .store(let record): effects.append(.store(["writing": record.text]))
      }
    }
  }

  // MARK: - Reading

  private mutating func beginReading(at now: Instant) {
    phase = .reading
    buildingCount = 0
    timelines.begin(at: now)
    readOn(at: now)
  }

  /// Asks for the next page, if there is one.
  private mutating func readOn(at now: Instant) {
    if let question = timelines.question { return queue.append(.page(question)) }
    let isLive = !stream.isClosed
    if !isLive { backoff.reset() }
    let next = now.adding(milliseconds: isLive ? Self.livePause : Self.pollPause)
    phase = .resting(next)
    side.begin(at: now)
    let state = isLive ? UpstreamStatus.State.live : .polling
    tell(ConnectorStatus(state, since: status?.state == state ? status?.since : now, next: isLive ? nil : next))
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
    if case .success(let response) = result {
      budget.answered(response, at: now)
      clock.add(date: response.field("date"), at: now)
    } else {
      budget.failed()
    }
    let answer = ServerAnswer(result, parser: parser)
    if case .wish(let wish) = question {
      // What became of a wish counts, also if the stream has failed since.
      writer.answered(wish, result, host: server.host, at: now)
      if case .signedOut(let words) = answer, epoch >= firstEpoch { signOut("the server says: \(words)", at: now) }
      return
    }
    guard epoch == self.epoch else { return }
    if case .side(let question) = question {
      side.answered(
        question, answer, try? result.get(), isOnlyLogin: isAlone, at: now, serverNow: clock.time(at: now))
      if case .signedOut(let words) = answer { signOut("the server says: \(words)", at: now) }
      return
    }
    switch (answer, question) {
    case (.signedOut(let words), _): signOut("the server says: \(words)", at: now)
    case (.limited, _): queue.insert(question, at: 0)
    case (.later(let reason), _): fail(reason, at: now, using: &generator)
    case (.building, .page) where buildingCount < Self.buildingLimit:
      buildingCount += 1
      notBefore = now.adding(milliseconds: Self.buildingPause)
      queue.insert(question, at: 0)
    case (.absent, .facts(version: 2)): queue.append(.facts(version: 1))
    case (.absent, .page(.mentions)), (.refused, .page(.mentions)), (.absent, .page(.notices)),
      (.refused, .page(.notices)):
      timelines.lackMentions(at: now)
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
      guard let page = asked.page(in: response, host: server.host, now: time, parser: parser) else { return false }
      effects.append(.send(timelines.answer(asked, page), cursors: cursors))
      continueReading(at: now)
    case .side, .wish: return false
    }
    return true
  }

  private mutating func continueReading(at now: Instant) {
    releaseEvents()
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
    let reader = StreamEventReader(host: server.host, now: clock.time(at: now), parser: parser)
    let outcome = stream.receive(bytes, at: now, by: reader, using: &generator)
    sendOutput()
    switch outcome {
    case .opened: beginReading(at: now)
    case .refused(let status): return streamRefused(status, at: now, using: &generator)
    case .ended(let reason): return fail(reason, at: now, using: &generator)
    case nil: break
    }
    releaseEvents()
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
    case 408, 429, 500...: fail("the server answered \(status) in place of a stream", at: now, using: &generator)
    case 401 where stream.transport != .socket: signOut("the server does not know the login any more", at: now)
    default:
      effects.append(.closeStream)
      if stream.tryNextTransport(after: status, at: now) { openStream(at: now) } else { beginReading(at: now) }
    }
  }

  /// The stream has ended.
  mutating func streamEnded(_ reason: String, at now: Instant, using generator: inout some RandomNumberGenerator) {
    guard !stream.isClosed else { return }
    fail(reason, at: now, using: &generator)
  }

  /// Passes on what the stream has brought, unless it waits for the newest pages.
  private mutating func releaseEvents() {
    guard !timelines.isHolding else { return }
    for event in stream.takeEvents() {
      switch event {
      case .update(let status): effects.append(.send(timelines.receive(status), cursors: cursors))
      case .mention(let status): effects.append(.send(timelines.receive(mention: status), cursors: cursors))
      case .notice(let status): effects.append(.send(timelines.receive(notice: status), cursors: cursors))
      case .edit(let status): effects.append(.send([LoginItem.post(status.post, in: [])], cursors: [:]))
      case .delete(let id): effects.append(.doubt([id]))
      }
    }
  }
}
