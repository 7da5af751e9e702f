internal import UV

/// Logs refused connections: the first of each kind at once, then one line per interval with the number of further
/// ones. Otherwise a peer that keeps connecting could fill the disk.
final class RefusalLog {
  /// The reason a connection was refused.
  typealias Reason = ConnectionCounts.Obstacle

  private let interval: Duration
  private let places: ConnectionPlaces
  private let log: (String) -> Void
  /// The number of further refusals of each kind that was logged in this interval.
  private var repeats: [Reason: Int] = [:]
  private var timer: Timer?

  /// - Parameter interval: the time in which at most one line of a kind is logged.
  init(loop: Loop, interval: Duration, places: ConnectionPlaces, log: @escaping (String) -> Void) throws(UVError) {
    self.interval = interval
    self.places = places
    self.log = log
    timer = try Timer(loop: loop) { [unowned self] in intervalEnded() }
    timer?.keepsLoopRunning = false
  }

  /// Returns the message for the peer and the log.
  func message(_ reason: Reason) -> String {
    switch reason {
    case .full: "the limit of \(places.all) connections is reached; see --max-connections"
    case .fullOverTCP: "the limit of \(places.overTCP) connections over TCP is reached; see --max-connections"
    case .tooManyOfHolder: "the limit of \(places.ofHolder) connections of one user is reached; see --max-connections"
    case .tooManyUnauthenticated: "the limit of \(places.unauthenticated) connections without a token is reached"
    }
  }

  /// Records a refused connection.
  func recordRefusal(_ reason: Reason) {
    guard repeats[reason] == nil else { return repeats[reason]! += 1 }
    repeats[reason] = 0
    log("a connection was refused: \(message(reason))")
    if repeats.count == 1 { timer?.arm(after: interval) }
  }

  private func intervalEnded() {
    logRepeats()
    repeats = repeats.filter { $0.value > 0 }.mapValues { _ in 0 }
    if !repeats.isEmpty { timer?.arm(after: interval) }
  }

  private func logRepeats() {
    for reason in Reason.allCases {
      guard let count = repeats[reason], count > 0 else { continue }
      log("\(count) more connection\(count == 1 ? " was" : "s were") refused in \(interval): \(message(reason))")
    }
  }

  /// Logs the rest, and releases the timer.
  func close() {
    logRepeats()
    repeats = [:]
    timer?.close()
    timer = nil
  }
}
