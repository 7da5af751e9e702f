internal import Dates
internal import Fetch
internal import HTTPSupport
internal import Mastodon
internal import UV
internal import ViewState

/// Runs a ``MastodonConnector`` on a loop until its input ends: lines, responses and streams become inputs, and its
/// effects are carried out.
final class MastodonProgram {
  static let userAgent = "Stack/\(Release.version) (Mastodon client)"

  private let loop: Loop
  private let daemon: DaemonPipe
  private let fetcher: Fetcher
  private let file: SecretFile
  private var connector: MastodonConnector
  private var timer: Timer?
  /// The fetcher's numbers of open streams, by the connector's.
  private var streams: [Int: UInt] = [:]
  private var status: Int32 = 0

  /// Runs until the input ends. Returns the exit status.
  static func run(_ options: Options) -> Int32 {
    do {
      let file = try SecretFile(folder: options.folder)
      let secrets = try file.read()
      let loop = try Loop()
      let program = try MastodonProgram(loop: loop, file, secrets, authorities: options.authorities)
      defer { withExtendedLifetime(program) {} }
      let status = try program.run()
      try loop.close()
      return status
    } catch let problem as SecretFile.Problem {
      complain(problem.reason)
      return 78
    } catch {
      let hint = error as? UVError == .invalidArgument ? "; it is meant to be started by stack-daemon" : ""
      complain("\(error)\(hint)")
      return 74
    }
  }

  private static func complain(_ line: String) { ProgramLog.write(line, of: "stack-mastodon") }

  private init(loop: Loop, _ file: SecretFile, _ secrets: Secrets, authorities: String?) throws(UVError) {
    (self.loop, self.file) = (loop, file)
    do throws(UVError) {
      daemon = try DaemonPipe(loop: loop)
      fetcher = try Fetcher(loop: loop, userAgent: Self.userAgent, authorities: authorities)
      let seed = try Process.randomBytes(32)
      connector = MastodonConnector(secrets: secrets, seed: seed)
    } catch {
      try loop.close()
      throw error
    }
  }

  private func run() throws(UVError) -> Int32 {
    let timer = try Timer(loop: loop) { [unowned self] in handle(.time) }
    timer.keepsLoopRunning = false
    self.timer = timer
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
    timer?.close()
    daemon.close()
    loop.stop()
  }

  private func handle(_ input: MastodonConnector.Input) {
    guard daemon.isOpen else { return }
    let now = Instant(milliseconds: Loop.wallClockMilliseconds)
    for effect in connector.handle(input, at: now) where daemon.isOpen { carryOut(effect) }
    guard daemon.isOpen else { return }
    daemon.flush()
    guard let deadline = connector.deadline(after: now) else {
      timer?.disarm()
      return
    }
    timer?.arm(after: .milliseconds(max(0, deadline.milliseconds - now.milliseconds)))
  }

  private func carryOut(_ effect: MastodonConnector.Effect) {
    switch effect {
    case .write(let line): daemon.write(line)
    case .log(let line): Self.complain(line)
    case .fetch(let number, let request):
      fetcher.fetch(request) { [unowned self] in handle(.fetched(number, $0)) }
    case .openStream(let number, let request):
      streams[number] = fetcher.openStream(request) { [unowned self] in received($0, of: number) }
    case .openSocket(let number, let request):
      streams[number] = fetcher.openSocket(request) { [unowned self] in received($0, of: number) }
    case .send(let number, let bytes):
      if let stream = streams[number] { fetcher.send(bytes, to: stream) }
    case .closeStream(let number):
      if let stream = streams.removeValue(forKey: number) { fetcher.closeStream(stream) }
    case .save(let secrets):
      do {
        try file.write(secrets)
      } catch {
        // A token that cannot be kept is not told of: the program ends, and the person is asked to sign in again.
        Self.complain(error.reason)
        end(73)
      }
    }
  }

  private func received(_ event: Fetcher.StreamEvent, of number: Int) {
    switch event {
    case .connected: handle(.streamConnected(number))
    case .opened(let status): handle(.streamOpened(number, status: status))
    case .bytes(let bytes): handle(.streamReceived(number, bytes))
    case .ended(let reason):
      streams[number] = nil
      handle(.streamEnded(number, reason))
    }
  }
}
