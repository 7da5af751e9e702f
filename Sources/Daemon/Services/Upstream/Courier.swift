internal import Posts

/// Says what is to be done so that a source hears of what accounts want of it, each thing once: a value without a
/// clock, a process or a store. What the store has handed out is told to the source's program until an answer to it is
/// stored; a program that ends is started again, later each time, and is told all of that again under the same names.
struct Courier {
  /// Commands that the program has at a time; the others wait in the store.
  static let limit = 32
  /// How long the store is left alone after it could not do something.
  static let storePause = Duration.seconds(1)
  /// How long a program that ended is left before it is started again: at first, and at most.
  static let restartPause: (first: Duration, longest: Duration) = (.milliseconds(200), .seconds(60))
  /// When a command is told again that the source cannot do now: at first, and at most.
  static let laterPause: (first: Duration, longest: Duration) = (.seconds(1), .seconds(300))

  /// What is to be done.
  enum Action: Equatable {
    /// The program is to be started.
    case start
    /// It is to be told this.
    case send(UpstreamCommand)
    /// The store is to hand out so many commands more; with `again`, before those the ones that it has handed out
    /// before.
    case take(limit: Int, again: Bool)
    /// The store is to take an answer in.
    case store(UpstreamAnswer)
    /// The keeper of the daemon is to read this.
    case log(String)
  }

  private struct Errand {
    var command: UpstreamCommand
    /// When it is told again; nil while the program is not running.
    var tellAt: Duration?
    /// How often the source could not do it.
    var delays = 0
    /// The answer that is being stored, and when that is to be tried again; the program's other answers to it say
    /// nothing.
    var answer: (UpstreamAnswer, storeAt: Duration?)?
  }

  private let patience: Duration
  /// In the order in which they came.
  private var errands: [Errand] = []
  private var isRunning = false
  private var startAt: Duration?
  private var failures = 0
  private var isTaking = false
  private var wantsTaking = false
  private var takesAgain = true
  private var takeAt: Duration?

  /// A source that is told everything again after `patience` without an answer.
  init(patience: Duration) { self.patience = patience }

  /// When ``timePassed(at:)`` is to be called next; nil for never.
  var nextDeadline: Duration? {
    var times = errands.compactMap { $0.answer == nil ? $0.tellAt : $0.answer?.storeAt }
    if let startAt { times.append(startAt) }
    if let takeAt { times.append(takeAt) }
    return times.min()
  }

  // MARK: What happens

  /// The daemon has started.
  mutating func begin() -> [Action] { [.start] }

  /// There is something new in the store.
  mutating func storeChanged() -> [Action] { take() }

  /// The store has handed out commands, or could not.
  mutating func taken(_ commands: [UpstreamCommand]?, at now: Duration) -> [Action] {
    isTaking = false
    guard let commands else {
      // Perhaps it did hand some out.
      (takesAgain, wantsTaking, takeAt) = (true, true, now + Self.storePause)
      return []
    }
    takesAgain = false
    var actions: [Action] = []
    for command in commands where !errands.contains(where: { $0.command.id == command.id }) {
      errands.append(Errand(command: command, tellAt: isRunning ? now + patience : nil))
      if isRunning { actions.append(.send(command)) }
    }
    return wantsTaking ? actions + take() : actions
  }

  /// The program runs.
  mutating func started(at now: Duration) -> [Action] {
    isRunning = true
    startAt = nil
    return errands.indices.compactMap { index in
      guard errands[index].answer == nil else { return nil }
      errands[index].tellAt = now + patience
      return .send(errands[index].command)
    } + take()
  }

  /// The program has ended, or could not be started; `how` says so.
  mutating func ended(_ how: String, at now: Duration) -> [Action] {
    isRunning = false
    let pause = Self.pause(Self.restartPause, after: failures)
    failures += 1
    startAt = now + pause
    for index in errands.indices { errands[index].tellAt = nil }
    return [.log("\(how); it is started again in \(pause)")]
  }

  /// The program has answered.
  mutating func answered(_ answer: UpstreamAnswer, at now: Duration) -> [Action] {
    guard let index = errands.firstIndex(where: { $0.command.id == answer.id }), errands[index].answer == nil else {
      return []
    }
    failures = 0
    if case .later = answer.result {
      errands[index].tellAt = now + Self.pause(Self.laterPause, after: errands[index].delays)
      errands[index].delays += 1
      return []
    }
    errands[index].answer = (answer, nil)
    return [.store(answer)]
  }

  /// The store has taken an answer in, or could not.
  mutating func stored(_ id: String, _ isStored: Bool, at now: Duration) -> [Action] {
    guard let index = errands.firstIndex(where: { $0.command.id == id }) else { return [] }
    guard isStored else {
      errands[index].answer?.storeAt = now + Self.storePause
      return []
    }
    errands.remove(at: index)
    return take()
  }

  /// A deadline has come, or none.
  mutating func timePassed(at now: Duration) -> [Action] {
    var actions: [Action] = []
    if let time = startAt, time <= now {
      startAt = nil
      actions.append(.start)
    }
    if let time = takeAt, time <= now {
      takeAt = nil
      actions += take()
    }
    for index in errands.indices {
      if let (answer, time) = errands[index].answer {
        guard let time, time <= now else { continue }
        errands[index].answer = (answer, nil)
        actions.append(.store(answer))
      } else if let time = errands[index].tellAt, time <= now {
        errands[index].tellAt = now + patience
        actions.append(.send(errands[index].command))
      }
    }
    return actions
  }

  // MARK: Parts

  private mutating func take() -> [Action] {
    wantsTaking = true
    // What is not handed out can still be taken back without a word.
    guard isRunning, !isTaking, takeAt == nil, errands.count < Self.limit else { return [] }
    (isTaking, wantsTaking) = (true, false)
    return [.take(limit: Self.limit - errands.count, again: takesAgain)]
  }

  private static func pause(_ pause: (first: Duration, longest: Duration), after times: Int) -> Duration {
    min(pause.longest, pause.first * (1 << min(times, 16)))
  }
}
