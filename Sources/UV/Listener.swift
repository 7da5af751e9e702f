internal import CUV

/// A listening socket. Connections arrive as open streams that do not read yet.
public final class Listener: Handle {
  private var onConnection: ((Stream) -> Void)?
  private var onError: ((UVError) -> Void)?
  private let isPipe: Bool

  /// Connections that the kernel queues while the loop is busy. The kernel limits it to `net.core.somaxconn`, 4096.
  public static let backlog: Int32 = 4096

  /// Binds and listens.
  ///
  /// A Unix socket's file gets `mode`, whatever the process's umask; libuv removes it on close.
  /// - Parameter onError: called for a connection that could not be accepted; the listener continues.
  /// - Throws: `addressInUse` if the path exists or the port is taken, `nameTooLong` above `Endpoint.maximumPathBytes`.
  public convenience init(
    loop: Loop, _ endpoint: Endpoint, mode: UInt32 = 0o600, onError: @escaping (UVError) -> Void = { _ in },
    onConnection: @escaping (Stream) -> Void
  ) throws(UVError) {
    switch endpoint {
    case .unix(let path):
      // libuv 1.44 silently truncates a path that is too long, and would listen somewhere else.
      guard path.utf8.count <= Endpoint.maximumPathBytes else { throw .nameTooLong }
      try self.init(loop: loop, isPipe: true, onError: onError, onConnection: onConnection)
      try unsafe configure { unsafe uv_pipe_bind($0.assumingMemoryBound(to: uv_pipe_t.self), path) }
      do {
        // No client can connect before the mode is set: a socket that is bound but does not listen refuses.
        try FileSystem.changeMode(of: path, to: mode)
      } catch {
        close()
        throw error
      }
    case .tcp(let address):
      try self.init(loop: loop, isPipe: false, onError: onError, onConnection: onConnection)
      try unsafe configure { memory in
        unsafe address.withPointer { unsafe uv_tcp_bind(memory.assumingMemoryBound(to: uv_tcp_t.self), $0, 0) }
      }
    }
    try listen()
  }

  /// Adopts a socket that another process bound and listens on, as systemd does with descriptor 3 (sd_listen_fds(3)).
  /// The descriptor is closed with the listener; a socket's file remains.
  ///
  /// - Throws: `invalidArgument` if the descriptor is not a stream socket.
  public convenience init(
    loop: Loop, inherited descriptor: Int32, onError: @escaping (UVError) -> Void = { _ in },
    onConnection: @escaping (Stream) -> Void
  ) throws(UVError) {
    let kind = uv_guess_handle(descriptor)
    guard kind == UV_NAMED_PIPE || kind == UV_TCP else { throw .invalidArgument }
    let isPipe = kind == UV_NAMED_PIPE
    try self.init(loop: loop, isPipe: isPipe, onError: onError, onConnection: onConnection)
    try unsafe configure { memory in
      isPipe
        ? unsafe uv_pipe_open(memory.assumingMemoryBound(to: uv_pipe_t.self), descriptor)
        : unsafe uv_tcp_open(memory.assumingMemoryBound(to: uv_tcp_t.self), descriptor)
    }
    try listen()
  }

  private init(
    loop: Loop, isPipe: Bool, onError: @escaping (UVError) -> Void, onConnection: @escaping (Stream) -> Void
  ) throws(UVError) {
    self.isPipe = isPipe
    self.onError = onError
    self.onConnection = onConnection
    try unsafe super.init(loop: loop, type: isPipe ? UV_NAMED_PIPE : UV_TCP) { memory in
      unsafe Stream.open(memory, isPipe: isPipe, loop: loop)
    }
  }

  /// Applies a libuv call to the handle, and closes the handle if the call fails.
  private func configure(_ body: (UnsafeMutableRawPointer) -> Int32) throws(UVError) {
    let status = unsafe body(memory)
    guard status >= 0 else {
      close()
      throw UVError(rawValue: status)
    }
  }

  private func listen() throws(UVError) {
    try unsafe configure { memory in
      unsafe uv_listen(memory.assumingMemoryBound(to: uv_stream_t.self), Listener.backlog, UV.onConnection)
    }
  }

  /// The bound address of a TCP listener, with the port chosen by the kernel; nil for a pipe.
  public var localAddress: SocketAddress? {
    guard isOpen, !isPipe else { return nil }
    var storage = sockaddr_storage()
    var length = Int32(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutablePointer(to: &storage) { pointer -> SocketAddress? in
      let tcp = unsafe memory.assumingMemoryBound(to: uv_tcp_t.self)
      let status = unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe uv_tcp_getsockname(tcp, $0, &length)
      }
      guard status == 0 else { return nil }
      let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer -> String? in
        let name = buffer.baseAddress
        let status = unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe uv_ip_name($0, name, buffer.count)
        }
        guard status == 0, let name = unsafe name else { return nil }
        return unsafe String(cString: name)
      }
      guard let text else { return nil }
      return unsafe SocketAddress(host: text, port: cuv_port(pointer))
    }
  }

  /// Keeps the file at the socket's path when the listener is closed, because it now belongs to another process.
  public func leaveFile() {
    guard isOpen, isPipe else { return }
    unsafe cuv_forget_path(memory.assumingMemoryBound(to: uv_pipe_t.self))
  }

  override func willClose() {
    onConnection = nil
    onError = nil
  }

  /// Accepts a waiting connection, or reports that accepting failed; called by the trampoline.
  func connectionReady(status: Int32) {
    do throws(UVError) {
      try UVError.check(status)
      let stream = try Stream(loop: loop, isPipe: isPipe)
      do throws(UVError) {
        try unsafe UVError.check(uv_accept(memory.assumingMemoryBound(to: uv_stream_t.self), stream.stream))
      } catch {
        stream.close()
        throw error
      }
      stream.becameConnected()
      onConnection?(stream)
    } catch {
      onError?(error)
    }
  }
}
