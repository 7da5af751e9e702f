internal import Fetch
internal import HTTPSupport
internal import Mastodon
internal import UV
internal import ViewState

/// Runs a ``MastodonConnector`` until its input ends: lines, responses and streams become inputs, and its effects are
/// carried out.
final class MastodonProgram {
  private static let name = "stack-mastodon"

  private let host: ConnectorHost
  private let file: SecretFile
  private var connector: MastodonConnector
  /// The input that is being handled, and those that it has brought.
  private var inputs: [MastodonConnector.Input] = []
  /// The fetcher's numbers of open streams, by the connector's.
  private var streams: [Int: UInt] = [:]
  /// The commands that run, by the connector's numbers.
  private var commands: [Int: TokenCommand] = [:]

  /// Runs until the input ends. Returns the exit status.
  static func run(_ options: Options) -> Int32 {
    do {
      let file = try SecretFile(folder: options.folder)
      let program = try MastodonProgram(file, try file.read(), options)
      defer { withExtendedLifetime(program) {} }
      return try program.run()
    } catch let problem as SecretFile.Problem {
      ProgramLog.write(problem.reason, of: name)
      return 78
    } catch let error as UVError {
      return ConnectorHost.complain(error, of: name)
    } catch {
      ProgramLog.write("\(error)", of: name)
      return 74
    }
  }

  private init(_ file: SecretFile, _ secrets: Secrets, _ options: Options) throws(UVError) {
    self.file = file
    connector = MastodonConnector(secrets: secrets, seed: try Process.randomBytes(32), markers: options.markers)
    host = try ConnectorHost(
      Self.name, userAgent: "Stack/\(Release.version) (Mastodon client)", authorities: options.authorities)
  }

  private func run() throws(UVError) -> Int32 {
    try host.run { [unowned self] event in
      switch event {
      case .line(let line): handle(.line(line))
      case .lineTooLong: handle(.lineTooLong)
      case .time: handle(.time)
      }
    } onEnd: { [unowned self] in
      for command in commands.values { command.close() }
    }
  }

  private func handle(_ input: MastodonConnector.Input) {
    guard host.isOpen else { return }
    inputs.append(input)
    // What an effect brings at once waits until those beside it are carried out: lines stay in order.
    guard inputs.count == 1 else { return }
    while let input = inputs.first, host.isOpen {
      for effect in connector.handle(input, at: host.now) where host.isOpen { carryOut(effect) }
      inputs.removeFirst()
    }
    guard host.isOpen else { return }
    host.rest(until: connector.deadline(after: host.now))
  }

  private func carryOut(_ effect: MastodonConnector.Effect) {
    switch effect {
    case .write(let line): host.write(line)
    case .log(let line): host.log(line)
    case .fetch(let number, let request):
      host.fetcher.fetch(request) { [unowned self] in handle(.fetched(number, $0)) }
    case .openStream(let number, let request):
      streams[number] = host.fetcher.openStream(request) { [unowned self] in received($0, of: number) }
    case .openSocket(let number, let request):
      streams[number] = host.fetcher.openSocket(request) { [unowned self] in received($0, of: number) }
    case .send(let number, let bytes):
      if let stream = streams[number] { host.fetcher.send(bytes, to: stream) }
    case .closeStream(let number):
      if let stream = streams.removeValue(forKey: number) { host.fetcher.closeStream(stream) }
    case .run(let number, let command):
      // One that cannot be started ends at once, before it is in the table.
      var isRunning = true
      let running = TokenCommand(command, loop: host.loop) { [unowned self] result in
        isRunning = false
        commands[number] = nil
        handle(.ran(number, result))
      }
      if isRunning { commands[number] = running }
    case .stop(let number): commands.removeValue(forKey: number)?.close()
    case .save(let secrets):
      do {
        try file.write(secrets)
      } catch {
        // A token that cannot be kept is not told of: the program ends, and the person is asked to sign in again.
        host.log(error.reason)
        host.end(73)
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
