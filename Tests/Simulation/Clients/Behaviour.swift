import RPC
import TestSupport

/// The actions of a client's user, repeated until the world settles.
class Behaviour {
  unowned let client: ClientProcess
  let name: String
  var random: SeededGenerator
  /// True once no new actions start and pending ones only run to completion.
  private(set) var isSettling = false

  var world: World { client.world }

  init(_ client: ClientProcess, name: String) {
    self.client = client
    self.name = "\(client.name) \(name)"
    random = client.world.generator("behaviour \(client.name) \(name)")
  }

  /// Called when a connection is established.
  func connected() {}

  /// Stops starting new actions.
  func startSettling() { isSettling = true }

  /// True when no action is pending.
  var isSettled: Bool { true }

  /// Releases calls and other references.
  func end() {}

  /// Runs a user's action after a random delay, unless the world is settling by then.
  func later(_ milliseconds: ClosedRange<Int>, _ body: @escaping () -> Void) {
    let delay = Duration.milliseconds(Int.random(in: milliseconds, using: &random))
    world.schedule(after: delay) { [weak self] in
      guard let self else { return }
      client.loop.post { [weak self] in
        guard let self, !isSettling else { return }
        body()
      }
    }
  }

  /// Runs `body` after a random delay, settling or not.
  func schedule(after milliseconds: ClosedRange<Int>, _ body: @escaping () -> Void) {
    let delay = Duration.milliseconds(Int.random(in: milliseconds, using: &random))
    world.schedule(after: delay) { [weak self] in
      guard let self else { return }
      client.loop.post(body)
    }
  }

  /// Accepts a status that a daemon in trouble may return; records any other as a violation.
  func checkStatus(_ status: Status, of what: String) {
    switch status.code {
    case .ok, .unavailable, .cancelled, .resourceExhausted, .deadlineExceeded: break
    default: world.violation("\(name): \(what) ended with \(status)")
    }
  }
}
