/// The stream drivers of one loop that share a buffer and a place at the end of its turns.
public final class StreamDriverGroup {
  /// Bytes of the shared buffer that are kept between turns.
  private static let keptBufferBytes = 1 << 20

  /// How long a peer may take nothing of a write that waits for it.
  let stallTimeout: Duration
  private let loop: Loop
  private var drivers: [ObjectIdentifier: StreamDriver] = [:]
  private var listed: [StreamDriver] = []
  private var buffer: [UInt8] = []
  private var hook: Loop.TurnHook?
  private let relay = Relay<StreamDriverGroup>()

  /// An empty group.
  ///
  /// - Parameter stallTimeout: how long a peer may take nothing of a write that waits for it, before its stream is
  ///   closed.
  public init(loop: Loop, stallTimeout: Duration = .seconds(60)) {
    self.loop = loop
    self.stallTimeout = stallTimeout
    relay.target = self
    hook = loop.atTurnEnd(.flush) { [relay] in relay.target?.flush() }
  }

  deinit { relay.target = nil }

  /// Drives a connected stream from now on. `onClosed` is called once: with nil when the machine wanted it or the peer
  /// ended the stream, with what went wrong otherwise.
  @discardableResult
  public func drive(
    _ stream: Stream, _ machine: any StreamMachine, onClosed: @escaping (UVError?) -> Void
  ) throws(UVError) -> StreamDriver {
    let driver = try StreamDriver(group: self, stream: stream, machine: machine, onClosed: onClosed)
    drivers[ObjectIdentifier(driver)] = driver
    return driver
  }

  /// How many streams are being driven.
  public var count: Int { drivers.count }

  /// The streams that are being driven, in no order. Linear in their number.
  public var all: [StreamDriver] { Array(drivers.values) }

  /// Closes every stream at once and leaves the loop.
  public func close() {
    for driver in all { driver.close() }
    if let hook { loop.remove(hook) }
    hook = nil
  }

  /// Remembers that a driver may have something to send.
  func list(_ driver: StreamDriver) {
    guard !driver.isListed else { return }
    driver.isListed = true
    listed.append(driver)
    loop.scheduleTurn()
  }

  /// Forgets a driver.
  func remove(_ driver: StreamDriver) { drivers[ObjectIdentifier(driver)] = nil }

  private func flush() {
    guard !listed.isEmpty else { return }
    let due = listed
    listed.removeAll(keepingCapacity: true)
    for driver in due {
      driver.isListed = false
      buffer.removeAll(keepingCapacity: true)
      driver.flush(&buffer)
    }
    if buffer.capacity > StreamDriverGroup.keptBufferBytes { buffer = [] }
  }
}
