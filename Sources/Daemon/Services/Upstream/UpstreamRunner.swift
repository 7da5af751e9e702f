internal import Dates
internal import Engine
internal import Posts
internal import Store

/// An answer of a source that it cannot carry out a command now.
struct Postponement {
  /// The source's reason; may be empty.
  var reason: SafeText
  /// The time until it is asked again.
  var remaining: Duration
}

/// The rest of the daemon, as an ``UpstreamRunner`` uses it.
struct UpstreamSurroundings {
  /// Submits a write to the store; its completion gets the outcome and the revision.
  var write: (Write, @escaping (Result<(Outcome, revision: UInt64), EngineError>) -> Void) -> Void
  /// Finds or creates the account of the user who runs the daemon.
  var ownAccount: (@escaping (Result<AccountID, EngineError>) -> Void) -> Void
  /// Reads feeds that are followed, with the cursors of those that differ from the known ones.
  var feeds: (FeedSelection, [String: UpstreamFeed], @escaping (Result<[ToldFeed], EngineError>) -> Void) -> Void
  /// Returns the daemon's time.
  var now: () -> Instant
}

/// A want of a person who waits.
private struct Asked {
  /// Called once it is answered.
  var completion: (Result<UpstreamReply, EngineError>) -> Void
  /// Called with the number of further parts of a file that the program takes.
  var onMore: (Int) -> Void = { _ in }
}

/// Carries out the actions of an ``UpstreamDelivery`` and an ``UpstreamIntake`` for one source.
final class UpstreamRunner {
  private let source: String
  private let upstreams: Upstreams
  private let loop: any ServiceLoop
  private let surroundings: UpstreamSurroundings
  private var delivery: UpstreamDelivery
  private var intake = UpstreamIntake()
  private var program: (any UpstreamProgram)?
  private var timer: (any ServiceTimer)?
  /// Called when what is to be said of a login or feed has changed; with nil if that may be so of all of the source.
  var onNews: (UpstreamSubject?) -> Void = { _ in }
  /// Called with the numbers of feeds whose titles may have changed.
  var onFeedsNamed: (Set<Int64>) -> Void = { _ in }
  /// Called with the batches that the store has taken.
  var onTaken: ([TakenBatch]) -> Void = { _ in }
  /// How the program ended last; nil once it has said something since.
  private var end: String?
  /// Why the store did not take the last batches; nil if it did.
  private var storeFailure: String?
  /// What the program was asked, by number.
  private var wants: [Int: Asked] = [:]
  private let relay = Relay<UpstreamRunner>()

  /// Why the source does not work, whatever its program says: a clause; nil if it does.
  var failure: String? { end ?? storeFailure.map { "what it brings cannot be stored: \($0)" } }

  /// Starts at once.
  init(
    _ source: String, _ upstreams: Upstreams, loop: any ServiceLoop, _ surroundings: UpstreamSurroundings
  ) throws {
    (self.source, self.upstreams, self.loop, self.surroundings) = (source, upstreams, loop, surroundings)
    delivery = UpstreamDelivery(patience: upstreams.patience)
    timer = try loop.makeTimer { [relay] in relay.target?.timerFired() }
    relay.target = self
    handleEvent { $0.begin() }
  }

  deinit { relay.target = nil }

  /// Drops commands that need not be carried out any more, by their IDs.
  func withdraw(_ commands: Set<String>) { handleEvent { $0.withdraw(commands) } }

  /// Returns why the source does not carry out a command now and the time until it is asked again; nil if it has not
  /// put it off.
  func postponement(of command: String) -> Postponement? {
    guard let (reason, time) = delivery.postponement(of: command) else { return nil }
    return Postponement(reason: reason, remaining: max(.zero, time - loop.monotonicClock))
  }

  /// The store has new commands for the source.
  func storeChanged() { handleEvent { $0.storeChanged() } }

