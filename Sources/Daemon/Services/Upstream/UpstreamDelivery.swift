internal import Posts

/// Decides what to send to an upstream program and when to retry, so that each command takes effect exactly once. Pure:
/// no clock, process or store. Commands that the store has handed out are sent to the program until an answer is
/// stored. A program that ends is restarted with growing delays, and gets all of those commands again under the same
/// IDs.
struct UpstreamDelivery {
  /// Maximum number of commands that the program has at a time; the others wait in the store.
  static let limit = 32
  /// Delay before the store is asked again after a failure.
  static let storePause = Duration.seconds(1)
  /// Delay before a program that ended is restarted: at first, and at most.
  static let restartPause: (first: Duration, longest: Duration) = (.milliseconds(200), .seconds(60))
  /// Time for which a program must have run to be trusted again after it was terminated for breaking a rule.
  static let probation = Duration.seconds(600)
  /// Delay before a command is sent again that the source cannot do now: at first, and at most.
  static let laterPause: (first: Duration, longest: Duration) = (.seconds(1), .seconds(300))

  /// An action for the owner to carry out.
  enum Action: Equatable {
    /// Start the program.
    case start
    /// Send this command to the program.
    case send(UpstreamCommand)
    /// Fetch up to `limit` further commands from the store; with `again`, also those that it has handed out before,
    /// which come first.
    case fetch(limit: Int, again: Bool)
    /// Store an answer.
    case store(UpstreamAnswer)
    /// Write a line to the daemon's log.
    case log(String)
  }

  private struct Operation {
    var command: UpstreamCommand
    /// The time to send it again; nil while the program is not running.
    var sendAt: Duration?
    /// Number of times that the source could not do it.
    var delays = 0
    /// The source's last reason for that; nil while it has given none.
    var postponed: SafeText?
    /// The answer being stored, and the time to try that again. Further answers of the program to the command are
    /// ignored.
    var answer: (UpstreamAnswer, storeAt: Duration?)?
  }

  private let patience: Duration
  /// Operations in order of arrival.
  private var operations: [Operation] = []
  private var isRunning = false
  private var startAt: Duration?
  private var failures = 0
  /// How often it was terminated for breaking a rule, each time before it had run for ``probation``; what it stores does
  /// not make up for that.
  private var terminations = 0
  private var startedAt = Duration.zero
  private var isFetching = false
  private var wantsFetch = false
  private var fetchesAgain = true
  private var fetchAt: Duration?
  /// What the running program carries out; nil if it has not said.
  private var commands: Set<UpstreamCommand.Action>?

  /// Delivers to a source; each command is sent again after `patience` without an answer.
  init(patience: Duration) { self.patience = patience }

  /// The time to call ``timePassed(at:)`` next; nil for never.
  var nextDeadline: Duration? {
    var times = operations.compactMap { $0.answer == nil ? $0.sendAt : $0.answer?.storeAt }
    if let startAt { times.append(startAt) }
    if let fetchAt { times.append(fetchAt) }
    return times.min()
  }

  // MARK: Events

  /// The daemon has started.
  mutating func begin() -> [Action] { [.start] }

  /// The store has new commands.
  mutating func storeChanged() -> [Action] { fetch() }

  /// The store has handed out commands; nil if it failed.
  mutating func fetched(_ commands: [UpstreamCommand]?, at now: Duration) -> [Action] {
    isFetching = false
    guard let commands else {
      // It may have handed some out.
      (fetchesAgain, wantsFetch, fetchAt) = (true, true, now + Self.storePause)
      return []
    }
    fetchesAgain = false
    var actions: [Action] = []
    for command in commands where !operations.contains(where: { $0.command.id == command.id }) {
      operations.append(Operation(command: command, sendAt: isRunning ? now + patience : nil))
      if isRunning { actions.append(.send(command)) }
    }
    actions = replacingUnable(actions, at: now)
    return wantsFetch ? actions + fetch() : actions
  }

  /// The program has started.
  mutating func started(at now: Duration) -> [Action] {
    isRunning = true
    startAt = nil
    startedAt = now
    return operations.indices.compactMap { index in
      guard operations[index].answer == nil else { return nil }
      operations[index].sendAt = now + patience
      operations[index].command.isAgain = true
      return .send(operations[index].command)
    } + fetch()
  }

