internal import Feeds
internal import Fetch
internal import HTTPSupport
internal import UV
internal import ViewState

/// Runs a ``FeedConnector`` until its input ends: lines, responses and parsed documents become inputs, and its effects
/// are carried out.
final class FeedReaderProgram {
  private let host: ConnectorHost
  private var connector: FeedConnector
  private var parser: SerialWorker<FeedParseJob, FeedParseOutcome>?

  /// Runs until the input ends. Returns the exit status.
  static func run(_ options: Options) -> Int32 {
    do throws(UVError) {
      let program = try FeedReaderProgram(options)
      defer { withExtendedLifetime(program) {} }
      return try program.run()
    } catch {
      return ConnectorHost.complain(error, of: "stack-feeds")
    }
  }

  private init(_ options: Options) throws(UVError) {
    let seed = try Process.randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    connector = FeedConnector(seed: seed)
    host = try ConnectorHost(
      "stack-feeds", userAgent: "Stack/\(Release.version) (feed reader)", authorities: options.authorities)
  }

  private func run() throws(UVError) -> Int32 {
    // Parsing has a lower priority than the daemon, which people wait for.
    parser = try SerialWorker(loop: host.loop, limit: FeedConnector.openLimit, niceness: 5) {
      { jobs in jobs.map { $0.run() } }
    } deliver: { [unowned self] outcomes in
      for outcome in outcomes { handle(.parsed(outcome)) }
    }
    return try host.run { [unowned self] event in
      switch event {
      case .line(let line): handle(.line(line))
      case .lineTooLong: handle(.lineTooLong)
      case .time: handle(.time)
      }
    } onEnd: { [unowned self] in
      parser?.close()
    }
  }

  private func handle(_ input: FeedConnector.Input) {
    guard host.isOpen else { return }
    let now = host.now
    var inputs = [input]
    while let input = inputs.popLast() {
      for effect in connector.handle(input, at: now) {
        if let outcome = carryOut(effect) { inputs.append(outcome) }
      }
    }
    guard host.isOpen else { return }
    host.rest(until: connector.deadline(after: now))
  }

  /// Returns what is known at once.
  private func carryOut(_ effect: FeedConnector.Effect) -> FeedConnector.Input? {
    switch effect {
    case .write(let line): host.write(line)
    case .log(let line): host.log(line)
    case .parse(let job):
      // There is room for as many documents as there may be requests.
      if parser?.submit(job) != true { host.end(70) }
    case .fetch(let check, let request) where request.url.isFile:
      return .fetched(check: check, FileFetching.fetch(request))
    case .fetch(let check, let request):
      host.fetcher.fetch(request) { [unowned self] in handle(.fetched(check: check, $0)) }
    }
    return nil
  }
}
