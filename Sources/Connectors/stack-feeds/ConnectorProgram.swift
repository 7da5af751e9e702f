internal import Dates
internal import Feeds
internal import Fetch
internal import HTTPSupport
internal import UV
internal import ViewState

/// Runs a ``FeedConnector`` on a loop until its input ends: lines, responses and parsed documents become inputs, and
/// its effects are carried out.
final class ConnectorProgram {
  static let userAgent = "Stack/\(Release.version) (feed reader)"

  private let loop: Loop
  private let daemon: DaemonPipe
  private let fetcher: Fetcher
  private var connector: FeedConnector
  private var timer: Timer?
  private var parser: SerialWorker<FeedParseJob, FeedParseOutcome>?
  private var status: Int32 = 0

  /// Runs until the input ends. Returns the exit status.
  static func run(_ options: Options) -> Int32 {
    do throws(UVError) {
      let loop = try Loop()
      let program = try ConnectorProgram(loop: loop, options)
      defer { withExtendedLifetime(program) {} }
      let status = try program.run()
      try loop.close()
      return status
    } catch {
      let hint = error == .invalidArgument ? "; it is meant to be started by stack-daemon" : ""
      try? Process.write("stack-feeds: \(error)\(hint)\n", to: .error)
      return 74
    }
  }

  private init(loop: Loop, _ options: Options) throws(UVError) {
    self.loop = loop
    do throws(UVError) {
      daemon = try DaemonPipe(loop: loop)
      fetcher = try Fetcher(loop: loop, userAgent: Self.userAgent, authorities: options.authorities)
      let seed = try Process.randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) }
      connector = FeedConnector(seed: seed)
    } catch {
      try loop.close()
      throw error
    }
  }

  private func run() throws(UVError) -> Int32 {
    let timer = try Timer(loop: loop) { [unowned self] in handle(.time) }
    timer.keepsLoopRunning = false
    self.timer = timer
    // Parsing has a lower priority than the daemon, which people wait for.
    parser = try SerialWorker(loop: loop, limit: FeedConnector.openLimit, niceness: 5) {
      { jobs in jobs.map { $0.run() } }
    } deliver: { [unowned self] outcomes in
      for outcome in outcomes { handle(.parsed(outcome)) }
    }
    try daemon.start { [unowned self] in received($0) }
    handle(.time)
    loop.run()
    return status
  }

  private func received(_ event: DaemonPipe.Event) {
    switch event {
    case .line(let line): handle(.line(line))
    case .lineTooLong: handle(.lineTooLong)
    case .ended(let status): end(status)
    }
  }

  /// Stops everything: the daemon has gone, or does not read.
  private func end(_ status: Int32) {
    self.status = status
    fetcher.close()
    parser?.close()
    timer?.close()
    daemon.close()
    loop.stop()
  }

  private func handle(_ input: FeedConnector.Input) {
    guard daemon.isOpen else { return }
    let now = Instant(milliseconds: Loop.wallClockMilliseconds)
    var inputs = [input]
    while let input = inputs.popLast() {
      for effect in connector.handle(input, at: now) {
        if let outcome = carryOut(effect) { inputs.append(outcome) }
      }
    }
    daemon.flush()
    guard let deadline = connector.deadline(after: now) else {
      timer?.disarm()
      return
    }
    timer?.arm(after: .milliseconds(deadline.milliseconds - now.milliseconds))
  }

  /// Returns what is known at once.
  private func carryOut(_ effect: FeedConnector.Effect) -> FeedConnector.Input? {
    switch effect {
    case .write(let line): daemon.write(line)
    case .log(let line): ProgramLog.write(line, of: "stack-feeds")
    case .parse(let job):
      // There is room for as many documents as there may be requests.
      if parser?.submit(job) != true { end(70) }
    case .fetch(let check, let request) where request.url.isFile:
      return .fetched(check: check, FileFetching.fetch(request))
    case .fetch(let check, let request):
      fetcher.fetch(request) { [unowned self] in handle(.fetched(check: check, $0)) }
    }
    return nil
  }
}
