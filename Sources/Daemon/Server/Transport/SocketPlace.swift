internal import UV

/// Prepares the place of a Unix socket: the directory's mode, a lock against a second daemon, and the removal of a
/// socket that a killed daemon left behind.
final class SocketPlace {
  /// The socket's path.
  let path: String
  /// The ID of the group that may use the socket; nil for the owner alone.
  private let group: UInt32?
  private let groupName: String?
  /// The socket's directory.
  let folder: String
  /// The names of the socket, of its lock and of the directory.
  private let names: [String]
  /// Held as long as the daemon listens.
  private var lock: FileLock?

  /// Prepares the place.
  ///
  /// A missing directory is created with mode 0700, or 0750 and the group if there is one. An existing directory must
  /// have these permissions already: it may hold other things, so only the user should change its mode.
  init(path: String, group groupName: String?) throws(TransportError) {
    self.path = path
    self.groupName = groupName
    group = try SocketPlace.prepareDirectory(of: path, group: groupName)
    folder = FileSystem.parent(of: path) ?? "."
    names = [path, Self.lock(of: path), folder].compactMap { $0.split(separator: "/").last.map(String.init) }
    lock = try takeLock()
    try removeStaleSocket()
  }

  /// True if this daemon holds the lock file that lies beside the socket now.
  var isLocked: Bool { lock?.isFile(at: lockPath) ?? false }

  /// Returns true if a file of this name, in the folder or above it, concerns the socket.
  func concerns(_ name: String) -> Bool { names.contains(name) }

  /// Ensures again that the directory is safe and contains this daemon's lock.
  ///
  /// - Throws: the obstacle; `alreadyRunning` if another daemon has taken the place.
  func prepareAgain() throws(TransportError) {
    try SocketPlace.prepareDirectory(of: path, group: groupName)
    guard !isLocked else { return }
    // A lock taken earlier on a file that is elsewhere now keeps no daemon away from here.
    lock = try takeLock()
  }

  /// Releases the lock.
  func unlock() { lock = nil }

  private var lockPath: String { Self.lock(of: path) }

  private static func lock(of path: String) -> String { path + ".lock" }

  /// Creates the directory of the socket `path`, or checks that an existing one is as safe. Returns the group's ID.
  @discardableResult
  static func prepareDirectory(of path: String, group groupName: String?) throws(TransportError) -> UInt32? {
    guard path.utf8.count <= Endpoint.maximumPathBytes else { throw .pathTooLong(path: path) }
    let group: UInt32? = if let groupName { try groupID(groupName) } else { nil }
    let directory = FileSystem.parent(of: path) ?? "."
    try make(directory, group: group, groupName: groupName)
    try check(directory, group: group, groupName: groupName)
    return group
  }

  /// Shares the bound socket with the group: mode 0660.
  func share() throws(TransportError) {
    guard let group else { return }
    try TransportError.preparing(path) { () throws(UVError) in
      try FileSystem.changeGroup(of: path, to: group)
      try FileSystem.changeMode(of: path, to: 0o660)
    }
  }

  private static func groupID(_ name: String) throws(TransportError) -> UInt32 {
    do {
      return try Process.groupID(named: name)
    } catch .noSuchFile {
      throw .group(name: name, reason: "no such group; run getent group to list them")
    } catch {
      throw .group(name: name, reason: error.description)
    }
  }

  private static func make(_ directory: String, group: UInt32?, groupName: String?) throws(TransportError) {
    guard (try? FileSystem.status(of: directory)) == nil else { return }
    try TransportError.preparing(directory) { () throws(UVError) in try FileSystem.makeDirectories(directory) }
    guard let group, let groupName else { return }
    do {
      try FileSystem.changeGroup(of: directory, to: group)
      try FileSystem.changeMode(of: directory, to: 0o750)
    } catch .notPermitted {
      throw .group(name: groupName, reason: "you are not a member of that group")
    } catch {
      throw .cannotPrepare(path: directory, error)
    }
  }

  private static func check(_ directory: String, group: UInt32?, groupName: String?) throws(TransportError) {
    let status = try TransportError.preparing(directory) { () throws(UVError) in
      try FileSystem.status(of: directory)
    }
    guard status.kind == .directory else {
      throw .unsafeDirectory(path: directory, reason: "is not a directory; choose another path with --socket")
    }
    guard status.owner == Process.effectiveUserID else {
      throw .unsafeDirectory(path: directory, reason: "belongs to another user; choose another path with --socket")
    }
    if let group, let groupName {
      guard status.permissions & 0o027 == 0, status.permissions & 0o010 != 0, status.group == group else {
        throw .unsafeDirectory(
          path: directory,
          reason: "is not shared with the group alone; run chgrp \(groupName) \(directory) && chmod 750 \(directory)")
      }
    } else if status.permissions & 0o002 != 0 {
      throw .unsafeDirectory(
        path: directory, reason: "is world-writable; choose a directory of your own with --socket")
    } else if status.permissions & 0o077 != 0 {
      throw .unsafeDirectory(
        path: directory,
        reason: "is accessible to other users; run chmod 700 \(directory), or choose another path with --socket")
    }
  }

  private func takeLock() throws(TransportError) -> FileLock {
    do {
      return try FileLock.acquire(at: lockPath)
    } catch {
      switch error {
      case .held: throw .alreadyRunning(path: path, process: FileLock.holder(of: lockPath))
      case .unusable(let problem): throw .unusableLock(path: lockPath, problem)
      case .system(let error): throw .cannotPrepare(path: lockPath, error)
      }
    }
  }

  /// Removes the socket that a daemon left behind. Holding the lock proves that no daemon of this kind is running;
  /// connecting to the socket shows whether another program is listening.
  func removeStaleSocket() throws(TransportError) {
    guard let status = try? FileSystem.status(of: path) else { return }
    guard status.kind == .socket else { throw .notASocket(path: path) }
    let isAlive = try TransportError.preparing(path) { () throws(UVError) in try SocketPlace.isAlive(path) }
    guard !isAlive else { throw .alreadyRunning(path: path, process: nil) }
    try TransportError.preparing(path) { () throws(UVError) in try FileSystem.remove(path) }
  }

  /// Returns true if a program accepts connections on a socket.
  private static func isAlive(_ path: String) throws(UVError) -> Bool {
    let loop = try Loop()
    var answer: Result<Stream, UVError>?
    try Stream.connect(loop: loop, to: .unix(path: path)) { answer = $0 }
    loop.run()
    try loop.close()
    switch answer {
    case .success: return true
    case .failure(.connectionRefused), .failure(.noSuchFile), nil: return false
    case .failure(let error): throw error
    }
  }
}
