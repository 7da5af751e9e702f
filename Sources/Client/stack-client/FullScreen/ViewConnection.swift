internal import ClientTransport
internal import FullScreen
internal import Messages
internal import RPC
internal import UV
internal import ViewState

/// The way to the daemon, without waiting: one connection, one view on it, and calls; all that comes of them are
/// events.
final class ViewConnection {
  private let loop: Loop
  private let address: DaemonAddress
  private let deliver: (AppEvent) -> Void
  private var channel: Channel?
  /// Connections that were given up, perhaps in the middle of a callback of theirs, which must find them there.
  private var retired: [Channel] = []
  private var view: ClientCall?
  private var timer: UV.Timer?
  private var isClosed = false

  /// Connects when it is told to.
  init(loop: Loop, address: DaemonAddress, deliver: @escaping (AppEvent) -> Void) throws(UVError) {
    self.loop = loop
    self.address = address
    self.deliver = deliver
    timer = try UV.Timer(loop: loop) { [weak self] in self?.connectNow() }
  }

  /// Connects after a while, in place of the connection there is.
  func connect(after delay: Duration) {
    dropChannel()
    timer?.arm(after: delay)
  }

  private func dropChannel() {
    view = nil
    guard let old = channel else { return }
    channel = nil
    retired.append(old)
    old.onClosed = nil
    old.close()
  }

  private func connectNow() {
    retired.removeAll { !$0.isOpen }
    Channel.connect(loop: loop, to: address.endpoint, token: address.token, limits: DaemonLink.limits) {
      [weak self] result in
      guard let self, !isClosed else {
        if case .success(let channel) = result { channel.close() }
        return
      }
      switch result {
      case .success(let channel) where DaemonLink.isTrusted(channel, at: address.endpoint):
        self.channel = channel
        channel.onClosed = { [weak self, weak channel] in
          guard let self, let channel, self.channel === channel else { return }
          self.channel = nil
          retired.append(channel)
          view = nil
          deliver(.disconnected("the daemon at \(address.endpoint) closed the connection"))
        }
        deliver(.connected)
      case .success(let channel):
        channel.close()
        deliver(.disconnected("another user listens at \(address.endpoint)"))
      case .failure(let error): deliver(.disconnected(error.description))
      }
    }
  }

  /// Opens a view, in place of the one there is.
  func attach(_ hello: Hello) {
    let old = view
    view = nil
    old?.cancel()
    guard let channel, let call = try? channel.start(Method.attach) else { return }
    view = call
    call.onMessage = { [weak self] call, bytes in
      guard let self, view === call else { return }
      let frame: Frame
      do throws(DecodingFailure) {
        frame = try Frame(decoding: bytes)
      } catch {
        let words = "the daemon's frame is \(error.reason); is it of another version?"
        return deliver(.viewEnded(CallEnd(code: StatusCode.internal.rawValue, message: words)))
      }
      deliver(.frame(frame))
    }
    call.onEnd = { [weak self] call, status, _ in
      guard let self, view === call else { return }
      view = nil
      // Where the connection itself is over, that is told instead.
      if self.channel?.isOpen == true {
        deliver(.viewEnded(CallEnd(code: status.code.rawValue, message: status.message)))
      }
    }
    // A call that has just begun takes a message of any size.
    try? call.send(ClientFrame.hello(hello).encoded())
  }

  /// Says something on the view's stream. What does not fit any more belongs to a view that is stuck, and that the
  /// daemon will end.
  func send(_ frame: ClientFrame) { try? view?.send(frame.encoded()) }

  /// A call whose answer is an event.
  func call(_ number: UInt64, method: String, request: [UInt8]) {
    guard let channel, channel.isOpen else {
      return deliver(
        .answered(number, .failure(CallEnd(code: StatusCode.unavailable.rawValue, message: "there is no daemon now"))))
    }
    channel.unary(method, request, timeout: DaemonLink.callTimeout) { [weak self] result in
      self?.deliver(.answered(number, result.mapError { CallEnd(code: $0.code.rawValue, message: $0.message) }))
    }
  }

  /// Ends everything in good order.
  func close() {
    isClosed = true
    view?.closeSend()
    dropChannel()
    timer?.close()
  }
}