  /// Feeds were added, changed, followed or unfollowed.
  func feedsChanged(_ changes: FeedChanges) { handleIntake { $0.feedsChanged(changes) } }

  /// Asks the program for what is new in feeds. Returns false if it is starting, or does not run.
  func refresh(_ feeds: [String]) -> Bool {
    guard program != nil, let actions = intake.refresh(feeds, at: loop.monotonicClock) else { return false }
    handleIntake { _ in actions }
    return true
  }

  /// Asks the program for posts. `completion` is called once it has brought them, or cannot. Returns a number for
  /// ``withdraw(_:)-(Int)``.
  func fetch(
    _ fetch: UpstreamFetch, login: String, of account: AccountID,
    _ completion: @escaping (Result<Void, EngineError>) -> Void
  ) throws(EngineError) -> Int {
    guard program != nil, intake.fetches else {
      throw EngineError(.failedPrecondition, "the program of \(source) brings nothing when asked, or does not run")
    }
    return try ask(.fetch(fetch, login: login), of: account, Asked { completion($0.map { _ in () }) })
  }

  /// Asks the program to have a file at a login's server. `onMore` is called with the number of further parts that it
  /// takes, `completion` once the server has the file, or cannot. Returns a number for ``sendPart(of:_:)`` and
  /// ``withdraw(_:)-(Int)``.
  func upload(
    _ file: UpstreamUpload, login: String, of account: AccountID, onMore: @escaping (Int) -> Void,
    _ completion: @escaping (Result<UpstreamReply, EngineError>) -> Void
  ) throws(EngineError) -> Int {
    guard program != nil, let takesMedia = intake.takesMedia else {
      throw EngineError(.unavailable, "the program of \(source) does not run, or is starting")
    }
    guard takesMedia else { throw EngineError(.failedPrecondition, "the program of \(source) takes no files") }
    return try ask(.upload(file, login: login), of: account, Asked(completion: completion, onMore: onMore))
  }

  /// Sends the program the next bytes of a file, which it has asked for.
  func sendPart(of number: Int, _ bytes: [UInt8]) { handleIntake { $0.part(of: number, bytes) } }

  /// Calls `body` once the program has taken what it was sent; at once if it has, and not at all if it ends before.
  func whenTaken(_ body: @escaping () -> Void) { program?.whenTaken(body) }

  /// Asks the program to sign a person in or out; one that is starting, when it has started.
  func sign(
    _ want: UpstreamWant, of account: AccountID, _ completion: @escaping (Result<UpstreamReply, EngineError>) -> Void
  ) throws(EngineError) {
    guard program != nil else { throw EngineError(.unavailable, "the program of \(source) does not run") }
    guard intake.mayTakeSignIns else {
      throw EngineError(.failedPrecondition, "the program of \(source) does not sign people in")
    }
    _ = try ask(want, of: account, Asked(completion: completion))
  }

  private func ask(
    _ want: UpstreamWant, of account: AccountID, _ asked: Asked
  ) throws(EngineError) -> Int {
    guard let (number, actions) = intake.ask(want, of: account, at: loop.monotonicClock) else {
      throw EngineError(
        .resourceExhausted, "too much is asked of \(source) already; try again later", reason: .busy,
        limit: UpstreamWants.accountLimit)
    }
    wants[number] = asked
    handleIntake { _ in actions }
    return number
  }

  /// Nobody waits for a want any more; its completion is not called.
  func withdraw(_ number: Int) {
    guard wants.removeValue(forKey: number) != nil else { return }
    handleIntake { $0.withdraw(number) }
  }

  /// Tells the program of logins that have come or gone.
  func tell(_ notices: [UpstreamNotice]) {
    handleIntake { $0.tell(notices) }
    onNews(nil)
  }

  /// True if the program runs and keeps reading positions.
  var keepsMarkers: Bool { program != nil && intake.keepsMarkers }

  /// Sends the program a line that changes nothing of what is said of its logins.
  func send(_ notice: UpstreamNotice) { program?.send(notice) }

