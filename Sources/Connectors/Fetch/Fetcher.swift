internal import CCurl
public import HTTPSupport
public import UV

/// Fetches documents by libcurl on a loop: http and https only, with verified TLS and limits of time and size.
/// Redirects are answers like any other.
@safe public final class Fetcher {
  /// Called once for each request.
  public typealias Completion = (Result<FetchResponse, FetchFailure>) -> Void

  /// A request under way.
  private struct Job {
    let completion: Completion
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
  public func fetch(_ request: FetchRequest, completion: @escaping Completion) {
    // A host that cannot be written in ASCII is left to libcurl, which refuses it.
    let url = Transfer.inASCII(request.url) ?? request.url
    let proxy = url.isPrivate ? nil : proxies.proxy(for: url)
    guard let transfer = Transfer(request, url: url, proxy: proxy, userAgent: userAgent, authorities: authorities)
    else { fatalError("out of memory") }
    unsafe jobs[UInt(bitPattern: transfer.easy)] = Job(completion: completion, transfer: transfer)
    _ = unsafe curl_multi_add_handle(multi, transfer.easy)
  }

  /// Ends all requests without calling their completions. Idempotent.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
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
    var code = CURLE_OK
    while !isClosed, let easy = unsafe ccurl_multi_ended(multi, &code) {
      _ = unsafe curl_multi_remove_handle(multi, easy)
      if let job = jobs.removeValue(forKey: UInt(bitPattern: easy)) { ended(job, code) }
    }
  }

  private func ended(_ job: Job, _ code: CURLcode) {
    let transfer = job.transfer
    guard code == CURLE_OK else {
      return job.completion(.failure(FetchFailure(transfer.reason(code), address: transfer.address)))
    }
    job.completion(
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
