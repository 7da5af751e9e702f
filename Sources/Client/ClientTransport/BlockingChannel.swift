public import RPC
public import UV

/// A channel with a loop of its own, for a program that does one thing after the other.
///
/// The loop runs while a method here waits, so signals, timers and other calls on `loop` go on meanwhile.
public final class BlockingChannel {
  /// The loop that runs while something is waited for.
  public let loop: Loop
  /// The connection.
  public let channel: Channel

  /// Connects and waits for it.
  ///
  /// - Throws: why it cannot, in a sentence for a person.
  public init(
    to endpoint: Endpoint, token: String? = nil, limits: ConnectionLimits = Channel.clientLimits,
    timeout: Duration = Channel.connectTimeout
  ) throws(ChannelError) {
    let loop: Loop
    do {
      loop = try Loop()
    } catch {
      throw ChannelError(error, endpoint)
    }
    var result: Result<Channel, ChannelError>?
    Channel.connect(loop: loop, to: endpoint, token: token, limits: limits, timeout: timeout) { result = $0 }
    while result == nil, loop.run(.once) {}
    switch result {
    case .success(let channel):
      self.loop = loop
      self.channel = channel
    case .failure(let error):
      BlockingChannel.end(loop)
      throw error
    case nil:
      BlockingChannel.end(loop)
      throw .timedOut(endpoint)
    }
  }

  /// One request, one response, and the wait for it.
  ///
  /// - Throws: the status with which the call ended, if not OK.
  public func unary(
    _ path: String, _ request: [UInt8], metadata: Metadata = Metadata(), timeout: Duration? = nil
  ) throws(Status) -> [UInt8] {
    var result: Result<[UInt8], Status>?
    channel.unary(path, request, metadata: metadata, timeout: timeout) { result = $0 }
    run { result != nil }
    guard let result else { throw Status(.unavailable, "the connection to the daemon is closed") }
    return try result.get()
  }

  /// Runs the loop until `isDone`, which is asked after each turn, or until nothing is left to wait for.
  public func run(until isDone: () -> Bool) {
    while !isDone(), loop.run(.once) {}
  }

  /// Closes the connection and the loop. Nothing here may be used after it.
  public func close() {
    channel.close()
    run { !channel.isOpen }
    BlockingChannel.end(loop)
  }

  private static func end(_ loop: Loop) {
    do {
      try loop.close()
    } catch {
      preconditionFailure("a handle stayed open: \(error)")
    }
  }
}
