internal import ClientCore
internal import RPC
internal import UV

/// Connections to a daemon, one after the other, for a verb that goes on when the daemon restarts.
final class LastingLink {
  /// The shortest and the longest pause before a reconnection, in milliseconds.
  private static let pauses: ClosedRange<Int64> = 100...5_000

  private let context: ClientContext
  private var reconnection = Reconnection(pauses: pauses)

  init(_ context: ClientContext) { self.context = context }

  /// Calls `watch` with each connection. Runs until it throws anything but an interruption.
  func run(_ watch: (DaemonLink) throws(ClientFailure) -> Never) throws(ClientFailure) -> Never {
    var link: DaemonLink? = try context.connect()
    while true {
      var end: Interruption?
      if let connected = link {
        do throws(ClientFailure) {
          try watch(connected)
        } catch {
          guard let interruption = error.interruption else { throw error }
          end = interruption
        }
        connected.close()
      }
      let reason = end?.reason ?? ""
      let loss = reconnection.lost(
        reason.isEmpty ? "lost the daemon at \(context.address.endpoint); waiting for it to return" : reason,
        at: Loop.monotonicMilliseconds, atLeast: end?.delayMilliseconds ?? 0)
      if let notice = loss.notice { context.console.notice(notice) }
      context.loop.wait(.milliseconds(loss.pause))
      link = try? context.connectOnce()
    }
  }

  /// The daemon has answered on the present connection. Prints a notice if its loss was reported.
  func answered() {
    if let notice = reconnection.connected("reconnected", at: Loop.monotonicMilliseconds) {
      context.console.notice(notice)
    }
  }
}

extension DaemonLink {
  /// Passes each message of a call to `receive`, until the call or the connection ends; throws how it ended.
  ///
  /// `receive` may run the loop. The daemon merges what has not been received, so messages never pile up here.
  func forEachMessage(
    of call: ClientCall, _ receive: ([UInt8]) throws(ClientFailure) -> Void
  ) throws(ClientFailure) -> Never {
    var waiting: [[UInt8]] = []
    var end: Status?
    call.onMessage = { _, bytes in waiting.append(bytes) }
    call.onEnd = { _, status, _ in end = status }
    while true {
      run { !waiting.isEmpty || end != nil }
      let arrived = waiting
      waiting = []
      for bytes in arrived { try receive(bytes) }
      guard waiting.isEmpty else { continue }
      if let end { throw failure(end) }
      if isLost { throw failure(Status(.unavailable, "the connection is closed")) }
    }
  }
}
