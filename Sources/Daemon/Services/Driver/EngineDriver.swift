internal import Dates
internal import Engine
internal import Posts
internal import RPC
internal import Store
internal import ViewState

/// Runs the engine on the loop: gathers inputs, hands them in at the end of a turn, carries out the effects, and arms
/// one timer.
final class EngineDriver {
  private(set) var engine: StackEngine
  private let loop: any ServiceLoop
  private let clock: RunningClock
  private var timer: (any ServiceTimer)?
  private var store: StoreWorkers?
  /// What waits for the engine, in order. Calls that are open, and what the store does, bound it: a view's client is in
  /// it once.
  private var waiting: [Waiting] = []
  private var nextNumber: UInt64
  private var rowAnswers: [RequestToken: (Result<RowsAnswer, EngineError>) -> Void] = [:]
  private var stackAnswers: [RequestToken: (Result<(pane: UInt64, revision: UInt64), EngineError>) -> Void] = [:]
  private var slideAnswers: [RequestToken: (Result<(position: Int, moved: Bool), EngineError>) -> Void] = [:]
  private var sessionAnswers: [RequestToken: (Result<[SessionSummary], EngineError>) -> Void] = [:]
  private var views = OpenViews()
  /// Views of each connection, and how many connections have more than one.
  private var viewsByConnection: [ObjectIdentifier: Int] = [:]
  private var sharedConnections = 0
  private var needsArming = false
  /// Told of the sources elsewhere of which something is wanted that was not before.
  var onOutgoing: (Set<String>) -> Void = { _ in }
  /// The last revision that the engine has been told of.
  private var writtenRevision: UInt64
  private let relay = Relay<EngineDriver>()

  /// A driver of the store at `place`, which is at `revision`. Views are numbered from `firstNumber` on.
  init(
    loop: any ServiceLoop, store place: StorePlace, revision: UInt64, clock: DaemonClock, firstNumber: UInt64
  ) throws {
    nextNumber = firstNumber
    self.loop = loop
    self.clock = RunningClock(clock, loop: loop)
    engine = StackEngine(epoch: place.epoch, revision: revision)
    writtenRevision = revision
    if case .frozen(let instant) = clock { engine.frozenAt = instant }
    store = try StoreWorkers(loop: loop, place: place) { [relay] in relay.target?.written($0) }
    timer = try loop.makeTimer { [relay] in relay.target?.send(.timePassed) }
    relay.target = self
    loop.atTurnEnd { [relay] in relay.target?.turn() }
  }

  deinit { relay.target = nil }

  /// Now, for people.
  var now: Instant { clock.now }
  /// When this turn's inputs were handled, which is when its frames are made.
  private var turnInstant = Instant(milliseconds: 0)

  /// A number that was not used before, for a view or a request.
  func newNumber() -> UInt64 {
    nextNumber += 1
    return nextNumber
  }

  /// Takes an input; it is handled at the end of the turn.
  func send(_ input: Input) {
    waiting.append(.input(input))
    loop.scheduleTurn()
  }

  private enum Waiting {
    case input(Input)
    /// The client of a view has said something.
    case words(ViewStream)
  }

  /// Takes what a view's client says; of what it says before the engine hears it, the newest counts. False if the view
  /// is not open.
  @discardableResult
  func hear(_ id: ViewID, _ say: (inout ClientWords) -> Void) -> Bool {
    guard let stream = views[id] else { return false }
    if stream.unheard == nil {
      waiting.append(.words(stream))
      loop.scheduleTurn()
    }
    var words = stream.unheard ?? ClientWords()
    stream.unheard = nil
    say(&words)
    stream.unheard = words
    return true
  }

  // MARK: Views and requests

  /// Opens a view.
  func open(_ stream: ViewStream, _ opening: ViewOpening) {
    views.insert(stream)
    viewsByConnection[stream.connection, default: 0] += 1
    if viewsByConnection[stream.connection] == 2 { sharedConnections += 1 }
    send(.viewOpened(stream.id, opening))
  }

  /// Whose an open view is.
  func account(of id: ViewID) -> AccountID? { views[id]?.account }

  /// Closes a view; its stream hears nothing more.
  func close(_ id: ViewID) {
    guard remove(id) != nil else { return }
    send(.viewClosed(id))
  }

  /// Ends every view.
  func endViews(_ error: EngineError) {
    for id in views.ids {
      send(.viewClosed(id))
      remove(id)?.finish(error)
    }
  }

  /// The next frame of a view, if there is one now.
  func nextFrame(of id: ViewID) -> Frame? {
    needsArming = true
    loop.scheduleTurn()
    return engine.nextFrame(of: id, at: turnInstant)
  }

