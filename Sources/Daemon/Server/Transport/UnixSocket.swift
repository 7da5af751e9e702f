internal import UV

/// The daemon's Unix socket. Its file may be removed or replaced while the daemon runs, for example by a cleaner of
/// /tmp. The socket is then bound again, since otherwise no client could reach or stop the daemon.
///
/// The kernel reports changes in the folder, so watching costs nothing. If it cannot, and while the socket cannot be
/// bound, the path is checked from time to time. The folder's parents are not watched: a socket that moves away with
/// one of them goes unnoticed.
final class UnixSocket {
  private let loop: Loop
  private let delay: Duration
  private let interval: Duration
  private let log: (String) -> Void
  private let accepts: (onError: (UVError) -> Void, onConnection: (Stream) -> Void)
  private let place: SocketPlace
  private var listener: Listener?
  /// The socket's file.
  private var identity: FileSystem.Identity?
  private var watch: FolderWatch?
  private var timer: Timer?
  /// The last logged reason it could not be bound again; nil while it is bound.
  private var complaint: TransportError?

  /// Binds the socket and listens.
  ///
  /// - Parameters:
  ///   - delay: how long a removed socket stays away before it is bound again. Otherwise a program that is deleting the
  ///     folder could never finish.
  ///   - interval: how often the path is checked if the kernel does not report changes, or after binding has failed.
  init(
    loop: Loop, path: String, group: String?, delay: Duration, interval: Duration, log: @escaping (String) -> Void,
    onError: @escaping (UVError) -> Void, onConnection: @escaping (Stream) -> Void
  ) throws(TransportError) {
    self.loop = loop
    self.delay = delay
    self.interval = interval
    self.log = log
    accepts = (onError, onConnection)
    place = try SocketPlace(path: path, group: group)
    do throws(UVError) {
      timer = try Timer(loop: loop) { [unowned self] in check() }
      timer?.keepsLoopRunning = false
    } catch {
      place.unlock()
      throw .noTimer(error)
    }
    do throws(TransportError) {
      try bind()
    } catch {
      close()
      throw error
    }
    watchFolder()
  }

  /// True if the path still leads to the socket, and the lock's path to its lock.
  private var isInPlace: Bool {
    identity != nil && (try? FileSystem.identity(of: place.path)) == identity && place.isLocked
  }

  /// Binds the socket again if it is not in place.
  private func check() {
    guard timer != nil else { return }
    defer { if watch == nil || complaint != nil { timer?.arm(after: interval) } }
    guard !isInPlace else { return complaint = nil }
    do throws(TransportError) {
      try place.prepareAgain()
      if (try? FileSystem.identity(of: place.path)) != identity || identity == nil {
        try place.removeStaleSocket()
        try bind()
        log("the socket \(place.path) was removed; bound it again")
      }
      complaint = nil
      watchFolder()
    } catch {
      if complaint != error { log("the socket \(place.path) was removed and cannot be bound again: \(error)") }
      complaint = error
    }
  }

  private func bind() throws(TransportError) {
    // Its file is gone, or belongs to another socket.
    listener?.leaveFile()
    listener?.close()
    listener = nil
    identity = nil
    let endpoint = Endpoint.unix(path: place.path)
    do throws(UVError) {
      listener = try Listener(loop: loop, endpoint, onError: accepts.onError, onConnection: accepts.onConnection)
    } catch {
      throw .cannotListen(endpoint, error)
    }
    identity = try TransportError.preparing(place.path) { () throws(UVError) in try FileSystem.identity(of: place.path)
    }
    try place.share()
  }

  /// Watches the folder, which may have been replaced by one of the same name.
  private func watchFolder() {
    watch?.close()
    watch = try? FolderWatch(loop: loop, place.folder) { [unowned self] name in
      if name.map(place.concerns) ?? true, !isInPlace { timer?.arm(after: delay) }
    }
    if watch == nil { timer?.arm(after: interval) }
  }

  /// Stops listening, and removes the socket's file if it is still its own. Idempotent.
  func close() {
    watch?.close()
    watch = nil
    timer?.close()
    timer = nil
    if !isInPlace { listener?.leaveFile() }
    listener?.close()
    listener = nil
    place.unlock()
  }
}
