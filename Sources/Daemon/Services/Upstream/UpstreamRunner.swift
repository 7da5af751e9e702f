internal import Engine
internal import Posts
internal import Store

/// Carries out what a ``Courier`` says for one source.
final class UpstreamRunner {
  private let source: String
  private let upstreams: Upstreams
  private let loop: any ServiceLoop
  private let write: (Write, @escaping (Result<Outcome, EngineError>) -> Void) -> Void
  private var courier: Courier
  private var program: (any UpstreamProgram)?
  private var timer: (any ServiceTimer)?
  private let relay = Relay<UpstreamRunner>()

  /// Begins at once.
  ///
  /// - Parameter write: has the store write.
  init(
    _ source: String, _ upstreams: Upstreams, loop: any ServiceLoop,
    write: @escaping (Write, @escaping (Result<Outcome, EngineError>) -> Void) -> Void
  ) throws {
    (self.source, self.upstreams, self.loop, self.write) = (source, upstreams, loop, write)
    courier = Courier(patience: upstreams.patience)
    timer = try loop.makeTimer { [relay] in relay.target?.timeReached() }
    relay.target = self
    tell { $0.begin() }
  }

  deinit { relay.target = nil }

  /// The store has something new for the source.
  func storeChanged() { tell { $0.storeChanged() } }

  /// Ends the program, and lets go of everything on the loop.
  func close() {
    relay.target = nil
    program?.close()
    program = nil
    timer?.close()
    timer = nil
  }

  private func timeReached() { tell { [loop] in $0.timePassed(at: loop.monotonicClock) } }

  private func tell(_ event: (inout Courier) -> [Courier.Action]) {
    for action in event(&courier) { carryOut(action) }
    guard let deadline = courier.nextDeadline else {
      timer?.disarm()
      return
    }
    timer?.arm(after: deadline - loop.monotonicClock)
  }

  private func carryOut(_ action: Courier.Action) {
    switch action {
    case .start: start()
    case .send(let command): program?.send(command)
    case .log(let words): upstreams.log("upstream \(source): \(words)")
    case .take(let limit, let again):
      write(.takeOutgoing(source: source, limit: limit, again: again)) { [relay] result in
        relay.target?.taken(result)
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
    tell { [loop] in $0.started(at: loop.monotonicClock) }
  }

  private func answered(_ answer: UpstreamAnswer) { tell { [loop] in $0.answered(answer, at: loop.monotonicClock) } }

  private func ended(_ how: String) {
    program = nil
    tell { [loop] in $0.ended(how, at: loop.monotonicClock) }
  }

  private func taken(_ result: Result<Outcome, EngineError>) {
    var commands: [UpstreamCommand]?
    if case .success(.outgoing(let handedOut)) = result { commands = handedOut }
    tell { [loop] in $0.taken(commands, at: loop.monotonicClock) }
  }

  private func stored(_ id: String, _ result: Result<Outcome, EngineError>) {
    var isStored = false
    if case .success = result { isStored = true }
    tell { [loop] in $0.stored(id, isStored, at: loop.monotonicClock) }
  }
}
