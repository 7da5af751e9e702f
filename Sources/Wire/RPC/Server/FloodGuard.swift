/// Counts what a client does that is cheap for it and expensive for us, and reports when it is too much.
struct FloodGuard {
  /// Bytes of messages sent since bytes were last received.
  private var sentBytes = 0
  /// Excess pings since we last sent something.
  private var strikes = 0
  /// Bytes of received headers, plus twice those of messages: each byte of a message allows one more of overhead.
  private var usefulBytes = 0
  /// Bytes without payload that may still arrive.
  private var overhead: Allowance
  /// Streams that may still end with an error.
  private var resets: Allowance
  private var lastPing: Duration?
  private let pingInterval: Duration
  private let pingStrikes: Int

  init(limits: ConnectionLimits.Floods, at now: Duration) {
    pingInterval = limits.pingInterval
    pingStrikes = limits.pingStrikes
    overhead = Allowance(burst: limits.overheadBurstBytes, perSecond: limits.overheadBytesPerSecond, at: now)
    resets = Allowance(burst: limits.resetBurst, perSecond: limits.resetsPerSecond, at: now)
  }

  /// Starts counting a batch of received bytes.
  mutating func beginReceiving() { usefulBytes = 0 }

  /// Counts a header list of `listBytes` that arrived in `wireBytes`: a few bytes may stand for many, and empty ones
  /// for nothing.
  mutating func receivedHeaders(listBytes: Int, wireBytes: Int) { usefulBytes += min(listBytes, wireBytes) }

  /// Counts received bytes of messages.
  mutating func receivedMessages(byteCount: Int) { usefulBytes += 2 * byteCount }

  /// Ends the batch begun by `beginReceiving`. Returns false if too many of the `byteCount` bytes carried no payload.
  mutating func endReceiving(byteCount: Int, at now: Duration) -> Bool {
    overhead.earn(sentBytes)
    sentBytes = 0
    return overhead.spendNet(byteCount - usefulBytes, at: now)
  }

  /// Counts a DATA frame that was sent.
  mutating func sentFrame(byteCount: Int) {
    strikes = 0
    sentBytes += byteCount
  }

  /// Counts the end of a response that was sent.
  mutating func sentEnd() { strikes = 0 }

  /// Counts a stream that ended with an error. Returns false if there were too many.
  mutating func streamFailed(at now: Duration) -> Bool { resets.spend(1, at: now) }

  /// Counts a ping. Returns false if there were too many.
  mutating func receivedPing(at now: Duration) -> Bool {
    defer { lastPing = now }
    guard let lastPing, now - lastPing < pingInterval else { return true }
    strikes += 1
    return strikes <= pingStrikes
  }
}
