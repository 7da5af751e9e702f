internal import UV

/// Tells the service manager that the daemon gets on, twice in each interval that it wants a sign of life in.
///
/// The daemon gets on if its loop turns and the store's writer has finished something since the last time, or had
/// nothing to do. A write that takes longer than the interval counts as a daemon that hangs.
final class Watchdog {
  private let manager: ServiceManager
  private let interval: Duration
  private unowned let daemon: RunningDaemon
  private var timer: Timer?
  private var writesDone: UInt64 = 0

  /// Returns nil if the manager does not want signs of life.
  init?(loop: Loop, _ manager: ServiceManager, watching daemon: RunningDaemon) throws(UVError) {
    guard let interval = manager.watchdogInterval else { return nil }
    (self.manager, self.daemon, self.interval) = (manager, daemon, interval / 2)
    timer = try Timer(loop: loop) { [unowned self] in look() }
    timer?.keepsLoopRunning = false
    timer?.arm(after: self.interval)
  }

  private func look() {
    let (done, isWaiting) = daemon.writing
    if !isWaiting || done != writesDone { manager.tell("WATCHDOG=1") }
    writesDone = done
    timer?.arm(after: interval)
  }

  func close() {
    timer?.close()
    timer = nil
  }
}
