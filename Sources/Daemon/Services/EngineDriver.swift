internal import Dates
internal import Engine
internal import Posts
internal import RPC
internal import Store
internal import ViewState

/// Runs the engine on the loop: gathers inputs, hands them in at the end of a turn, carries out the effects, and arms one timer.
final class EngineDriver {
  private(set) var engine: StackEngine
  private let loop: any ServiceLoop
  private var timer: (any ServiceTimer)?
  private var store: StoreWorkers?
  private var inputs: [Input] = []
  private var nextNumber: UInt64 = 1
  private var rowAnswers: [RequestToken: (Result<RowsAnswer, EngineError>) -> Void] = [:]
  private var stackAnswers: [RequestToken: (Result<(pane: UInt64, revision: UInt64), EngineError>) -> Void] = [:]
  private var views: [ViewID: ViewStream] = [:]
  private var needsArming = false

  /// What the driver tells the stream of a view.
  struct ViewStream {
    /// There is something to send: ask for it with `nextFrame`.
    var wake: () -> Void
    /// The view is over.
    var end: (EngineError) -> Void
    /// The view is over, because its client takes nothing.
    var giveUp: (EngineError) -> Void
    /// Bytes of frames that the client's window has taken so far.
    var sentBytes: () -> Int
    /// What that was when the engine last took the view for stalled.
    var bytesAtStall = 0
  }

  /// A driver of the store at `place`, which is at `revision`.
  init(loop: any ServiceLoop, store place: StorePlace, revision: UInt64) throws {
    self.loop = loop
    engine = StackEngine(epoch: place.epoch, revision: revision)
    store = try StoreWorkers(loop: loop, place: place) { [weak self] in self?.written($0) }
    timer = try loop.makeTimer { [weak self] in self?.send(.timePassed) }
    loop.atTurnEnd { [weak self] in self?.turn() }
  }

  /// Now, by the wall clock.
  var now: Instant { loop.wallClock }

  /// A number that was not used before, for a view or a request.
  func newNumber() -> UInt64 {
    nextNumber += 1
    return nextNumber
  }

  /// Takes an input; it is handled at the end of the turn.
  func send(_ input: Input) {
    inputs.append(input)
    loop.scheduleTurn()
  }

  // MARK: Views and requests

  /// Opens a view.
  func open(_ id: ViewID, _ opening: ViewOpening, _ stream: ViewStream) {
    views[id] = stream
    send(.viewOpened(id, opening))
  }

  /// Closes a view; its stream hears nothing more.
  func close(_ id: ViewID) {
    guard views.removeValue(forKey: id) != nil else { return }
    send(.viewClosed(id))
  }

