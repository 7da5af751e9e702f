internal import CCurl
public import HTTPSupport
public import UV

/// Fetches documents by libcurl on a loop: http and https only, with verified TLS and limits of time and size.
/// Redirects are answers like any other.
@safe public final class Fetcher {
  /// Called once for each request.
  public typealias Completion = (Result<FetchResponse, FetchFailure>) -> Void

  /// What comes of a stream or a socket. After `ended` there is nothing more.
  public enum StreamEvent {
    /// A socket is connected.
    case connected
    /// The header fields are here, whatever the status.
    case opened(status: Int)
    /// A part of the body.
    case bytes([UInt8])
    /// It has ended; the reason is a clause for a person.
    case ended(String)
  }

  /// A request under way, and what is called with its response or with what comes of it.
  private struct Job {
    enum Receiver {
      case whole(Completion)
      case parts((StreamEvent) -> Void)
      case socket((StreamEvent) -> Void)
    }
    let receiver: Receiver
    let transfer: Transfer
  }

  private let loop: Loop
  private let userAgent: String
  private let authorities: String?
  private let proxies: ProxySettings
  /// Owned; freed by ``close()``.
  private let multi: UnsafeMutableRawPointer
  private var timer: Timer?
  private var polls: [Int32: DescriptorPoll] = [:]
  private var jobs: [UInt: Job] = [:]
  /// The connections that are open for callers, by the numbers of their jobs, which go on as long.
  private var channels: [UInt: SocketChannel] = [:]
  private var isClosed = false

