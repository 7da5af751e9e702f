internal import Dates
internal import Engine
internal import Posts
internal import RPC
internal import Store
internal import ViewState

/// Runs the engine on the loop: collects inputs, hands them over at the end of a turn, carries out the effects, and
/// arms one timer.
final class EngineDriver {
  private(set) var engine: StackEngine
  private let loop: any ServiceLoop
  private let clock: RunningClock
  private var timer: (any ServiceTimer)?
  private var store: StoreWorkers?
  /// Inputs that wait for the engine, in order. Bounded by the open calls and the store's work: a view's client is in
  /// it once.
  private var waiting: [Waiting] = []
  private var nextNumber: UInt64
  private var rowAnswers: [RequestToken: (Result<RowsAnswer, EngineError>) -> Void] = [:]
  private var stackAnswers: [RequestToken: (Result<(pane: UInt64, revision: UInt64), EngineError>) -> Void] = [:]
  private var slideAnswers: [RequestToken: (Result<(position: Int, moved: Bool), EngineError>) -> Void] = [:]
  private var sessionAnswers: [RequestToken: (Result<[SessionListing], EngineError>) -> Void] = [:]
  private var views = OpenViews()
  /// Number of views of each connection, and number of connections with more than one view.
  private var viewsByConnection: [ObjectIdentifier: Int] = [:]
  private var sharedConnections = 0
  private var needsArming = false
  /// Called with the upstream sources that have new commands.
  var onOutgoing: (Set<String>) -> Void = { _ in }
  /// The last revision that was sent to the engine.
  private var writtenRevision: UInt64
  private let relay = Relay<EngineDriver>()

  /// Drives the store at `place`, which is at `revision`. Views are numbered from `firstNumber` on.
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

  /// The current time for labels and posts.
  var now: Instant { clock.now }
  /// The time at which this turn's inputs are handled and its frames are built.
  private var turnInstant = Instant(milliseconds: 0)

  /// Returns an unused number for a view or a request.
  func newNumber() -> UInt64 {
    nextNumber += 1
    return nextNumber
  }

  /// Queues an input, which is handled at the end of the turn.
  func send(_ input: Input) {
    waiting.append(.input(input))
    loop.scheduleTurn()
  }

  private enum Waiting {
    case input(Input)
    /// A view's client has sent something.
    case clientUpdates(ViewStream)
  }

  /// Adds to the pending updates of a view's client; the newest of each kind replaces older ones. Returns false if the
  /// view is not open.
  @discardableResult
  func updateClient(_ id: ViewID, _ update: (inout ClientUpdates) -> Void) -> Bool {
    guard let stream = views[id] else { return false }
    if stream.pendingUpdates == nil {
      waiting.append(.clientUpdates(stream))
      loop.scheduleTurn()
    }
    var updates = stream.pendingUpdates ?? ClientUpdates()
    stream.pendingUpdates = nil
    update(&updates)
    stream.pendingUpdates = updates
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

  /// Returns the account of an open view.
  func account(of id: ViewID) -> AccountID? { views[id]?.account }

  /// Returns true if the client of an open view may only look.
  func onlyLooks(_ id: ViewID) -> Bool { views[id]?.onlyLooks == true }

  /// Closes a view; its stream gets nothing more.
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

  /// Returns a view's next frame if there is one now.
  func nextFrame(of id: ViewID) -> Frame? {
    needsArming = true
    loop.scheduleTurn()
    return engine.nextFrame(of: id, at: turnInstant)
  }

  /// Requests rows.
  func rows(_ request: RowsRequest, _ answer: @escaping (Result<RowsAnswer, EngineError>) -> Void) {
    let token = RequestToken(newNumber())
    rowAnswers[token] = answer
    send(.rowsRequested(token, request))
  }

  /// Sends a command to a session's stack.
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

  /// Requests the sessions of an account.
  func listSessions(of account: AccountID, _ answer: @escaping (Result<[SessionListing], EngineError>) -> Void) {
    let token = RequestToken(newNumber())
    sessionAnswers[token] = answer
    send(.sessionsRequested(token, account))
  }

  // MARK: The store

  /// Queues a write. The engine is notified before `completion` is called.
  func write(_ write: Write, _ completion: @escaping (Result<(Outcome, revision: UInt64), EngineError>) -> Void) {
    let isQueued = store?.submit(write) { outcome in
      switch outcome.result {
      case .success(.refused(let refusal)): completion(.failure(EngineError(refusal)))
      case .success(let done): completion(.success((done, outcome.revision)))
      case .failure(let error): completion(.failure(EngineError(error)))
      }
    }
    guard isQueued == true else { return completion(.failure(Self.busy)) }
  }

  /// Queues a read.
  func readStore(_ job: ReadJob, _ completion: @escaping (ReadOutcome) -> Void) {
    guard store?.submit(job, completion) == true else { return completion(job.refused(Self.busy)) }
  }

  /// Runs `question` on the store's reading worker. O(1) on the loop.
  func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (StoreReader) throws(EngineError) -> Answer,
    _ completion: @escaping (Result<Answer, EngineError>) -> Void
  ) {
    readStore(.ask(question)) { outcome in
      guard case .answered(let result) = outcome else { return }
      completion(result.flatMap { ($0 as? Answer).map { .success($0) } ?? .failure(.unexpected) })
    }
  }

