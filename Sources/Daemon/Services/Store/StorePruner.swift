internal import Engine
internal import Store

/// Removes old posts of sources, a slice after the other, once an hour and when a limit was set (docs/adr/0034). Does
/// nothing as long as no limit is set.
final class StorePruner {
  /// The time from a start or a new limit to the removal that it makes due.
  static let delay = Duration.seconds(2)
  /// The time between two removals.
  static let interval = Duration.seconds(3_600)

  private let driver: EngineDriver
  private let loop: any ServiceLoop
  /// Made when a limit is set.
  private var timer: (any ServiceTimer)?
  private var due: [Pruning] = []
  private var isRunning = false
  /// True if a limit was set during a removal, which did not know it.
  private var isLimitNew = false
  /// Called when what is kept of sources, or the number of posts that went, has changed.
  var onChange: () -> Void = {}
  private var hasRemoved = false
  private let relay = Relay<StorePruner>()

  init(driver: EngineDriver, loop: any ServiceLoop) {
    (self.driver, self.loop) = (driver, loop)
    relay.target = self
  }

  deinit { relay.target = nil }

  /// A limit is set, or was set otherwise.
  func limitsChanged() {
    onChange()
    if timer == nil { timer = try? loop.makeTimer { [relay] in relay.target?.begin() } }
    isLimitNew = isRunning
    if !isRunning { timer?.arm(after: Self.delay) }
  }

  /// Releases the timer.
  func close() {
    relay.target = nil
    timer?.close()
    timer = nil
  }

  private func begin() {
    isRunning = true
    let now = driver.now
    driver.ask { reader throws(EngineError) in
      try StoreLookup.attempt { () throws(StoreError) in
        (isOn: try reader.hasRetention(), due: try reader.duePrunings(at: now))
      }
    } _: { [relay] (result: Result<(isOn: Bool, due: [Pruning]), EngineError>) in
      guard let pruner = relay.target else { return }
      // A store that cannot be read may be readable again in an hour.
      let (isOn, due) = (try? result.get()) ?? (true, [])
      pruner.due = due.reversed()
      pruner.next(isOn: isOn)
    }
  }

  private func next(isOn: Bool) {
    guard let pruning = due.popLast() else {
      isRunning = false
      if hasRemoved { onChange() }
      hasRemoved = false
      if isLimitNew { return limitsChanged() }
      if isOn { timer?.arm(after: Self.interval) }
      return
    }
    driver.write(.retain(.prune(pruning))) { [relay] result in
      guard let pruner = relay.target else { return }
      switch result {
      case .success((.retained(let pruned), _)):
        if pruned.removed > 0 { pruner.hasRemoved = true }
        if let rest = pruned.next { pruner.due.append(rest) }
      default: pruner.due = []
      }
      pruner.next(isOn: isOn)
    }
  }
}
