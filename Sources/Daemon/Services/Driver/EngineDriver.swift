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
  let loop: any ServiceLoop
  private let clock: RunningClock
  private var timer: (any ServiceTimer)?
  private(set) var store: StoreWorkers?
  /// Everything that waits for the engine. Bounded by the bytes of an account's calls, the open views, in which each
  /// view's client is once, and the store's work.
  private let queue = InputQueue()
  private let loads: LoadQueue
  private var nextNumber: UInt64
  private var rowAnswers: [RequestToken: (Result<RowsAnswer, EngineError>) -> Void] = [:]
  private var stackAnswers: [RequestToken: (Result<(pane: UInt64, revision: UInt64), EngineError>) -> Void] = [:]
  private var slideAnswers: [RequestToken: (Result<(position: Int, moved: Bool), EngineError>) -> Void] = [:]
  private var sessionAnswers: [RequestToken: (Result<[SessionListing], EngineError>) -> Void] = [:]
  private var views = OpenViews()
  private var ready = ReadyViews<ViewStream>()
  /// Views that were woken at once in this turn.
  private var wokenAtOnce = 0
  private var needsArming = false
  /// Called with the upstream sources that have new commands.
  var onOutgoing: ([String: Set<String>]) -> Void = { _ in }
  /// Called when the store has carried out writes, or could not.
  var onWritten: () -> Void = {}
  /// Called when feeds have changed.
  var onFeedsChanged: (FeedChanges) -> Void = { _ in }
  /// Callbacks about what clients read.
  var reading = ReadingEvents()
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
    loads = LoadQueue { [relay] in
      relay.target?.readStore($0, $1)
    } deliver: { [relay] in
      relay.target?.send(.loaded($0, $1))
    }
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

  /// Queues an input of the daemon's own, which is handled at the end of the turn.
  private func send(_ input: Input) {
    queue.append(input)
    loop.scheduleTurn()
  }

  /// Adds to the pending updates of a view's client; the newest of each kind replaces older ones. Returns false if the
  /// view is not open.
  @discardableResult
  func updateClient(_ id: ViewID, _ update: (inout ClientUpdates) -> Void) -> Bool {
    guard let stream = views[id] else { return false }
    if stream.pendingUpdates == nil {
      queue.append(.clientUpdates(stream), to: stream.lane)
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
    reading.viewChanged(stream.account, isOpened: true)
    queue.append(.open(stream, opening), to: stream.lane)
    loop.scheduleTurn()
  }

  /// Returns the lane for a view's steps. The stream keeps it until its view is closed.
  func joinQueue(_ origin: Origin) -> InputQueue.Lane { queue.join(origin) }

  /// Returns the account of an open view.
  func account(of id: ViewID) -> AccountID? { views[id]?.account }

  /// Returns true if the client of an open view may only look.
  func onlyLooks(_ id: ViewID) -> Bool { views[id]?.onlyLooks == true }

  /// Closes a view; its stream gets nothing more.
  func close(_ id: ViewID) {
    _ = remove(id)
  }

  /// Ends every view.
  func endViews(_ error: EngineError) {
    for id in views.ids { remove(id)?.finish(error) }
  }

  /// Returns a view's next frame if there is one now.
  func nextFrame(of id: ViewID) -> Frame? {
    needsArming = true
    loop.scheduleTurn()
    return engine.nextFrame(of: id, at: turnInstant)
  }

  /// Requests rows, unless the call ends before its turn.
  func rows(
    _ request: RowsRequest, for requester: Requester, _ answer: @escaping (Result<RowsAnswer, EngineError>) -> Void
  ) {
    let token = RequestToken(newNumber())
    read(for: requester, answer) { [unowned self] receiver in
      rowAnswers[token] = receiver
      handle(.rowsRequested(token, request))
    }
  }

  /// Requests the sessions of the caller's account, unless the call ends before its turn.
  func listSessions(for requester: Requester, _ answer: @escaping (Result<[SessionListing], EngineError>) -> Void) {
    let token = RequestToken(newNumber())
    read(for: requester, answer) { [unowned self] receiver in
      sessionAnswers[token] = receiver
      handle(.sessionsRequested(token, requester.account))
    }
  }

  /// Queues a read, and withdraws it if its call ends before its turn. In its turn `begin` starts it, and passes the
  /// answer to the receiver that it is given.
  func read<Answer>(
    for requester: Requester, _ answer: @escaping (Result<Answer, EngineError>) -> Void,
    _ begin: @escaping (_ receiver: @escaping (Result<Answer, EngineError>) -> Void) -> Void
  ) {
    let (call, origin) = (requester.call, requester.origin)
    guard call.isOpen else { return }
    let step = InputQueue.Step.read { [relay] in
      begin {
        relay.target?.queue.finishRead(of: origin.account)
        answer($0)
      }
    }
    guard let number = queue.append(read: step, bytes: requester.bytes, of: origin) else {
      return answer(.failure(Self.tooMuchWaits))
    }
    call.onInterrupted = { [relay] _, _ in relay.target?.queue.withdraw(read: number, from: origin) }
    loop.scheduleTurn()
  }

  /// Sends a command to a session's stack; without a requester, one of the daemon's own.
  func command(
    _ command: StackCommand, _ key: SessionKey, for requester: Requester? = nil,
    _ answer: @escaping (Result<(pane: UInt64, revision: UInt64), EngineError>) -> Void
  ) {
    let token = RequestToken(newNumber())
    if let requester {
      guard queue.append(.stackCommand(token, key, command), bytes: requester.bytes, of: requester.origin) else {
        return answer(.failure(Self.tooMuchWaits))
      }
    } else {
      queue.append(.stackCommand(token, key, command))
    }
    stackAnswers[token] = answer
    loop.scheduleTurn()
  }

  /// Slides the stack of a view.
  func slide(
    _ id: ViewID, _ command: SlideCommand, for requester: Requester,
    _ answer: @escaping (Result<(position: Int, moved: Bool), EngineError>) -> Void
  ) {
    let token = RequestToken(newNumber())
    guard queue.append(.stackMoved(token, id, command), bytes: requester.bytes, of: requester.origin) else {
      return answer(.failure(Self.tooMuchWaits))
    }
    slideAnswers[token] = answer
    loop.scheduleTurn()
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

  /// Time for inputs in one turn, and for frames. Sockets are polled before the next turn if they take it.
  private static let slice = Duration.milliseconds(1)
  /// Maximum delay of a label after the machine slept.
  private static let longestWait = Duration.seconds(60)

  /// Flushes the engine's lazy writes, lets the store finish, and releases everything on the loop.
  func close() {
    if store != nil {
      // Pending client updates are part of that.
      turnInstant = clock.engineNow
      while let step = queue.next() { perform(step) }
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
    let outgoing = outcomes.reduce(into: [String: Set<String>]()) { all, outcome in
      all.merge(outcome.changes.outgoing) { $0.union($1) }
    }
    if !outgoing.isEmpty { onOutgoing(outgoing) }
    let feeds = outcomes.reduce(into: FeedChanges()) { $0.formUnion($1.feeds) }
    if !feeds.isEmpty { onFeedsChanged(feeds) }
    onWritten()
  }

  // MARK: Turns

  /// Handles inputs for a slice of time, and makes frames for another. The rest waits for the next turn, so that sockets
  /// are served in between.
  private func turn() {
    let began = loop.monotonicClock
    wokenAtOnce = 0
    turnInstant = clock.engineNow
    while queue.hasNext, loop.monotonicClock - began < Self.slice, let step = queue.next() {
      needsArming = true
      perform(step)
    }
    wakeReadyViews()
    if queue.hasNext { loop.scheduleTurn() }
    if needsArming { arm() }
  }

  private func perform(_ step: InputQueue.Step) {
    switch step {
    case .input(let input):
      handle(input)
      if case .loaded(let id, _) = input { loads.finish(id) }
    case .read(let begin): begin()
    case .open(let stream, let opening):
      stream.isKnown = true
      handle(.viewOpened(stream.id, opening))
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

  /// Removes and returns a view's stream. Unless the engine has ended the view, closes it there after everything that
  /// its client has sent; if the engine does not know it yet, all of that is withdrawn instead.
  private func remove(_ id: ViewID, isEnded: Bool = false) -> ViewStream? {
    guard let stream = views.remove(id) else { return nil }
    reading.viewChanged(stream.account, isOpened: false)
    if !stream.isKnown {
      queue.withdraw(stream, from: stream.lane)
    } else if !isEnded {
      queue.append(.input(.viewClosed(id)), to: stream.lane)
      loop.scheduleTurn()
    }
    queue.leave(stream.lane)
    return stream
  }

  /// Wakes streams that have something to send: a few at once, others in turns.
  private func wake(_ ids: [ViewID]) {
    guard ready.isEmpty, wokenAtOnce + ids.count <= ready.atOnce else {
      for id in ids { if let stream = views[id] { ready.append(stream, of: stream.lane.origin) } }
      return
    }
    wokenAtOnce += ids.count
    for id in ids { views[id]?.frameIsReady() }
  }

  /// Wakes streams for a slice of time. Their frames are made, and sent, before the next ones are woken.
  private func wakeReadyViews() {
    guard !ready.isEmpty else { return }
    let began = loop.monotonicClock
    var last = began
    while !ready.isEmpty, last - began < Self.slice {
      let streams = ready.next()
      for stream in streams { stream.frameIsReady() }
      loop.flush()
      let now = loop.monotonicClock
      ready.took(now - last, for: streams.count, of: Self.slice)
      last = now
    }
    if !ready.isEmpty { loop.scheduleTurn() }
  }

  /// Ends a view, unless bytes of its frames have moved since the last check: a slow client is never ended.
  private func stalled(_ id: ViewID) {
    guard let stream = views[id] else { return }
    if stream.noteSentBytes() { return send(.progressed(id)) }
    close(id)
    stream.giveUp(Self.stalled)
  }

  /// Writes something about a named session and passes the outcome to the engine, which saves nothing of others.
  private func write(
    of key: SessionKey, _ write: (AccountID, _ name: String) -> Write,
    _ input: @escaping (Result<UInt64, EngineError>) -> Input
  ) {
    guard case .named(let account, let name) = key else { return }
    self.write(write(account, name)) { [relay] in relay.target?.send(input($0.map(\.revision))) }
  }

  private func carryOut(_ effect: Effect) {
    switch effect {
    case .load(let id, let load): loads.append(id, load)
    case .saveSession(let key, let bytes):
      write(of: key, { .saveSession($0, name: $1, bytes: bytes) }, { .sessionSaved(key, $0) })
    case .markSeen(let account, let section, let key):
      write(.markSeen(account, section, key)) { [relay] result in
        if case .failure = result { relay.target?.send(.seenNotSaved(account, section)) }
      }
    case .deleteSession(let key):
      write(of: key, { .deleteSession($0, name: $1) }, { .sessionSaved(key, $0) })
    case .renameSession(let key, let name):
      write(of: key, { .renameSession($0, name: $1, to: name) }, { .sessionSaved(key, $0) })
    case .savePlaces(let key, let bytes):
      reading.placesSaved(key, bytes)
      write(of: key, { .savePlaces($0, session: $1, bytes: bytes) }, { .placesSaved(key, $0) })
    case .viewsReady(let ids): wake(ids)
    case .viewBlocked(let id): views[id]?.noteSentBytes()
    case .viewStalled(let id): stalled(id)
    case .endView(let id, let error): remove(id, isEnded: true)?.finish(error)
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
