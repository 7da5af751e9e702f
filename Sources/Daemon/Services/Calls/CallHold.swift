internal import RPC

/// Queues what a client sends on a stream until its account is known. That takes a write when a user of this machine
/// calls for the first time.
///
/// Flow control bounds the queue: after its first message the client may send only the rest of the stream's window.
final class CallHold {
  private let call: ServerCall
  private var messages: [[UInt8]] = []
  private var isHalfClosed = false

  /// Queues the messages of `call` from now on. The call retains the hold until it is released or ends.
  init(_ call: ServerCall) {
    self.call = call
    call.receiveByHand(allowance: 0)
    call.onMessage = { _, bytes in self.messages.append(bytes) }
    call.onHalfClose = { _ in self.isHalfClosed = true }
  }

  /// Begins the call, and delivers the queued messages to the callbacks that `begin` has set. Does nothing if the call
  /// has ended.
  func release(_ begin: (ServerCall) -> Void) {
    guard call.isOpen else { return }
    call.onMessage = nil
    call.onHalfClose = nil
    call.receiveAutomatically()
    begin(call)
    for message in messages { call.deliver(message) }
    if isHalfClosed { call.onHalfClose?(call) }
  }
}