  private func answered(_ answer: UpstreamAnswer) {
    guard let (number, actions) = intake.answered(answer.id, at: loop.monotonicClock) else { return }
    handleIntake { _ in actions }
    let result: Result<UpstreamReply, EngineError> =
      switch answer.result {
      case .done: .success(answer.reply)
      case .refused(let reason): .failure(EngineError(.failedPrecondition, "\(source) says: \(reason)"))
      case .later(let reason): .failure(EngineError(.unavailable, "\(source) says: \(reason)"))
      }
    wants.removeValue(forKey: number)?.completion(result)
  }

  /// Returns what the program says about a login or feed; nil if it has said nothing.
  func status(of subject: UpstreamSubject) -> UpstreamStatus? { intake.status(of: subject) }

  /// Terminates the program, and releases everything on the loop.
  func close() {
    relay.target = nil
    program?.close()
    program = nil
    timer?.close()
    timer = nil
  }

  private func timerFired() {
    handleEvent { [loop] in $0.timePassed(at: loop.monotonicClock) }
    handleIntake { [loop] in $0.timePassed(at: loop.monotonicClock) }
  }

  private func handleEvent(_ event: (inout UpstreamDelivery) -> [UpstreamDelivery.Action]) {
    for action in event(&delivery) { carryOut(action) }
    arm()
  }

  private func handleIntake(_ event: (inout UpstreamIntake) -> [UpstreamIntake.Action]) {
    for action in event(&intake) { carryOut(action) }
    arm()
  }

  private func arm() {
    guard let deadline = [delivery.nextDeadline, intake.nextDeadline].compactMap({ $0 }).min() else {
      timer?.disarm()
      return
    }
    timer?.arm(after: deadline - loop.monotonicClock)
  }

  private func carryOut(_ action: UpstreamDelivery.Action) {
    switch action {
    case .start: start()
    case .send(let command): program?.send(command)
    case .log(let line): upstreams.log("upstream \(source): \(line)")
    case .fetch(let limit, let again):
      surroundings.write(.takeOutgoing(source: source, limit: limit, again: again)) { [relay] result in
        relay.target?.fetched(result)
      }
    case .store(let answer):
      surroundings.write(.takeAnswer(source: source, answer)) { [relay] result in
        relay.target?.stored(answer.id, result)
      }
    }
  }

  private func carryOut(_ action: UpstreamIntake.Action) {
    switch action {
    case .greet(let hello): greet(hello)
    case .readFeeds(let selection, let known):
      let process = program
      surroundings.feeds(selection, known) { [relay] result in
        guard let runner = relay.target, process === runner.program else { return }
        runner.feedsRead(try? result.get())
      }
    case .awaitTaking:
      let process = program
      process?.whenTaken { [relay] in
        guard let runner = relay.target, process === runner.program else { return }
        runner.handleIntake { $0.taken() }
      }
    case .send(let notice): program?.send(notice)
    case .store(let batches):
      surroundings.write(.takeBatches(source: source, batches)) { [relay] result in
        relay.target?.stored(result)
      }
    case .giveUp(let number):
      wants.removeValue(forKey: number)?.completion(
        .failure(EngineError(.unavailable, "the program of \(source) does not answer")))
    case .end(let offence):
      program?.close()
      ended(UpstreamEnd(reason: offence, isTermination: true))
    }
  }

  private func greet(_ hello: UpstreamHello) {
    let process = program
    surroundings.ownAccount { [relay] result in
      guard let runner = relay.target else { return }
      guard case .success(let account) = result else { return runner.knows(nil, process) }
      runner.surroundings.write(
        .greetProgram(UpstreamGreeting(source: runner.source, hello: hello, account: account))
      ) { result in
        guard case .success((.programTold(let notices), _)) = result else { return runner.knows(nil, process) }
        runner.knows(notices, process)
      }
    }
  }

