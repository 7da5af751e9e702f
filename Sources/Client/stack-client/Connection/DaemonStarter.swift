internal import ClientCore
internal import ClientTransport
internal import UV

/// Starts a daemon when a client needs one and none answers.
///
/// Two clients that find none at the same time start one: whoever holds the lock starts it, the other waits for it. The
/// lock is a file in the state folder, next to the daemon's log.
struct DaemonStarter {
  /// How long a daemon may take until it listens.
  static let patience = Duration.seconds(5)
  /// Between two looks whether it listens.
  static let lookEvery = Duration.milliseconds(10)

  let loop: Loop
  let socket: String
  /// What the daemon is told beside that.
  let options: [String]
  let console: Console

  /// `$XDG_STATE_HOME/stack`.
  private static var stateFolder: String? {
    if let folder = UV.Process.environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder + "/stack" }
    return UV.Process.environment("HOME").map { $0 + "/.local/state/stack" }
  }

  /// Where `stack-daemon` is: beside this program, then along `PATH`.
  private static func findDaemon() -> String? {
    var folders = UV.Process.executablePath.flatMap { FileSystem.parent(of: $0) }.map { [$0] } ?? []
    folders += (UV.Process.environment("PATH") ?? "").split(separator: ":").map(String.init)
    return folders.map { $0 + "/stack-daemon" }.first { FileSystem.isExecutable($0) }
  }

  /// Calls `connect` until it connects, and starts a daemon meanwhile.
  ///
  /// - Parameter connect: throws what kept it from connecting.
  func connect(_ connect: () throws(ChannelError) -> DaemonLink) throws(ClientFailure) -> DaemonLink {
    guard let folder = Self.stateFolder else {
      throw ClientFailure(.unreachable, "no daemon runs, and without HOME or XDG_STATE_HOME none can be started")
    }
    let log = folder + "/daemon.log"
    let deadline = Loop.now + Self.patience
    var lock: FileLock?
    var daemon: DetachedProcess?
    var exitStatus: Int32?
    defer { daemon?.close() }
    while true {
      do throws(ChannelError) {
        let link = try connect()
        // Only now is it known to live.
        if daemon != nil { console.notice("started \(Self.findDaemon() ?? "stack-daemon"); its log is \(log)") }
        return link
      } catch {
        guard error.isDaemonMissing else { throw ClientFailure(error) }
      }
      if let exitStatus { throw endedAtOnce(exitStatus, log: log) }
      if daemon == nil {
        lock = takeLock(folder)
        // Looked once more with the lock in hand: whoever had it may have started one.
        if lock != nil, let link = try? connect() { return link }
        if lock != nil { daemon = try start(log: log) { exitStatus = $0 } }
      }
      guard Loop.now < deadline else {
        throw ClientFailure(.unreachable, "the daemon does not listen at \(socket)", hint: "its log is \(log)")
      }
      wait()
    }
  }

  private func takeLock(_ folder: String) -> FileLock? {
    try? FileSystem.makeDirectories(folder)
    return try? FileLock(path: folder + "/start.lock")
  }

  private func start(log: String, onExit: @escaping (Int32) -> Void) throws(ClientFailure) -> DetachedProcess {
    if let folder = FileSystem.parent(of: socket), let owner = (try? FileSystem.status(of: folder))?.owner,
      owner != UV.Process.effectiveUserID
    {
      throw ClientFailure(
        .unreachable, "no daemon answers at \(socket), and \(folder) belongs to another user",
        hint: "ask who runs it, or choose another socket")
    }
    guard let program = Self.findDaemon() else {
      throw ClientFailure(
        .unreachable, "no daemon answers at \(socket), and there is no stack-daemon to start",
        hint: "put it beside stack-client or in PATH")
    }
    do throws(UVError) {
      let output = try Descriptor(path: log, for: .appending)
      return try DetachedProcess(
        loop: loop, arguments: [program, "--socket", socket] + options, output: output, onExit: onExit)
    } catch {
      throw ClientFailure(.unreachable, "no daemon answers at \(socket), and \(program) cannot be started: \(error)")
    }
  }

  private func endedAtOnce(_ status: Int32, log: String) -> ClientFailure {
    let text = (try? FileSystem.read(log, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let last = text.split(separator: "\n").last.map(String.init) ?? "it said nothing"
    return ClientFailure(
      .unreachable, "the daemon ended at once with status \(status): \(last)", hint: "its log is \(log)")
  }

  private func wait() { loop.wait(Self.lookEvery) }
}
