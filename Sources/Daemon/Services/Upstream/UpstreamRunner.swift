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

/// Carries out the actions of an ``UpstreamDelivery`` for one source.
final class UpstreamRunner {
  private let source: String
  private let upstreams: Upstreams
  private let loop: any ServiceLoop
  private let write: (Write, @escaping (Result<Outcome, EngineError>) -> Void) -> Void
  private var delivery: UpstreamDelivery
  private var program: (any UpstreamProgram)?
  private var timer: (any ServiceTimer)?
  private let relay = Relay<UpstreamRunner>()

  /// Starts at once.
  ///
  /// - Parameter write: submits a write to the store.
  init(
    _ source: String, _ upstreams: Upstreams, loop: any ServiceLoop,
    write: @escaping (Write, @escaping (Result<Outcome, EngineError>) -> Void) -> Void
  ) throws {
    (self.source, self.upstreams, self.loop, self.write) = (source, upstreams, loop, write)
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

  /// Terminates the program, and releases everything on the loop.
  func close() {
    relay.target = nil
    program?.close()
    program = nil
    timer?.close()
    timer = nil
  }

  private func timerFired() { handleEvent { [loop] in $0.timePassed(at: loop.monotonicClock) } }

  private func handleEvent(_ event: (inout UpstreamDelivery) -> [UpstreamDelivery.Action]) {
    for action in event(&delivery) { carryOut(action) }
    guard let deadline = delivery.nextDeadline else {
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
      write(.takeOutgoing(source: source, limit: limit, again: again)) { [relay] result in
        relay.target?.fetched(result)
      }
    case .store(let answer):
      write(.takeAnswer(source: source, answer)) { [relay] result in
        relay.target?.stored(answer.id, result)
      }
    }
  }

  private func start() {
    do throws(UpstreamFailure) {
      program = try upstreams.start(source) { [relay] answer in
        relay.target?.answered(answer)
      } _: { [relay] how in
        relay.target?.ended(how)
      }
    } catch {
      return ended("could not be started: \(error.reason)")
    }
    handleEvent { [loop] in $0.started(at: loop.monotonicClock) }
  }

  private func answered(_ answer: UpstreamAnswer) {
    handleEvent { [loop] in $0.answered(answer, at: loop.monotonicClock) }
  }

  private func ended(_ how: String) {
    program = nil
    handleEvent { [loop] in $0.ended(how, at: loop.monotonicClock) }
  }

  private func fetched(_ result: Result<Outcome, EngineError>) {
    var commands: [UpstreamCommand]?
    if case .success(.outgoing(let handedOut)) = result { commands = handedOut }
    handleEvent { [loop] in $0.fetched(commands, at: loop.monotonicClock) }
  }

  private func stored(_ id: String, _ result: Result<Outcome, EngineError>) {
    var isStored = false
    if case .success = result { isStored = true }
    handleEvent { [loop] in $0.stored(id, isStored, at: loop.monotonicClock) }
  }
}
