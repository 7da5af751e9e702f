/// Foresees that the disk of the store will be full, so that people hear of it before their posts are refused.
///
/// Looks at the start and when something has been written, at most once a minute: a daemon at rest is not woken.
final class DiskWatch {
  /// The least time between two looks.
  static let interval = Duration.seconds(60)
  /// The free bytes below which a disk is short, however small the store is.
  static let leastFreeBytes: UInt64 = 256_000_000

  private let clock: () -> Duration
  private let path: String
  private let space: () -> DiskSpace?
  private let log: (String) -> Void
  private var lastLook: Duration?
  /// True if the disk may soon be full.
  private(set) var isShort = false
  /// Called when ``isShort`` has changed.
  var onChange: () -> Void = {}

  /// Watches the disk on which the store at `path` is.
  init(clock: @escaping () -> Duration, system: any SystemFacts, path: String, log: @escaping (String) -> Void) {
    (self.clock, self.path, self.log) = (clock, path, log)
    space = { system.diskSpace(of: path) }
  }

  /// Looks, unless that was less than a minute ago.
  func look() {
    let now = clock()
    if let last = lastLook, now - last < Self.interval { return }
    lastLook = now
    measure()
  }

  /// Looks now, and returns the free bytes; nil if they are unknown.
  @discardableResult func measure() -> UInt64? {
    guard let space = space() else { return nil }
    let free = space.freeBytes
    let wasShort = isShort
    isShort = free < max(Self.leastFreeBytes, space.fileBytes / 10)
    guard isShort != wasShort else { return free }
    log(
      isShort
        ? "the disk is nearly full: \(free / 1_000_000) MB are free where \(path) is; make room, or set a limit with "
          + "stack-client store limit SIZE" : "the disk has room again")
    onChange()
    return free
  }
}
