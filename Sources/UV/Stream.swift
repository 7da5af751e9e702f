internal import CUV

/// A connected TCP or Unix socket, or a terminal.
///
/// Reading lends the bytes for the duration of the callback. Writing tries the kernel first and copies only the rest;
/// the owner starts no second write before the first has ended, so at most one such copy exists.
public final class Stream: Handle {
  /// True while a write waits for the kernel; a second one would be queued behind it.
  public private(set) var isWriting = false

  private let isPipe: Bool
  private var onBytes: ((RawSpan) -> Void)?
  private var onEnd: ((UVError?) -> Void)?

  /// The outcome of a write.
  public enum WriteOutcome: Sendable {
    /// The kernel accepted all of it.
    case sent
    /// The rest was copied; `whenSent` will be called.
    case queued
  }

  /// Opens a socket that is not connected yet.
  init(loop: Loop, isPipe: Bool) throws(UVError) {
    self.isPipe = isPipe
    try unsafe super.init(loop: loop, type: isPipe ? UV_NAMED_PIPE : UV_TCP) { memory in
      unsafe Stream.open(memory, isPipe: isPipe, loop: loop)
    }
  }

  /// Opens a terminal by its descriptor. libuv reopens it, so that other processes that share it are not switched
  /// between blocking and non-blocking.
  init(loop: Loop, terminal descriptor: Int32) throws(UVError) {
    isPipe = true
    try unsafe super.init(loop: loop, type: UV_TTY) { memory in
      unsafe uv_tty_init(loop.pointer, memory.assumingMemoryBound(to: uv_tty_t.self), descriptor, 0)
    }
  }

  /// Calls `uv_pipe_init` or `uv_tcp_init`.
  static func open(_ memory: UnsafeMutableRawPointer, isPipe: Bool, loop: Loop) -> Int32 {
    isPipe
      ? unsafe uv_pipe_init(loop.pointer, memory.assumingMemoryBound(to: uv_pipe_t.self), 0)
      : unsafe uv_tcp_init(loop.pointer, memory.assumingMemoryBound(to: uv_tcp_t.self))
  }

  /// The handle as libuv's stream type.
  var stream: UnsafeMutablePointer<uv_stream_t> { unsafe memory.assumingMemoryBound(to: uv_stream_t.self) }

  /// Connects. The completion runs once, on the loop, never before this returns.
  ///
  /// `noSuchFile`, `connectionRefused`, `permissionDenied` and `nameTooLong` arrive through the completion like every
  /// other failure, so that a caller handles them in one place. Closing the returned stream ends the attempt with
  /// `cancelled`.
  @discardableResult
  public static func connect(
    loop: Loop, to endpoint: Endpoint, completion: @escaping (Result<Stream, UVError>) -> Void
  ) throws(UVError) -> Stream {
    switch endpoint {
    case .unix(let path):
      guard path.utf8.count <= Endpoint.maximumPathBytes else { throw .nameTooLong }
      let stream = try Stream(loop: loop, isPipe: true)
      let request = ConnectRequest(stream: stream, completion: completion)
      unsafe request.start { pointer in
        unsafe uv_pipe_connect(pointer, stream.memory.assumingMemoryBound(to: uv_pipe_t.self), path, onConnect)
        return 0
      }
      return stream
    case .tcp(let address):
      let stream = try Stream(loop: loop, isPipe: false)
      let request = ConnectRequest(stream: stream, completion: completion)
      let status = unsafe request.start { pointer in
        unsafe address.withPointer {
          unsafe uv_tcp_connect(pointer, stream.memory.assumingMemoryBound(to: uv_tcp_t.self), $0, onConnect)
        }
      }
      guard status == 0 else {
        stream.close()
        throw UVError(rawValue: status)
      }
      return stream
    }
  }

  /// Seconds of silence after which the kernel probes a TCP peer: then once a second, at most ten times, according to
  /// libuv.
  static let keepAliveSeconds: UInt32 = 60

  /// Time data may remain unacknowledged by a TCP peer's kernel: as long as a silence may last.
  static let answerTimeoutMilliseconds: UInt32 = 70_000

  /// Configures a TCP socket. Nagle's algorithm is off: all output of a turn leaves in one write, so waiting gains
  /// nothing. The kernel detects a peer that vanished silently, without waking us or a healthy peer.
  func becameConnected() {
    guard !isPipe else { return }
    let tcp = unsafe memory.assumingMemoryBound(to: uv_tcp_t.self)
    // A socket that refuses an option still works, but detects a lost peer later, or only on a write.
    _ = unsafe uv_tcp_nodelay(tcp, 1)
    _ = unsafe uv_tcp_keepalive(tcp, 1, Stream.keepAliveSeconds)
    _ = unsafe cuv_user_timeout(handle, Stream.answerTimeoutMilliseconds)
  }