  /// Prepares libcurl.
  ///
  /// - Parameters:
  ///   - userAgent: the value of `User-Agent`.
  ///   - authorities: a file of certificates that are trusted instead of the system's.
  ///   - proxies: the proxies through which requests go.
  public init(
    loop: Loop, userAgent: String, authorities: String? = nil,
    proxies: ProxySettings = ProxySettings(environment: Process.environment)
  ) throws(UVError) {
    guard ccurl_start() == CURLE_OK, let multi = unsafe curl_multi_init() else {
      throw .invalidArgument
    }
    (self.loop, self.userAgent, self.authorities, self.proxies) = (loop, userAgent, authorities, proxies)
    unsafe self.multi = multi
    timer = try Timer(loop: loop) { [weak self] in self?.act(on: CURL_SOCKET_TIMEOUT, 0) }
    _ = unsafe ccurl_multi_set(multi, onWatch, onWake, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { close() }

  /// Fetches a document. The completion is called on the loop, never before this returns, unless the fetcher is closed
  /// before.
  public func fetch(_ request: FetchRequest, completion: @escaping Completion) { start(request, .whole(completion)) }

  /// Opens a stream: a response whose body may go on for ever, and whose parts are delivered as they come. Whether it is
  /// alive is for the caller to judge. Returns a number for ``closeStream(_:)``.
  public func openStream(_ request: FetchRequest, onEvent: @escaping (StreamEvent) -> Void) -> UInt {
    start(request, .parts(onEvent))
  }

  /// Opens a connection to the host of a request, with TLS for https; nothing else of the request counts but whether it
  /// may be a private address. Returns a number for ``send(_:to:)`` and ``closeStream(_:)``.
  public func openSocket(_ request: FetchRequest, onEvent: @escaping (StreamEvent) -> Void) -> UInt {
    start(request, .socket(onEvent))
  }

  /// Sends bytes by a socket that is connected.
  public func send(_ bytes: [UInt8], to socket: UInt) { channels[socket]?.send(bytes) }

  /// Ends a stream or socket without another event. Does nothing if it has ended.
  public func closeStream(_ stream: UInt) {
    channels.removeValue(forKey: stream)?.close()
    guard let job = jobs.removeValue(forKey: stream) else { return }
    _ = unsafe curl_multi_remove_handle(multi, job.transfer.easy)
  }

  @discardableResult
  private func start(_ request: FetchRequest, _ receiver: Job.Receiver) -> UInt {
    // A host that cannot be written in ASCII is left to libcurl, which refuses it.
    let url = Transfer.inASCII(request.url) ?? request.url
    let proxy = url.isPrivate ? nil : proxies.proxy(for: url)
    let kind: Transfer.Kind =
      switch receiver {
      case .whole: .response
      case .parts: .stream
      case .socket: .connection
      }
    guard
      let transfer = Transfer(
        request, url: url, kind: kind, proxy: proxy, userAgent: userAgent, authorities: authorities)
    else { fatalError("out of memory") }
    let number = unsafe UInt(bitPattern: transfer.easy)
    jobs[number] = Job(receiver: receiver, transfer: transfer)
    _ = unsafe curl_multi_add_handle(multi, transfer.easy)
    return number
  }

  /// Ends all requests without calling their completions. Idempotent.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    for channel in channels.values { channel.close() }
    channels = [:]
    for job in jobs.values { _ = unsafe curl_multi_remove_handle(multi, job.transfer.easy) }
    jobs = [:]
    // Closes the connections, which ends their polls.
    _ = unsafe curl_multi_cleanup(multi)
    for poll in polls.values { poll.close() }
    polls = [:]
    timer?.close()
    timer = nil
  }

  // MARK: - libcurl's wishes

  fileprivate func watch(_ socket: Int32, _ what: Int32) {
    guard what != CURL_POLL_REMOVE else {
      polls.removeValue(forKey: socket)?.close()
      return
    }
    do throws(UVError) {
      let poll: DescriptorPoll
      if let known = polls[socket] { poll = known } else { poll = try makePoll(socket) }
      polls[socket] = poll
      try poll.wait(
        readable: what == CURL_POLL_IN || what == CURL_POLL_INOUT,
        writable: what == CURL_POLL_OUT || what == CURL_POLL_INOUT)
    } catch {
      // Without events libcurl's own timeouts end the transfer.
    }
  }

  private func makePoll(_ socket: Int32) throws(UVError) -> DescriptorPoll {
    try DescriptorPoll(loop: loop, descriptor: socket) { [weak self] readable, writable in
      self?.act(on: socket, (readable ? CURL_CSELECT_IN : 0) | (writable ? CURL_CSELECT_OUT : 0))
    }
  }

  fileprivate func wake(after milliseconds: Int) {
    guard milliseconds >= 0 else {
      timer?.disarm()
      return
    }
    timer?.arm(after: .milliseconds(milliseconds))
  }

  private func act(on socket: Int32, _ events: Int32) {
    guard !isClosed else { return }
    var running: Int32 = 0
    _ = unsafe curl_multi_socket_action(multi, socket, events, &running)
    // libcurl's functions may not be called while it delivers, so streams are told only now.
    for number in Array(jobs.keys) { deliver(number) }
    var code = CURLE_OK
    while !isClosed, let easy = unsafe ccurl_multi_ended(multi, &code) {
      let number = UInt(bitPattern: easy)
      if code == CURLE_OK, let job = jobs[number], case .socket(let onEvent) = job.receiver {
        connected(number, job.transfer, onEvent)
        continue
      }
      _ = unsafe curl_multi_remove_handle(multi, easy)
      if let job = jobs.removeValue(forKey: number) { ended(job, code) }
    }
  }

  /// Passes on what a stream has brought.
  private func deliver(_ number: UInt) {
    guard let job = jobs[number], case .parts(let onEvent) = job.receiver, let parts = job.transfer.takeParts() else {
      return
    }
    if let status = parts.status { onEvent(.opened(status: status)) }
    if !parts.bytes.isEmpty, jobs[number] != nil { onEvent(.bytes(parts.bytes)) }
  }

  /// A connection is open. Its transfer stays with libcurl, which would close the connection otherwise.
  private func connected(_ number: UInt, _ transfer: Transfer, _ onEvent: @escaping (StreamEvent) -> Void) {
    do throws(UVError) {
      channels[number] = try SocketChannel(transfer, loop: loop) { [weak self] event in
        if case .ended = event { self?.closeStream(number) }
        onEvent(event)
      }
      onEvent(.connected)
    } catch {
      closeStream(number)
      onEvent(.ended("the connection broke: \(error)"))
    }
  }

  private func ended(_ job: Job, _ code: CURLcode) {
    let transfer = job.transfer
    let completion: Completion
    switch job.receiver {
    case .whole(let receiver): completion = receiver
    case .parts(let onEvent), .socket(let onEvent):
      return onEvent(.ended(code == CURLE_OK ? "the server closed the stream" : transfer.reason(code)))
    }
    guard code == CURLE_OK else {
      let failure = FetchFailure(transfer.reason(code), address: transfer.address, wasSent: transfer.wasSent)
      return completion(.failure(failure))
    }
    completion(
      .success(
        FetchResponse(
          status: transfer.status, fields: transfer.fields, body: transfer.body, url: transfer.url,
          address: transfer.address)))
  }
}

/// `CURLMOPT_SOCKETFUNCTION`.
private let onWatch: ccurl_watch = { _, socket, what, user, _ in
  if let user = unsafe user { unsafe Unmanaged<Fetcher>.fromOpaque(user).takeUnretainedValue().watch(socket, what) }
  return 0
}

/// `CURLMOPT_TIMERFUNCTION`.
private let onWake: ccurl_wake = { _, milliseconds, user in
  if let user = unsafe user {
    unsafe Unmanaged<Fetcher>.fromOpaque(user).takeUnretainedValue().wake(after: milliseconds)
  }
  return 0
}
