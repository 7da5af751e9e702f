/// The stream drivers of one loop, which share a buffer and a hook at the end of its turns.
public final class StreamDriverGroup {
  /// Maximum capacity of the shared buffer that is kept between turns.
  private static let keptBufferBytes = 1 << 20

  /// Maximum time a peer may read nothing of a pending write.
  let stallTimeout: Duration
  private let loop: Loop
  private var drivers: [ObjectIdentifier: StreamDriver] = [:]
  private var scheduled: [StreamDriver] = []
  private var buffer: [UInt8] = []
  private var hook: Loop.TurnHook?
  private let target = CallbackTarget<StreamDriverGroup>()

  /// Creates an empty group.
  ///
  /// - Parameter stallTimeout: time after which a stream is closed if its peer reads nothing of a pending write.
  public init(loop: Loop, stallTimeout: Duration = .seconds(60)) {
    self.loop = loop
    self.stallTimeout = stallTimeout
    target.object = self
    hook = loop.atTurnEnd(.flush) { [target] in target.object?.flush() }
  }

  deinit { target.object = nil }

  /// Starts to drive a connected stream. `onClosed` is called once: with nil if the machine wanted it or the peer ended
  /// the stream, otherwise with the error.
  @discardableResult
  public func drive(
    _ stream: Stream, _ machine: any StreamMachine, onClosed: @escaping (UVError?) -> Void
  ) throws(UVError) -> StreamDriver {
    let driver = try StreamDriver(group: self, stream: stream, machine: machine, onClosed: onClosed)
    drivers[ObjectIdentifier(driver)] = driver
    return driver
  }

  /// The number of driven streams.
  public var count: Int { drivers.count }

  /// The driven streams, unordered. Linear in their number.
  public var all: [StreamDriver] { Array(drivers.values) }

  /// Closes every stream at once and removes the hook.
  public func close() {
    for driver in all { driver.close() }
    if let hook { loop.remove(hook) }
    hook = nil
  }

  /// Schedules a driver that may have output.
  func scheduleFlush(of driver: StreamDriver) {
    guard !driver.isScheduled else { return }
    driver.isScheduled = true
    scheduled.append(driver)
    loop.scheduleTurn()
  }

  /// Removes a driver.
  func remove(_ driver: StreamDriver) { drivers[ObjectIdentifier(driver)] = nil }

  private func flush() {
    guard !scheduled.isEmpty else { return }
    let due = scheduled
    scheduled.removeAll(keepingCapacity: true)
    for driver in due {
      driver.isScheduled = false
      buffer.removeAll(keepingCapacity: true)
      driver.flush(&buffer)
    }
    if buffer.capacity > StreamDriverGroup.keptBufferBytes { buffer = [] }
  }
}