  /// Asks for rows.
  func rows(_ request: RowsRequest, _ answer: @escaping (Result<RowsAnswer, EngineError>) -> Void) {
    let token = RequestToken(newNumber())
    rowAnswers[token] = answer
    send(.rowsRequested(token, request))
  }

  /// Commands a session's stack.
  func command(
    _ command: StackCommand, _ key: SessionKey,
    _ answer: @escaping (Result<(pane: UInt64, revision: UInt64), EngineError>) -> Void
  ) {
    let token = RequestToken(newNumber())
    stackAnswers[token] = answer
    send(.stackCommand(token, key, command))
  }

  /// Slides the stack of a view.
  func slide(
    _ id: ViewID, _ command: SlideCommand,
    _ answer: @escaping (Result<(position: Int, moved: Bool), EngineError>) -> Void
  ) {
    let token = RequestToken(newNumber())
    slideAnswers[token] = answer
    send(.stackMoved(token, id, command))
  }

  /// Asks which sessions an account has.
  func listSessions(of account: AccountID, _ answer: @escaping (Result<[SessionSummary], EngineError>) -> Void) {
    let token = RequestToken(newNumber())
    sessionAnswers[token] = answer
    send(.sessionsRequested(token, account))
  }

  // MARK: The store

  /// Has something written. The engine knows of it before `completion` is called.
  func write(_ write: Write, _ completion: @escaping (Result<(Outcome, revision: UInt64), EngineError>) -> Void) {
    let isTaken = store?.submit(write) { outcome in
      switch outcome.result {
      case .success(.refused(let refusal)): completion(.failure(EngineError(refusal)))
      case .success(let done): completion(.success((done, outcome.revision)))
      case .failure(let error): completion(.failure(EngineError(error)))
      }
    }
    guard isTaken == true else { return completion(.failure(Self.busy)) }
  }

  /// Has something read.
  func readStore(_ job: ReadJob, _ completion: @escaping (ReadOutcome) -> Void) {
    guard store?.submit(job, completion) == true else { return completion(job.refused(Self.busy)) }
  }