  /// The program has said what it carries out. The rest takes effect here alone, but a post that it cannot take is
  /// refused.
  mutating func greeted(_ commands: Set<UpstreamCommand.Action>, at now: Duration) -> [Action] {
    self.commands = commands
    return replacingUnable(operations.filter { $0.answer == nil }.map { .send($0.command) }, at: now).filter {
      if case .send = $0 { false } else { true }
    }
  }

  /// Returns `actions` with an answer in place of each command that the program does not carry out.
  private mutating func replacingUnable(_ actions: [Action], at now: Duration) -> [Action] {
    guard let commands else { return actions }
    return actions.flatMap { action in
      guard case .send(let command) = action, !commands.contains(command.action) else { return [action] }
      let result: UpstreamAnswer.Result =
        command.action == .post ? .refused("this source takes no posts") : .done(nativeID: "", permalink: .empty)
      return answered(UpstreamAnswer(id: command.id, result), at: now)
    }
  }

  /// The program has ended or could not be started.
  mutating func ended(_ how: UpstreamEnd, at now: Duration) -> [Action] {
    if isRunning, now - startedAt >= Self.probation { terminations = 0 }
    isRunning = false
    commands = nil
    let pause = Self.pause(Self.restartPause, after: max(failures, terminations))
    failures += 1
    if how.isTermination { terminations += 1 }
    startAt = now + pause
    for index in operations.indices { operations[index].sendAt = nil }
    return [.log("\(how.reason); restarting in \(pause)")]
  }

  /// The program has brought something: it restarts soon if it ends.
  mutating func worked() -> [Action] {
    failures = 0
    return []
  }

  /// The program has answered.
  mutating func answered(_ answer: UpstreamAnswer, at now: Duration) -> [Action] {
    guard let index = operations.firstIndex(where: { $0.command.id == answer.id }), operations[index].answer == nil
    else {
      return []
    }
    failures = 0
    if case .later(let reason) = answer.result {
      operations[index].postponed = reason
      operations[index].sendAt = now + Self.pause(Self.laterPause, after: operations[index].delays)
      operations[index].delays += 1
      return []
    }
    operations[index].answer = (answer, nil)
    return [.store(answer)]
  }

  /// The store has stored an answer, or failed to.
  mutating func stored(_ id: String, _ isStored: Bool, at now: Duration) -> [Action] {
    guard let index = operations.firstIndex(where: { $0.command.id == id }) else { return [] }
    guard isStored else {
      operations[index].answer?.storeAt = now + Self.storePause
      return []
    }
    operations.remove(at: index)
    return fetch()
  }

  /// Time has passed; a deadline may be due.
  mutating func timePassed(at now: Duration) -> [Action] {
    var actions: [Action] = []
    if let time = startAt, time <= now {
      startAt = nil
      actions.append(.start)
    }
    if let time = fetchAt, time <= now {
      fetchAt = nil
      actions += fetch()
    }
    for index in operations.indices {
      if let (answer, time) = operations[index].answer {
        guard let time, time <= now else { continue }
        operations[index].answer = (answer, nil)
        actions.append(.store(answer))
      } else if let time = operations[index].sendAt, time <= now {
        operations[index].sendAt = now + patience
        operations[index].command.isAgain = true
        actions.append(.send(operations[index].command))
      }
    }
    return actions
  }

  /// Commands need not be carried out any more. What the program has already been sent may still happen.
  mutating func withdraw(_ commands: Set<String>) -> [Action] {
    operations.removeAll { commands.contains($0.command.id) }
    return fetch()
  }

  /// Returns the source's last reason for not carrying out a command now, and the time at which it is asked again; nil
  /// if it has not put it off.
  func postponement(of command: String) -> (reason: SafeText, sendAt: Duration)? {
    guard let operation = operations.first(where: { $0.command.id == command }), operation.answer == nil,
      let reason = operation.postponed, let time = operation.sendAt
    else { return nil }
    return (reason, time)
  }

  // MARK: Parts

  private mutating func fetch() -> [Action] {
    wantsFetch = true
    // A command that has not been handed out can still be withdrawn silently.
    guard isRunning, !isFetching, fetchAt == nil, operations.count < Self.limit else { return [] }
    (isFetching, wantsFetch) = (true, false)
    return [.fetch(limit: Self.limit - operations.count, again: fetchesAgain)]
  }

  private static func pause(_ pause: (first: Duration, longest: Duration), after times: Int) -> Duration {
    min(pause.longest, pause.first * (1 << min(times, 16)))
  }
}