  /// Time for inputs in one turn; the loop may take four turns before it polls its sockets.
  private static let slice = Duration.milliseconds(1)
  /// Maximum delay of a label after the machine slept.
  private static let longestWait = Duration.seconds(60)

  private static let busy = EngineError(
    .resourceExhausted, "the store has too many requests waiting; try again in a moment", reason: .busy)

  /// Flushes the engine's lazy writes, lets the store finish, and releases everything on the loop.
  func close() {
    if store != nil {
      // Pending client updates are part of that.
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

  /// Sends the engine one input per transaction, however many writes it had.
  private func written(_ outcomes: [WriteOutcome]) {
    for var committed in CommittedPosts.all(of: outcomes) {
      // Every connection opens its account, so an existing one must not count as a change.
      committed.profilesChanged = committed.profilesChanged && committed.revision > writtenRevision
      writtenRevision = max(writtenRevision, committed.revision)
      send(.committed(committed))
    }
    let outgoing = outcomes.reduce(into: Set<String>()) { $0.formUnion($1.changes.outgoing) }
    if !outgoing.isEmpty { onOutgoing(outgoing) }
  }

  // MARK: Turns

  /// Handles inputs for a slice of time. The rest waits for the next turn, so that sockets are served in between.
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
    case .clientUpdates(let stream):
      let updates = stream.pendingUpdates
      stream.pendingUpdates = nil
      for input in updates?.inputs(of: stream.id) ?? [] { handle(input) }
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
    // The timer does not count time asleep, so the wall clock may be long past a deadline afterwards.
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

  /// Number of views woken before their output is sent: the data of that many connections fits into the processor's
  /// cache.
  private static let batch = 64

  /// Wakes streams that have something to send. If every connection has a single view, output is flushed after each
  /// batch, so that all of a connection's data is touched at once; otherwise all are woken first, so that a connection
  /// still has one write per turn.
  private func wake(_ ids: [ViewID]) {
    for (index, id) in ids.enumerated() {
      views[id]?.frameIsReady()
      if sharedConnections == 0, index % Self.batch == Self.batch - 1 { loop.flush() }
    }
  }

  /// Ends a view, unless bytes of its frames have moved since the last check: a slow client is never ended.
  private func stalled(_ id: ViewID) {
    guard let stream = views[id] else { return }
    if stream.noteSentBytes() { return send(.progressed(id)) }
    close(id)
    stream.giveUp(Self.stalled)
  }

  private static let stalled = EngineError(
    .resourceExhausted, "the view read and acknowledged nothing for a minute; attach again with resume",
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
  /// The outcome of a read that cannot be queued.
  fileprivate func refused(_ error: EngineError) -> ReadOutcome {
    switch self {
    case .load: .loaded(.failed(error))
    case .export: .exported(.failure(error))
    case .ask: .answered(.failure(error))
    }
  }
}