  /// Asks something where the store is read. O(1) on the loop.
  func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (StoreReader) throws(EngineError) -> Answer,
    _ completion: @escaping (Result<Answer, EngineError>) -> Void
  ) {
    readStore(.ask(question)) { outcome in
      guard case .answered(let result) = outcome else { return }
      completion(result.flatMap { ($0 as? Answer).map { .success($0) } ?? .failure(.unexpected) })
    }
  }

  /// Time for inputs in one turn; the loop may take four turns before it looks at its sockets.
  private static let slice = Duration.milliseconds(1)
  /// How late a label may be after the machine slept.
  private static let longestWait = Duration.seconds(60)

  private static let busy = EngineError(
    .resourceExhausted, "too much waits for the store; try again in a moment", reason: .busy)

  /// Has the engine save what it saves lazily, lets the store finish, then lets go of everything on the loop.
  func close() {
    if store != nil {
      // What clients said before they went is part of that.
      turnInstant = clock.engineNow
      for next in waiting { handle(next) }
      waiting = []
      handle(.flush)
    }
    store?.close()
    store = nil
    timer?.close()
    timer = nil
    views = OpenViews()
  }

  /// One input for each transaction, however many writes were in it.
  private func written(_ outcomes: [WriteOutcome]) {
    for var told in CommittedPosts.all(of: outcomes) {
      // An account that was there already is opened by everybody who connects.
      told.profilesChanged = told.profilesChanged && told.revision > writtenRevision
      writtenRevision = max(writtenRevision, told.revision)
      send(.committed(told))
    }
    let outgoing = outcomes.reduce(into: Set<String>()) { $0.formUnion($1.changes.outgoing) }
    if !outgoing.isEmpty { onOutgoing(outgoing) }
  }

  // MARK: Turns

  /// Handles inputs for a slice of time; what is left waits for the next turn, so that sockets are served in between.
  private func turn() {
    let began = loop.monotonicClock
    turnInstant = clock.engineNow
    var handled = 0
    while handled < waiting.count, loop.monotonicClock - began < Self.slice {
      let next = waiting[handled]
      handled += 1
      needsArming = true
      handle(next)
    }
    waiting.removeFirst(handled)
    if !waiting.isEmpty { loop.scheduleTurn() }
    if needsArming { arm() }
  }

  private func handle(_ next: Waiting) {
    switch next {
    case .input(let input): handle(input)
    case .words(let stream):
      let words = stream.unheard
      stream.unheard = nil
      for input in words?.inputs(of: stream.id) ?? [] { handle(input) }
    }
  }

  private func handle(_ input: Input) {
    for effect in engine.handle(input, at: turnInstant) { carryOut(effect) }
  }

  private func arm() {
    needsArming = false
    guard let deadline = engine.nextDeadline else {
      timer?.disarm()
      return
    }
    // The timer counts the time the machine was awake: after a sleep the wall clock may be past a deadline long since.
    timer?.arm(after: min(.milliseconds(deadline.milliseconds - clock.engineNow.milliseconds), Self.longestWait))
  }

  @discardableResult
  private func remove(_ id: ViewID) -> ViewStream? {
    guard let stream = views.remove(id) else { return nil }
    let left = viewsByConnection[stream.connection, default: 1] - 1
    if left == 1 { sharedConnections -= 1 }
    viewsByConnection[stream.connection] = left == 0 ? nil : left
    return stream
  }

  /// Views that are woken before what they have to say is sent: what belongs to so many connections fits into a
  /// processor's cache.
  private static let batch = 64

  /// Tells streams that there is something to send. Where each has a connection of its own, some are sent before the
  /// next are told, so that all that belongs to a connection is touched at once; otherwise all are told first, so that
  /// a connection still has one write a turn.
  private func wake(_ ids: [ViewID]) {
    for (index, id) in ids.enumerated() {
      views[id]?.frameIsReady()
      if sharedConnections == 0, index % Self.batch == Self.batch - 1 { loop.flush() }
    }
  }

  /// Ends a view, unless bytes of its frames have moved since this was last asked: a slow client is never ended.
  private func stalled(_ id: ViewID) {
    guard let stream = views[id] else { return }
    if stream.noteSentBytes() { return send(.progressed(id)) }
    close(id)
    stream.giveUp(Self.stalled)
  }

  private static let stalled = EngineError(
    .resourceExhausted, "the view took and acknowledged nothing for a minute; attach again, with resume",
    reason: .stalled)

  private func carryOut(_ effect: Effect) {
    switch effect {
    case .load(let id, let load):
      readStore(.load(load)) { [relay] outcome in
        guard case .loaded(let result) = outcome else { return }
        relay.target?.send(.loaded(id, result))
      }
    case .saveSession(let key, let bytes):
      write(.saveSession(key.account, name: key.name, bytes: bytes)) { [relay] result in
        relay.target?.send(.sessionSaved(key, result.map(\.revision)))
      }
    case .markSeen(let account, let section, let key):
      write(.markSeen(account, section, key)) { [relay] result in
        if case .failure = result { relay.target?.send(.seenNotSaved(account, section)) }
      }
    case .deleteSession(let key):
      write(.deleteSession(key.account, name: key.name)) { [relay] result in
        relay.target?.send(.sessionSaved(key, result.map(\.revision)))
      }
    case .renameSession(let key, let name):
      write(.renameSession(key.account, name: key.name, to: name)) { [relay] result in
        relay.target?.send(.sessionSaved(key, result.map(\.revision)))
      }
    case .savePlaces(let key, let bytes):
      write(.savePlaces(key.account, session: key.name, bytes: bytes)) { [relay] result in
        relay.target?.send(.placesSaved(key, result.map(\.revision)))
      }
    case .viewsReady(let ids): wake(ids)
    case .viewBlocked(let id): views[id]?.noteSentBytes()
    case .viewStalled(let id): stalled(id)
    case .endView(let id, let error): remove(id)?.finish(error)
    case .answerRows(let token, let answer): rowAnswers.removeValue(forKey: token)?(.success(answer))
    case .answerStack(let token, let pane, let revision):
      stackAnswers.removeValue(forKey: token)?(.success((pane, revision)))
    case .answerSlide(let token, let position, let moved):
      slideAnswers.removeValue(forKey: token)?(.success((position, moved)))
    case .answerSessions(let token, let sessions): sessionAnswers.removeValue(forKey: token)?(.success(sessions))
    case .refuse(let token, let error):
      slideAnswers.removeValue(forKey: token)?(.failure(error))
      sessionAnswers.removeValue(forKey: token)?(.failure(error))
      rowAnswers.removeValue(forKey: token)?(.failure(error))
      stackAnswers.removeValue(forKey: token)?(.failure(error))
    }
  }
}

extension ReadJob {
  /// What comes of it where it cannot be done.
  fileprivate func refused(_ error: EngineError) -> ReadOutcome {
    switch self {
    case .load: .loaded(.failed(error))
    case .export: .exported(.failure(error))
    case .ask: .answered(.failure(error))
    }
  }
}
