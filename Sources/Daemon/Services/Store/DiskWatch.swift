internal import Engine
internal import Store

/// Foresees that the disk of the store will be full, so that people hear of it before their posts are refused.
///
/// Looks at the start and when something has been written, at most once a minute: a daemon at rest is not woken.
final class DiskWatch {
  /// The least time between two looks.
  static let interval = Duration.seconds(60)
  /// The free bytes below which a disk is short, however small the store is.
  static let leastFreeBytes: UInt64 = 256_000_000

  private let driver: EngineDriver
  private let path: String
  private let freeBytes: () -> UInt64?
  private let log: (String) -> Void
  private var lastLook: Duration?
  /// True if the disk may soon be full.
  private(set) var isShort = false
  /// Called when ``isShort`` has changed.
  var onChange: () -> Void = {}
  private let relay = Relay<DiskWatch>()

  /// Watches the disk on which the store at `path` is.
  init(driver: EngineDriver, system: any SystemFacts, path: String, log: @escaping (String) -> Void) {
    (self.driver, self.path, self.log) = (driver, path, log)
    freeBytes = { system.freeBytes(at: path) }
    relay.target = self
  }

  deinit { relay.target = nil }

  /// Looks, unless that was less than a minute ago.
  func look() {
    let now = driver.loop.monotonicClock
    if let last = lastLook, now - last < Self.interval { return }
    lastLook = now
    guard freeBytes() != nil else { return }
    driver.ask { reader throws(EngineError) in
      try StoreLookup.attempt { () throws(StoreError) in try reader.size() }
    } _: { [relay] (result: Result<StoreSize, EngineError>) in
      if case .success(let size) = result { _ = relay.target?.measure(size) }
    }
  }

  /// Compares the free bytes, which are returned, with a size of the store; nil if they are unknown.
  func measure(_ size: StoreSize) -> UInt64? {
    guard let free = freeBytes() else { return nil }
    let wasShort = isShort
    isShort = free < max(Self.leastFreeBytes, UInt64(clamping: size.fileBytes / 10))
    guard isShort != wasShort else { return free }
    log(
      isShort
        ? "the disk is nearly full: \(free / 1_000_000) MB are free where \(path) is; make room, or set a limit with "
          + "stack-client store limit SIZE" : "the disk has room again")
    onChange()
    return free
  }
}