  /// Ends every view.
  func endViews(_ error: EngineError) {
    let ended = views
    views = [:]
    for (id, stream) in ended.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      send(.viewClosed(id))
      stream.end(error)
    }
  }

  /// The next frame of a view, if there is one now.
  func nextFrame(of id: ViewID) -> Frame? {
    needsArming = true
    loop.scheduleTurn()
    return engine.nextFrame(of: id, at: now)
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
  func read(_ job: ReadJob, _ completion: @escaping (ReadOutcome) -> Void) {
    guard store?.submit(job, completion) == true else {
      return completion(job.isExport ? .exported(.failure(Self.busy)) : .loaded(.failed(Self.busy)))
    }
  }

  /// Time for inputs in one turn; the loop may take four turns before it looks at its sockets.
  private static let slice = Duration.milliseconds(1)
  /// How late a label may be after the machine slept.
  private static let longestWait = Duration.seconds(60)

  private static let busy = EngineError(.resourceExhausted, "too much waits for the store; try again in a moment")

  /// Lets the store finish, then lets go of everything on the loop.
  func close() {
    store?.close()
    store = nil
    timer?.close()
    timer = nil
  }

  /// One input for each transaction, however many writes were in it.
  private func written(_ outcomes: [WriteOutcome]) {
    var posts: CommittedPosts?
    var seen: Set<PostID> = []
    for outcome in outcomes {
      guard case .success(let done) = outcome.result else { continue }
      if posts?.revision != outcome.revision {
        if let posts { send(.committed(posts)) }
        posts = CommittedPosts(revision: outcome.revision)
        seen = []
      }
      posts!.add(done, firstNewPost: outcome.firstNewPost, &seen)
    }
    if let posts { send(.committed(posts)) }
  }

  // MARK: Turns

  /// Handles inputs for a slice of time; what is left waits for the next turn, so that sockets are served in between.
  private func turn() {
    let began = loop.monotonicClock
    var handled = 0
    while handled < inputs.count, loop.monotonicClock - began < Self.slice {
      let input = inputs[handled]
      handled += 1
      needsArming = true
      for effect in engine.handle(input, at: now) { carryOut(effect) }
    }
    inputs.removeFirst(handled)
    if !inputs.isEmpty { loop.scheduleTurn() }
    if needsArming { arm() }
  }

  private func arm() {
    needsArming = false
    guard let deadline = engine.nextDeadline else {
      timer?.disarm()
      return
    }
    // The timer counts the time the machine was awake: after a sleep the wall clock may be past a deadline long since.
    timer?.arm(after: min(.milliseconds(deadline.milliseconds - now.milliseconds), Self.longestWait))
  }

  /// Ends a view, unless bytes of its frames have moved since this was last asked: a slow client is never ended.
  private func stalled(_ id: ViewID) {
    guard let stream = views[id] else { return }
    let sent = stream.sentBytes()
    if sent > stream.bytesAtStall {
      views[id]!.bytesAtStall = sent
      return send(.progressed(id))
    }
    close(id)
    stream.giveUp(Self.stalled)
  }

  private static let stalled = EngineError(
    .resourceExhausted, "the view took and acknowledged nothing for a minute; attach again, with resume")

  private func carryOut(_ effect: Effect) {
    switch effect {
    case .load(let id, let load):
      read(.load(load)) { [weak self] outcome in
        guard case .loaded(let result) = outcome else { return }
        self?.send(.loaded(id, result))
      }
    case .saveSession(let key, let bytes):
      write(.saveSession(key.account, name: key.name, bytes: bytes)) { [weak self] result in
        self?.send(.sessionSaved(key, result.map(\.revision)))
      }
    case .viewsReady(let ids): for id in ids { views[id]?.wake() }
    case .viewStalled(let id): stalled(id)
    case .endView(let id, let error): views.removeValue(forKey: id)?.end(error)
    case .answerRows(let token, let answer): rowAnswers.removeValue(forKey: token)?(.success(answer))
    case .answerStack(let token, let pane, let revision):
      stackAnswers.removeValue(forKey: token)?(.success((pane, revision)))
    case .refuse(let token, let error):
      rowAnswers.removeValue(forKey: token)?(.failure(error))
      stackAnswers.removeValue(forKey: token)?(.failure(error))
    }
  }
}

extension ReadJob {
  fileprivate var isExport: Bool {
    if case .export = self { return true }
    return false
  }
}

extension CommittedPosts {
  /// Adds what one write of the transaction changed. A post that an earlier write of it made, and this one changed, is new once
  /// and then changed.
  fileprivate mutating func add(_ outcome: Outcome, firstNewPost: PostID, _ seen: inout Set<PostID>) {
    switch outcome {
    case .imported(let report):
      for post in report.entries {
        if post.id >= firstNewPost, seen.insert(post.id).inserted { new.append(post) } else { changed.append(post) }
      }
      originals += report.originals
      authors += report.authors
    case .composed(let composed):
      authors.append(composed.author)
      if !composed.isRepeated { new.append(composed.post) }
    case .authorNamed(let author): authors.append(author)
    case .sessionSaved, .sessionDeleted, .identityClaimed, .accountOpened, .refused: break
    }
  }
}
