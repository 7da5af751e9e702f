internal import UV

/// Tells the log of connections that were refused: of each kind the first at once, and then in one line how many more
/// there were. A peer that connects without end writes the disk full otherwise.
final class RefusalLog {
  /// Why a connection was refused.
  enum Reason: CaseIterable {
    /// There are as many as there may be.
    case full
    /// There are as many over TCP as there may be.
    case fullOverTCP
    /// There are as many without a token as there may be.
    case tooManyStrangers
  }

  private let interval: Duration
  private let places: ConnectionPlaces
  private let log: (String) -> Void
  /// Of the kinds that were told of in this interval, how many came since.
  private var untold: [Reason: Int] = [:]
  private var timer: Timer?

  /// - Parameter interval: in how long a time there is at most one line of a kind.
  init(loop: Loop, interval: Duration, places: ConnectionPlaces, log: @escaping (String) -> Void) throws(UVError) {
    self.interval = interval
    self.places = places
    self.log = log
    timer = try Timer(loop: loop) { [unowned self] in intervalEnded() }
    timer?.keepsLoopRunning = false
  }

  /// What the peer is told, and the log.
  func words(_ reason: Reason) -> String {
    switch reason {
    case .full: "\(places.all) are open, and no more are allowed; see --max-connections"
    case .fullOverTCP: "\(places.overTCP) over TCP are open, and no more are allowed; see --max-connections"
    case .tooManyStrangers: "\(places.strangers) that have shown no token are open, and no more are allowed"
    }
  }

  /// A connection was refused.
  func note(_ reason: Reason) {
    guard untold[reason] == nil else { return untold[reason]! += 1 }
    untold[reason] = 0
    log("a connection was closed: \(words(reason))")
    if untold.count == 1 { timer?.arm(after: interval) }
  }

  private func intervalEnded() {
    tell()
    untold = untold.filter { $0.value > 0 }.mapValues { _ in 0 }
    if !untold.isEmpty { timer?.arm(after: interval) }
  }

  private func tell() {
    for reason in Reason.allCases {
      guard let count = untold[reason], count > 0 else { continue }
      log("\(count) more connection\(count == 1 ? " was" : "s were") closed in \(interval): \(words(reason))")
    }
  }

  /// Tells the rest, and lets go of the timer.
  func close() {
    tell()
    untold = [:]
    timer?.close()
    timer = nil
  }
}