  /// Bytes of a write that the kernel has not accepted yet.
  var waitingBytes: Int { isOpen ? unsafe uv_stream_get_write_queue_size(stream) : 0 }

  /// Starts reading. `onBytes` gets at most `Loop.readBufferBytes` at a time, valid only during the call; `onEnd` is
  /// called once, with nil at the end of the stream or with an error.
  public func startReading(
    onBytes: @escaping (RawSpan) -> Void, onEnd: @escaping (UVError?) -> Void
  ) throws(UVError) {
    guard isOpen else { throw .cancelled }
    self.onBytes = onBytes
    self.onEnd = onEnd
    try UVError.check(unsafe uv_read_start(stream, onAllocate, onRead))
  }

  /// Stops reading: the kernel's buffer fills up, and the peer has to wait. `startReading` resumes.
  public func stopReading() {
    guard isOpen else { return }
    // Always 0, according to libuv.
    _ = unsafe uv_read_stop(stream)
  }

  /// Writes as much as the kernel accepts at once. Returns the number of bytes.
  ///
  /// - Throws: the kernel's error; a full buffer is not an error but 0.
  public func tryWrite(_ bytes: RawSpan) throws(UVError) -> Int {
    guard isOpen else { throw .cancelled }
    guard !bytes.isEmpty, !isWriting else { return 0 }
    let taken = unsafe bytes.withUnsafeBytes { raw in
      // libuv does not write through the pointer; its type lacks const.
      let base = unsafe UnsafeMutableRawPointer(mutating: raw.baseAddress)?.assumingMemoryBound(to: CChar.self)
      var buffer = unsafe uv_buf_t(base: base, len: raw.count)
      return unsafe uv_try_write(stream, &buffer, 1)
    }
    if taken == UVError.tryAgain.rawValue { return 0 }
    return Int(try UVError.check(taken))
  }

  /// Sends all of `bytes`. If the outcome is `queued`, `whenSent` is called once, also with an error if the stream
  /// fails or is closed before the kernel has accepted them.
  @discardableResult
  public func write(
    _ bytes: RawSpan, whenSent: @escaping (UVError?) -> Void = { _ in }
  ) throws(UVError) -> WriteOutcome {
    let taken = try tryWrite(bytes)
    guard taken < bytes.byteCount else { return .sent }
    isWriting = true
    let request = WriteRequest(stream: self, bytes: bytes.extracting(droppingFirst: taken), whenSent: whenSent)
    do {
      try request.start()
    } catch {
      isWriting = false
      throw error
    }
    return .queued
  }

  /// Sends as much of `finalBytes` as the kernel accepts at once, and closes.
  public func close(after finalBytes: [UInt8]) {
    _ = try? unsafe tryWrite(finalBytes.span.bytes)
    close()
  }

  /// Returns the peer of a Unix socket, as the kernel recorded it on connection (`SO_PEERCRED`, unix(7)).
  ///
  /// - Throws: `invalidArgument` on a TCP socket.
  public func peerCredentials() throws(UVError) -> PeerCredentials {
    guard isOpen, isPipe else { throw .invalidArgument }
    var raw = cuv_credentials()
    try UVError.check(unsafe cuv_peer_credentials(handle, &raw))
    return PeerCredentials(processID: raw.process_id, userID: raw.user_id, groupID: raw.group_id)
  }

  override func willClose() {
    onBytes = nil
    onEnd = nil
  }

  /// Handles bytes, the end, an error, or (with 0) nothing at all; called by the trampoline.
  func readEnded(count: Int, base: UnsafeMutablePointer<CChar>?) {
    if count > 0 {
      let buffer = unsafe UnsafeRawBufferPointer(start: base, count: count)
      unsafe onBytes?(buffer.bytes)
    } else if count < 0 {
      stopReading()
      let end = onEnd
      onBytes = nil
      onEnd = nil
      end?(count == Int(UV_EOF.rawValue) ? nil : UVError(rawValue: Int32(count)))
    }
  }

  /// Records that a write request has ended.
  func writeEnded() { isWriting = false }
}

/// The process at the other end of a Unix socket.
public struct PeerCredentials: Sendable, Hashable {
  /// The process that called `connect`; it may have ended since.
  public let processID: Int32
  /// Its effective user.
  public let userID: UInt32
  /// Its effective group.
  public let groupID: UInt32
}