  /// Passes what the store says to a process, unless that has ended.
  private func knows(_ notices: [UpstreamNotice]?, _ process: (any UpstreamProgram)?) {
    guard process === program else { return }
    handleIntake { [surroundings, loop] in
      $0.knows(notices, clock: surroundings.now(), at: loop.monotonicClock)
    }
    if notices != nil { onNews(nil) }
  }

  private func feedsRead(_ feeds: [ToldFeed]?) {
    handleIntake { [surroundings, loop] in
      $0.feedsRead(feeds, clock: surroundings.now(), at: loop.monotonicClock)
    }
  }

  private func stored(_ result: Result<(Outcome, revision: UInt64), EngineError>) {
    guard case .success((.batchesTaken(let taken), let revision)) = result else {
      if case .failure(let error) = result { noteStoreFailure(error.message) }
      return handleIntake { $0.stored(nil, revision: 0) }
    }
    noteStoreFailure(nil)
    handleEvent { $0.worked() }
    // A feed's author is its title.
    let named = zip(intake.storing, taken).filter { !$1.report.authors.isEmpty }.compactMap { subject, _ -> Int64? in
      guard case .feed(let name) = subject else { return nil }
      return StoredFeed.number(in: name)
    }
    handleIntake { $0.stored(taken.map(\.result), revision: revision) }
    if !named.isEmpty { onFeedsNamed(Set(named)) }
    onTaken(taken)
  }

  /// Says once that what the program brings is not stored, and once that it is again.
  private func noteStoreFailure(_ reason: String?) {
    guard storeFailure != reason else { return }
    let isNew = (storeFailure == nil) != (reason == nil)
    storeFailure = reason
    if isNew {
      upstreams.log(
        "upstream \(source): " + (failure ?? "what it brings is stored again"))
    }
    onNews(nil)
  }

  private func start() {
    do throws(UpstreamFailure) {
      program = try upstreams.start(source) { [relay] message in
        relay.target?.received(message)
      } _: { [relay] how in
        relay.target?.ended(how)
      }
    } catch {
      return ended(UpstreamEnd(reason: "could not be started: \(error.reason)"))
    }
    handleEvent { [loop] in $0.started(at: loop.monotonicClock) }
  }

  private func received(_ message: UpstreamMessage) {
    let now = loop.monotonicClock
    if end != nil {
      end = nil
      onNews(nil)
    }
    switch message {
    case .answer(let answer):
      answered(answer)
      handleEvent { $0.answered(answer, at: now) }
    case .hello(let hello):
      handleEvent { $0.greeted(hello.commands, at: now) }
      handleIntake { $0.greeted(hello) }
    case .batch(let batch): handleIntake { $0.received(batch) }
    case .brokenBatch(let number, let reason): handleIntake { $0.receivedBroken(number, reason) }
    case .more(let want, let parts):
      if let number = intake.number(of: want) { wants[number]?.onMore(parts) }
    case .status(let status): if intake.received(status) { onNews(status.subject) }
    }
  }

  private func ended(_ how: UpstreamEnd) {
    program = nil
    end = how.reason
    intake.ended()
    let unanswered = wants
    wants = [:]
    for (_, asked) in unanswered {
      asked.completion(.failure(EngineError(.unavailable, "the program of \(source) ended: \(how.reason)")))
    }
    onNews(nil)
    handleEvent { [loop] in $0.ended(how, at: loop.monotonicClock) }
  }

  private func fetched(_ result: Result<(Outcome, revision: UInt64), EngineError>) {
    var commands: [UpstreamCommand]?
    if case .success((.outgoing(let handedOut), _)) = result { commands = handedOut }
    handleEvent { [loop] in $0.fetched(commands, at: loop.monotonicClock) }
  }

  private func stored(_ id: String, _ result: Result<(Outcome, revision: UInt64), EngineError>) {
    var isStored = false
    if case .success = result { isStored = true }
    handleEvent { [loop] in $0.stored(id, isStored, at: loop.monotonicClock) }
  }
}
