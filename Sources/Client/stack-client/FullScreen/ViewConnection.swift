internal import ClientCore
internal import ClientTransport
internal import FullScreen
internal import Messages
internal import RPC
internal import UV
internal import ViewState

/// A non-blocking connection to the daemon: one channel, one view stream, and unary calls. Everything is delivered as
/// events.
final class ViewConnection {
  private let loop: Loop
  private let address: DaemonAddress
  private let deliver: (AppEvent) -> Void
  private var channel: Channel?
  /// Abandoned connections, kept alive because one of their callbacks may be running.
  private var retired: [Channel] = []
  private var view: ClientCall?
  private var sources: ClientCall?
  /// The last call that sends a file.
  private var uploading: ClientCall?
  private var timer: UV.Timer?
  private var isClosed = false

  /// Creates the connection; `connect(after:)` opens it.
  init(loop: Loop, address: DaemonAddress, deliver: @escaping (AppEvent) -> Void) throws(UVError) {
    self.loop = loop
    self.address = address
    self.deliver = deliver
    timer = try UV.Timer(loop: loop) { [weak self] in self?.connectNow() }
  }

  /// Connects after a delay, replacing the current connection.
  func connect(after delay: Duration) {
    dropChannel()
    timer?.arm(after: delay)
  }

  private func dropChannel() {
    view = nil
    sources = nil
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
          sources = nil
          deliver(.disconnected("the daemon at \(address.endpoint) closed the connection"))
        }
        deliver(.connected)
      case .success(let channel):
        channel.close()
        deliver(.disconnected("the daemon at \(address.endpoint) belongs to another user"))
      case .failure(let error): deliver(.disconnected(error.description))
      }
    }
  }

  /// Opens a view, replacing the current one.
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
        return deliver(.invalidFrame(error.reason))
      }
      deliver(.frame(frame))
    }
    call.onEnd = { [weak self] call, status, _ in
      guard let self, view === call else { return }
      view = nil
      // If the connection itself has ended, that is reported instead.
      if self.channel?.isOpen == true {
        deliver(.viewEnded(CallEnd(code: status.code.rawValue, message: status.message)))
      }
    }
    // A new call accepts a message of any size.
    try? call.send(ClientFrame.hello(hello).encoded())
  }

  /// Watches the sources of the account, if the daemon supports that.
  func watchSources() {
    guard let channel, let call = try? channel.start(Method.watchSources) else { return }
    sources = call
    call.onMessage = { [weak self] call, bytes in
      guard let self, sources === call, let news = try? WatchSourcesResponse(decoding: bytes) else { return }
      deliver(.sources(news))
    }
    call.onEnd = { [weak self] call, _, _ in
      guard let self, sources === call else { return }
      sources = nil
      deliver(.sources(nil))
    }
    try? call.send(EmptyMessage().encoded())
    call.closeSend()
  }

  /// Sends a message on the view's stream. A message that does not fit is dropped: the view is stuck, and the daemon will
  /// end it.
  func send(_ frame: ClientFrame) { try? view?.send(frame.encoded()) }

  /// Makes a unary call; the response is delivered as an event.
  func call(_ number: UInt64, method: String, request: [UInt8]) {
    guard let channel, channel.isOpen else {
      return deliver(
        .answered(
          number, .failure(CallEnd(code: StatusCode.unavailable.rawValue, message: "the daemon is not connected"))))
    }
    channel.unary(method, request, timeout: DaemonLink.callTimeout) { [weak self] result in
      self?.deliver(.answered(number, result.mapError { CallEnd(code: $0.code.rawValue, message: $0.message) }))
    }
  }

  /// Sends a file to the source of a new post; the outcome is delivered as an event.
  func upload(_ number: UInt64, _ path: String, _ header: UploadMediaHeader) {
    do throws(ClientFailure) {
      let upload = try MediaUpload(path, header)
      guard let channel, channel.isOpen,
        let call = try? channel.start(Method.uploadMedia, timeout: MediaUpload.patience)
      else { throw ClientFailure(.unreachable, "the daemon is not connected") }
      uploading = call
      upload.send(by: call) { [weak self] result in
        self?.deliver(.uploaded(number, result.mapError { CallEnd(code: $0.code.rawValue, message: $0.message) }))
      }
    } catch {
      deliver(
        .uploaded(number, .failure(CallEnd(code: StatusCode.failedPrecondition.rawValue, message: error.message))))
    }
  }

  /// Stops sending a file, if one is being sent.
  func cancelUpload() {
    uploading?.cancel()
    uploading = nil
  }

  /// Ends the view and the connection cleanly.
  func close() {
    isClosed = true
    view?.closeSend()
    dropChannel()
    timer?.close()
  }
}
