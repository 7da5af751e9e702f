internal import RPC

/// Holds what a client sends on a stream until it is known whose call it is: that takes a write where a user of this
/// machine calls for the first time.
///
/// Flow control bounds it: after its first message the client may send what is left of the stream's window, and no
/// more.
final class CallHold {
  private let call: ServerCall
  private var messages: [[UInt8]] = []
  private var isHalfClosed = false

  /// Holds the messages of `call` from now on. The call keeps the hold until it is released or ends.
  init(_ call: ServerCall) {
    self.call = call
    call.receiveByHand(allowance: 0)
    call.onMessage = { _, bytes in self.messages.append(bytes) }
    call.onHalfClose = { _ in self.isHalfClosed = true }
  }

  /// Begins the call, and hands what was held to the callbacks that `begin` has set. Without effect on a call that has
  /// ended.
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
