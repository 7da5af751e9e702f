import RPC
import TestSupport

/// What a client's user does, again and again, until the world settles.
class Behaviour {
  unowned let client: ClientProcess
  let name: String
  var random: SeededGenerator
  /// From then on nothing new is begun, and what is under way is brought to its end.
  private(set) var isSettling = false

  var world: World { client.world }

  init(_ client: ClientProcess, name: String) {
    self.client = client
    self.name = "\(client.name) \(name)"
    random = client.world.generator("behaviour \(client.name) \(name)")
  }

  /// There is a connection.
  func connected() {}

  /// The world becomes quiet.
  func settle() { isSettling = true }

  /// Whether everything under way has come to its end.
  var isSettled: Bool { true }

  /// Lets go of what it holds.
  func end() {}

  /// Does something later, as a user would; not after the world has settled.
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

  /// Does something after a while, settled or not.
  func surely(after milliseconds: ClosedRange<Int>, _ body: @escaping () -> Void) {
    let delay = Duration.milliseconds(Int.random(in: milliseconds, using: &random))
    world.schedule(after: delay) { [weak self] in
      guard let self else { return }
      client.loop.post(body)
    }
  }

  /// Notes a status that a daemon in trouble may give, and reports any other.
  func judge(_ status: Status, of what: String) {
    switch status.code {
    case .ok, .unavailable, .cancelled, .resourceExhausted, .deadlineExceeded: break
    default: world.violation("\(name): \(what) ended with \(status)")
    }
  }
}
