internal import Dates
public import Services
public import UV

/// The services' loop on top of libuv.
final class UVServiceLoop: ServiceLoop {
  private let loop: Loop

  /// Wraps `loop`.
  init(_ loop: Loop) { self.loop = loop }

  var wallClock: Instant { Instant(milliseconds: Loop.wallClockMilliseconds) }

  var monotonicClock: Duration { Loop.now }

  func atTurnEnd(_ body: @escaping () -> Void) { loop.atTurnEnd(.handle, body) }

  func scheduleTurn() { loop.scheduleTurn() }

  func flush() { loop.runHooks(of: .flush) }

  func makeTimer(_ onFired: @escaping () -> Void) throws -> any ServiceTimer { try Timer(loop: loop, onFired) }

  func makeWorker<Job: Sendable, Outcome: Sendable>(
    limit: Int, niceness: Int32, makeWork: @escaping @Sendable () -> (_ batch: [Job]) -> [Outcome],
    deliver: @escaping ([Outcome]) -> Void
  ) throws -> any ServiceWorker<Job> {
    try SerialWorker(loop: loop, limit: limit, niceness: niceness, makeWork: makeWork, deliver: deliver)
  }
}

/// The loop's timer meets the services' requirements as it is.
extension Timer: ServiceTimer {}

/// The loop's serial worker meets the services' requirements as it is.
extension SerialWorker: ServiceWorker {}
