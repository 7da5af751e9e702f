internal import CUV

/// A pending `uv_connect_t`. It keeps itself alive through the request's `data` until its callback.
@safe final class ConnectRequest {
  private let pointer = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
  private let stream: Stream
  private let completion: (Result<Stream, UVError>) -> Void

  /// A request that has not been started.
  init(stream: Stream, completion: @escaping (Result<Stream, UVError>) -> Void) {
    self.stream = stream
    self.completion = completion
  }

  deinit { unsafe pointer.deallocate() }

  /// Passes the request to libuv. If `body` returns an error, libuv has retained nothing and the callback never comes.
  @discardableResult
  func start(_ body: (UnsafeMutablePointer<uv_connect_t>) -> Int32) -> Int32 {
    let retained = unsafe Unmanaged.passRetained(self)
    unsafe pointer.pointee.data = retained.toOpaque()
    let status = unsafe body(pointer)
    if status != 0 { unsafe retained.release() }
    return status
  }

  /// Called by the trampoline.
  func ended(status: Int32) {
    guard status == 0 else {
      stream.close()
      return completion(.failure(UVError(rawValue: status)))
    }
    stream.becameConnected()
    completion(.success(stream))
  }
}

/// A pending `uv_write_t`, with the bytes that it owns. It keeps itself alive through the request's `data` until its
/// callback, and frees the bytes with itself.
@safe final class WriteRequest {
  private let pointer = UnsafeMutablePointer<uv_write_t>.allocate(capacity: 1)
  private let bytes: UnsafeMutableRawBufferPointer
  private let stream: Stream
  private let whenSent: (UVError?) -> Void

  /// Copies the bytes.
  init(stream: Stream, bytes: RawSpan, whenSent: @escaping (UVError?) -> Void) {
    self.stream = stream
    self.whenSent = whenSent
    unsafe self.bytes = .allocate(byteCount: bytes.byteCount, alignment: 1)
    unsafe bytes.withUnsafeBytes { unsafe self.bytes.copyMemory(from: $0) }
  }

  deinit {
    unsafe bytes.deallocate()
    unsafe pointer.deallocate()
  }

  /// Passes the request to libuv.
  func start() throws(UVError) {
    let retained = unsafe Unmanaged.passRetained(self)
    unsafe pointer.pointee.data = retained.toOpaque()
    let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    var buffer = unsafe uv_buf_t(base: base, len: bytes.count)
    let status = unsafe uv_write(pointer, stream.stream, &buffer, 1, onWrite)
    if status != 0 { unsafe retained.release() }
    try UVError.check(status)
  }

  /// Called by the trampoline.
  func ended(status: Int32) {
    stream.writeEnded()
    whenSent(status == 0 ? nil : UVError(rawValue: status))
  }
}
