internal import UV

/// The daemon's Unix socket. Its file may be taken away or replaced while the daemon runs, as what cleans up /tmp does:
/// the socket is then bound again, since nobody could reach the daemon otherwise, or stop it.
///
/// What happens in the folder is told by the kernel, so that looking after it costs nothing. Where the kernel does not
/// tell, and while the socket cannot be bound, the path is looked at from time to time. The folder's own folders are
/// not watched: a socket that goes elsewhere with one of those is not missed.
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
  /// Why it could not be bound again, as the log was told; nil where it is bound.
  private var complaint: TransportError?

  /// Binds the socket and listens.
  ///
  /// - Parameters:
  ///   - delay: how long a socket is left away before it is bound again. Whoever takes the folder away could not end
  ///     otherwise.
  ///   - interval: how often the path is looked at where the kernel does not tell, or where it could not be bound
  ///     again.
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

  /// Whether the path leads to the socket, and the lock to its lock.
  private var isInPlace: Bool {
    identity != nil && (try? FileSystem.identity(of: place.path)) == identity && place.isLocked
  }

  /// Sees that the socket is where it belongs.
  private func check() {
    guard timer != nil else { return }
    defer { if watch == nil || complaint != nil { timer?.arm(after: interval) } }
    guard !isInPlace else { return complaint = nil }
    do throws(TransportError) {
      try place.prepareAgain()
      if (try? FileSystem.identity(of: place.path)) != identity || identity == nil {
        try place.removeStaleSocket()
        try bind()
        log("the socket \(place.path) was taken away; it is bound again")
      }
      complaint = nil
      watchFolder()
    } catch {
      if complaint != error { log("the socket \(place.path) was taken away and cannot be bound again: \(error)") }
      complaint = error
    }
  }

  private func bind() throws(TransportError) {
    // Its file is no longer there, or another's.
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

  /// Watches the folder, which may be another of the same name by now.
  private func watchFolder() {
    watch?.close()
    watch = try? FolderWatch(loop: loop, place.folder) { [unowned self] name in
      if name.map(place.concerns) ?? true, !isInPlace { timer?.arm(after: delay) }
    }
    if watch == nil { timer?.arm(after: interval) }
  }

  /// Stops listening, and removes the socket's file if it is still that. Asking twice is harmless.
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
