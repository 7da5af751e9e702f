internal import ClientCore
internal import ClientTransport
internal import UV

/// Starts a daemon when a client needs one and none is running.
///
/// If two clients find none at the same time, the one that holds the lock starts it and the other waits. The lock is a
/// file in the state directory, next to the daemon's log.
struct DaemonStarter {
  /// The time limit for a daemon to start listening.
  static let patience = Duration.seconds(5)
  /// The interval between attempts to connect.
  static let lookEvery = Duration.milliseconds(10)

  let loop: Loop
  let socket: String
  /// Further options of the daemon.
  let options: [String]
  let console: Console

  /// `$XDG_STATE_HOME/stack`.
  static var stateFolder: String? {
    if let folder = UV.Process.environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder + "/stack" }
    return UV.Process.environment("HOME").map { $0 + "/.local/state/stack" }
  }

  /// Returns the reason why this client cannot start a daemon at `socket` with these options: its folder belongs to
  /// another user, or is shared with a group and the options do not name it. Nil if there is none.
  static func obstacle(to socket: String, options: [String] = []) -> ClientFailure? {
    guard let folder = FileSystem.parent(of: socket), let status = try? FileSystem.status(of: folder) else {
      return nil
    }
    guard status.owner == UV.Process.effectiveUserID else {
      return ClientFailure(
        .unreachable, "no daemon is running at \(socket), and \(folder) belongs to another user",
        hint: "ask that user to start it, or choose another socket")
    }
    guard status.isSharedWithGroup, !options.contains("--group") else { return nil }
    let group = UV.Process.groupName(of: status.group) ?? "NAME"
    let place = socket == Endpoint.defaultSocketPath ? "" : "--socket \(socket) "
    return ClientFailure(
      .unreachable, "no daemon is running at \(socket), and \(folder) is shared with group \(group)",
      hint: "`stack-client \(place)daemon start --group \(group)` starts one for its members")
  }

  /// Calls `connect` until it succeeds, and starts a daemon meanwhile.
  ///
  /// - Parameter connect: tries once, and throws the reason for a failure.
  func connect(_ connect: () throws(ChannelError) -> DaemonLink) throws(ClientFailure) -> DaemonLink {
    guard let folder = Self.stateFolder else {
      throw ClientFailure(.unreachable, "no daemon is running, and none can be started without HOME or XDG_STATE_HOME")
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
        // Only now is it known to be running.
        if daemon != nil {
          console.notice("started \(OwnProgram.find("stack-daemon") ?? "stack-daemon"); its log is \(log)")
        }
        return link
      } catch {
        guard error.isDaemonMissing else { throw ClientFailure(error) }
      }
      if let exitStatus { throw endedAtOnce(exitStatus, log: log) }
      if daemon == nil {
        lock = takeLock(folder)
        // Tried again with the lock held: its last holder may have started a daemon.
        if lock != nil, let link = try? connect() { return link }
        if lock != nil { daemon = try start(log: log) { exitStatus = $0 } }
      }
      guard Loop.now < deadline else {
        throw ClientFailure(
          .unreachable, "the daemon did not start listening at \(socket)", hint: "see its log, \(log)")
      }
      wait()
    }
  }

  private func takeLock(_ folder: String) -> FileLock? {
    try? FileSystem.makeDirectories(folder)
    return try? FileLock(path: folder + "/start.lock")
  }

  private func start(log: String, onExit: @escaping (Int32) -> Void) throws(ClientFailure) -> DetachedProcess {
    if let obstacle = Self.obstacle(to: socket, options: options) { throw obstacle }
    guard let program = OwnProgram.find("stack-daemon") else {
      throw ClientFailure(
        .unreachable, "no daemon is running at \(socket), and stack-daemon was not found",
        hint: "install it next to stack-client or in PATH")
    }
    do throws(UVError) {
      let output = try Descriptor(path: log, for: .appending)
      return try DetachedProcess(
        loop: loop, arguments: [program, "--socket", socket] + options, output: output, onExit: onExit)
    } catch {
      throw ClientFailure(.unreachable, "no daemon is running at \(socket), and \(program) cannot be started: \(error)")
    }
  }

  private func endedAtOnce(_ status: Int32, log: String) -> ClientFailure {
    let text = (try? FileSystem.read(log, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let last = text.split(separator: "\n").last ?? "no output"
    // Before the reason stand the time and the name of the program.
    let reason = last.firstRange(of: "stack-daemon: ").map { last[$0.upperBound...] } ?? last
    return ClientFailure(
      .unreachable, "the daemon exited at once with status \(status): \(reason)", hint: "see its log, \(log)")
  }

  private func wait() { loop.wait(Self.lookEvery) }
}
