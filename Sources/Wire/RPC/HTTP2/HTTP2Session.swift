internal import CNGHTTP2

/// One end of an HTTP/2 connection: nghttp2 behind the few operations that gRPC needs. Bytes in, bytes out, no socket.
///
/// nghttp2's own checks of HTTP messages are off: they reset streams whose `:authority` is empty or a path, which some
/// stubs send on Unix sockets. `RequestHeaders` and `ResponseHeaders` check instead.
///
/// The peer's actions reach `owner` during `receive`; a client's request bodies are read from `bodies` during
/// `takeOutput`. Neither may be called from inside the other, which nghttp2 forbids; everything else may.
///
/// A server writes its DATA frames itself, and so keeps the windows that the client opens for them; nghttp2 sees
/// neither (ADR 0009).
@safe final class HTTP2Session {
  /// The role of this end.
  enum Role {
    /// Opens streams.
    case client
    /// Responds to them.
    case server
  }

  // Fields used on every delivery lie side by side, as in `ServerCall`.
  /// `isIdle` is true while nghttp2 has nothing to send, `isFinished` if the session is then over; both are cached
  /// until nghttp2 is called again. Asking it costs more than a delivery may, since its state is scattered in memory.
  private var isIdle = false
  private var isFinished = false
  /// True once the connection is beyond saving: nothing more is read, and nothing is written but `pendingGoAway`.
  private(set) var hasFailed = false
  /// Called when output becomes available after there was none.
  var onOutput: (() -> Void)?
  private var hasAnnouncedOutput = false

  private let role: Role
  private let pointer: OpaquePointer
  /// The memory that nghttp2 has allocated for this session; it outlives `pointer`.
  private let account: UnsafeMutablePointer<cng_account>
  /// Acts on what arrives. It owns the session, so it outlives every callback.
  unowned var owner: (any HTTP2SessionOwner)?
  /// Provides a client's request bodies; it outlives every callback too.
  unowned var bodies: (any HTTP2BodySource)?
  /// Finds the client's WINDOW_UPDATE frames, on a server.
  private var extractor = WindowUpdateExtractor()
  /// The bytes that `takeOutput` gathers; otherwise empty.
  private var output: [UInt8] = []
  /// The size at which `takeOutput` stops gathering.
  private var outputLimit = 0
  private var isInside = false
  /// The GOAWAY that tells the peer the reason, until it has been taken.
  private var pendingGoAway: [UInt8] = []

  /// Creates a session with its SETTINGS ready to be sent. Returns nil if memory is short.
  init?(role: Role, limits: ConnectionLimits) {
    var callbacks: OpaquePointer?
    var options: OpaquePointer?
    guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
    defer { unsafe nghttp2_session_callbacks_del(callbacks) }
    guard unsafe nghttp2_option_new(&options) == 0 else { return nil }
    defer { unsafe nghttp2_option_del(options) }
    unsafe HTTP2Session.install(callbacks)
    unsafe HTTP2Session.set(options, role: role, limits: limits)
    let account = UnsafeMutablePointer<cng_account>.allocate(capacity: 1)
    unsafe account.initialize(to: cng_account(held: 0, limit: limits.floods.memoryBytes, is_refused: 0))
    var memory = unsafe cng_memory(account)
    var session: OpaquePointer?
    let status =
      switch role {
      case .client: unsafe nghttp2_session_client_new3(&session, callbacks, nil, options, &memory)
      case .server: unsafe nghttp2_session_server_new3(&session, callbacks, nil, options, &memory)
      }
    guard status == 0, let session = unsafe session else {
      unsafe account.deallocate()
      return nil
    }
    self.role = role
    unsafe self.account = account
    unsafe pointer = session
    unsafe nghttp2_session_set_user_data(pointer, Unmanaged.passUnretained(self).toOpaque())
    sendSettings(role: role, limits: limits)
  }

  deinit {
    unsafe nghttp2_session_del(pointer)
    unsafe account.deallocate()
  }

  /// Heap bytes that nghttp2 has for this session; at most `ConnectionLimits.Floods.memoryBytes`.
  var memoryBytes: Int { unsafe account.pointee.held }

  private static func set(_ options: OpaquePointer?, role: Role, limits: ConnectionLimits) {
    unsafe nghttp2_option_set_no_http_messaging(options, 1)
    // Windows are credited manually, so that a call can hold its peer back.
    unsafe nghttp2_option_set_no_auto_window_update(options, 1)
    // Closed streams are kept only for a priority tree that is not used.
    unsafe nghttp2_option_set_no_closed_streams(options, 1)
    // A server's headers are nearly always the same few: not worth a table in each of thousands of connections.
    if role == .server { unsafe nghttp2_option_set_max_deflate_dynamic_table_size(options, 0) }
    // Counted in `streamClosed`, which also covers cases that nghttp2's own limit misses.
    unsafe nghttp2_option_set_stream_reset_rate_limit(options, .max, 0)
    // nghttp2 1.52 counts once for each piece in which the nine bytes of a frame's header arrive.
    unsafe nghttp2_option_set_max_continuations(options, 9 * limits.floods.continuations)
    unsafe nghttp2_option_set_max_settings(options, limits.floods.settingsEntries)
    unsafe nghttp2_option_set_max_outbound_ack(options, limits.floods.queuedAcknowledgements)
  }

  private func sendSettings(role: Role, limits: ConnectionLimits) {
    var entries = [
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: UInt32(limits.streams.windowBytes)),
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
        value: UInt32(limits.streams.headerListBytes)),
    ]
    switch role {
    case .server:
      entries.append(
        nghttp2_settings_entry(
          settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: limits.streams.concurrent))
    case .client:
      entries.append(nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0))
    }
    let none = UInt8(NGHTTP2_FLAG_NONE.rawValue)
    unsafe check(nghttp2_submit_settings(pointer, none, entries, entries.count))
    unsafe check(nghttp2_session_set_local_window_size(pointer, none, 0, limits.streams.connectionWindowBytes))
  }

  // MARK: Bytes

  /// Processes bytes that the peer sent. Returns false if the connection has failed.
  func receive(_ bytes: RawSpan) -> Bool {
    precondition(!isInside, "receive was called from inside a callback")
    guard !hasFailed else { return false }
    isInside = true
    switch role {
    case .client: feed(bytes)
    case .server: extractWindowUpdates(from: bytes)
    }
    isInside = false
    changed()
    return !hasFailed
  }

  /// Passes everything to nghttp2 except updates of windows that the owner keeps.
  private func extractWindowUpdates(from bytes: RawSpan) {
    var rest = bytes
    while !hasFailed {
      switch extractor.next(in: &rest) {
      case .bytes(let count):
        feed(rest.extracting(first: count))
        rest = rest.extracting(droppingFirst: count)
      case .held: unsafe feed(extractor.takeHeldBytes().span.bytes)
      case .update(let stream, let increment):
        let frame = extractor.takeHeldBytes()
        // An increment of 0 is an error (section 6.9).
        let isTaken = increment > 0 && owner?.windowOpened(stream, by: increment) ?? false
        if !isTaken { unsafe feed(frame.span.bytes) }
      case .offence(let kind): fail(kind == .afterEnd ? ErrorCode.streamClosed : ErrorCode.protocolError, kind.reason)
      case .end: return
      }
    }
  }

  /// Passes bytes to nghttp2.
  private func feed(_ bytes: RawSpan) {
    let taken = unsafe bytes.withUnsafeBytes { raw in
      unsafe nghttp2_session_mem_recv(pointer, raw.baseAddress?.assumingMemoryBound(to: UInt8.self), raw.count)
    }
    isIdle = false
    if taken < 0 { fail(status: Int32(clamping: taken)) }
  }

  /// The initial window of a stream, by the peer's last SETTINGS.
  var peerStreamWindowBytes: Int {
    unsafe Int(nghttp2_session_get_remote_settings(pointer, NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE))
  }

  /// Moves pending output to the end of `buffer`, and stops soon after `limit` bytes. Returns false if there was none.
  @discardableResult
  func takeOutput(into buffer: inout [UInt8], limit: Int) -> Bool {
    precondition(!isInside, "takeOutput was called from inside a callback")
    let before = buffer.count
    guard !hasFailed else { return takePendingGoAway(into: &buffer) }
    hasAnnouncedOutput = false
    guard !isIdle else { return false }
    isInside = true
    swap(&output, &buffer)
    outputLimit = before + limit
    while output.count < outputLimit, !hasFailed {
      var bytes: UnsafePointer<UInt8>?
      let count = unsafe nghttp2_session_mem_send(pointer, &bytes)
      if count < 0 { fail(status: Int32(clamping: count)) }
      // It also returns 0 when a body had to wait for room in the output.
      if count == 0, output.count < outputLimit { becameIdle() }
      if count <= 0 { break }
      unsafe output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    }
    swap(&output, &buffer)
    isInside = false
    if hasFailed { takePendingGoAway(into: &buffer) }
    return buffer.count > before
  }

  @discardableResult
  private func takePendingGoAway(into buffer: inout [UInt8]) -> Bool {
    hasAnnouncedOutput = false
    buffer += pendingGoAway
    defer { pendingGoAway = [] }
    return !pendingGoAway.isEmpty
  }

  /// True if nothing more will be read or written: the socket may be closed.
  var isOver: Bool {
    guard !hasFailed else { return pendingGoAway.isEmpty }
    return isIdle ? isFinished : wantsNothing
  }

  private var wantsNothing: Bool { unsafe nghttp2_session_want_read(pointer) == 0 && !wantsToWrite }

  private func becameIdle() {
    isIdle = true
    isFinished = wantsNothing
  }

  /// Returns true if a stream has been opened and not closed; a client's request that is still queued has not been
  /// opened.
  func isOpen(_ stream: Int32) -> Bool { unsafe nghttp2_session_find_stream(pointer, stream) != nil }

  /// True if there is something to send.
  var hasOutput: Bool { hasFailed ? !pendingGoAway.isEmpty : !isIdle && wantsToWrite }

  private var wantsToWrite: Bool { unsafe nghttp2_session_want_write(pointer) != 0 }

  /// True if DATA may be sent: nghttp2 has nothing that goes before it, and the session has not failed.
  var isReadyForData: Bool { isIdle && !isFinished && !hasFailed }

  private func changed() {
    if hasOutput { announceOutput() }
  }

  /// Calls `onOutput`, once until the output is taken.
  func announceOutput() {
    guard !hasAnnouncedOutput else { return }
    hasAnnouncedOutput = true
    onOutput?()
  }

  /// Checks the result of a submitting call. Such calls fail only for lack of memory or for a stream that has closed.
  /// The first ends the connection; the second is a race that the peer won, and harmless.
  private func check(_ status: Int32) {
    isIdle = false
    if nghttp2_is_fatal(status) != 0 { fail(status: status) }
    changed()
  }

  /// Ends the connection after a fatal error of nghttp2.
  private func fail(status: Int32) {
    switch status {
    case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue:
      fail(ErrorCode.protocolError, "this port speaks gRPC: HTTP/2 from the first byte, without TLS")
    case NGHTTP2_ERR_FLOODED.rawValue:
      fail(ErrorCode.enhanceYourCalm, "acknowledgements of SETTINGS and PING are not being read")
    case NGHTTP2_ERR_TOO_MANY_CONTINUATIONS.rawValue:
      fail(ErrorCode.enhanceYourCalm, "a header block has too many CONTINUATION frames")
    case NGHTTP2_ERR_NOMEM.rawValue where unsafe account.pointee.is_refused != 0:
      fail(ErrorCode.enhanceYourCalm, "the connection exceeds its memory limit")
    default: fail(ErrorCode.internalError, "")
    }
  }

  // MARK: Operations

  /// Opens a stream whose body is read from `bodies`. Returns nil if the stream IDs are used up.
  func request(_ fields: [HeaderField]) -> Int32? {
    var provider = unsafe HTTP2Session.provider
    let stream = unsafe HTTP2Session.withFields(fields) { fields, count in
      unsafe nghttp2_submit_request(pointer, nil, fields, count, &provider, nil)
    }
    guard stream > 0 else {
      check(stream)
      return nil
    }
    check(0)
    return stream
  }

  /// Responds to a request: with headers that the owner's DATA follows once they have been taken, or with headers only,
  /// which end the stream.
  func respond(_ stream: Int32, _ fields: [HeaderField], hasBody: Bool) {
    let status = unsafe HTTP2Session.withFields(fields) { fields, count in
      hasBody
        ? unsafe nghttp2_submit_headers(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, nil, fields, count, nil)
        : unsafe nghttp2_submit_response(pointer, stream, fields, count, nil)
    }
    check(status)
  }

  /// Ends a body with trailers. Must be called after its last DATA has been taken.
  func sendTrailers(_ stream: Int32, _ fields: [HeaderField]) {
    let status = unsafe HTTP2Session.withFields(fields) { fields, count in
      unsafe nghttp2_submit_trailer(pointer, stream, fields, count)
    }
    check(status)
  }

  /// Asks `bodies` again for a body that had nothing to send.
  func resume(_ stream: Int32) { unsafe check(nghttp2_session_resume_data(pointer, stream)) }

  /// Ends a stream at once, in both directions.
  func reset(_ stream: Int32, _ errorCode: UInt32) {
    unsafe check(nghttp2_submit_rst_stream(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, errorCode))
  }

  /// Credits bytes of a stream to the peer. Those of the connection are credited as they arrive.
  func credit(_ stream: Int32, _ bytes: Int) {
    guard bytes > 0 else { return }
    unsafe check(nghttp2_session_consume_stream(pointer, stream, bytes))
  }

  /// Announces that no new streams should be opened, without refusing any yet (RFC 9113 section 6.8).
  func announceShutDown() { unsafe check(nghttp2_submit_shutdown_notice(pointer)) }

  /// Announces that streams above the last one seen will not be served.
  func refuseNewStreams() {
    let last = unsafe nghttp2_session_get_last_proc_stream_id(pointer)
    unsafe check(
      nghttp2_submit_goaway(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, ErrorCode.none, nil, 0))
  }

  /// Abandons the connection: nothing more is read or written.
  func abandon() {
    hasFailed = true
    pendingGoAway = []
  }

  /// Ends the connection for a fault: nothing more is read, and only a GOAWAY with the code and an ASCII reason is
  /// still sent. nghttp2 puts no reason into its own GOAWAY, and sends none at all after an error of its own. Has no
  /// effect on a connection that has already failed.
  func fail(_ errorCode: UInt32, _ reason: String) {
    guard !hasFailed else { return }
    hasFailed = true
    // Makes nghttp2 ignore the rest of the input it is processing.
    _ = unsafe nghttp2_session_terminate_session(pointer, errorCode)
    let last = unsafe UInt32(truncatingIfNeeded: nghttp2_session_get_last_proc_stream_id(pointer))
    pendingGoAway = HTTP2Session.goAway(lastStream: last, errorCode, reason)
    changed()
  }

  /// Returns a GOAWAY frame with its reason as text.
  static func goAway(lastStream: UInt32, _ errorCode: UInt32, _ reason: String) -> [UInt8] {
    let body = bigEndian(lastStream) + bigEndian(errorCode) + Array(reason.utf8)
    // Length (24 bits), type 7, no flags, stream 0: RFC 9113 sections 4.1 and 6.8.
    return Array(bigEndian(UInt32(body.count)).dropFirst()) + [7, 0, 0, 0, 0, 0] + body
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Ends the connection gracefully, once all queued output and a last GOAWAY have been sent.
  func terminate(_ errorCode: UInt32) { unsafe check(nghttp2_session_terminate_session(pointer, errorCode)) }

  /// Sends a ping, whose acknowledgement reaches the owner with the same eight bytes.
  func ping(_ bytes: InlineArray<8, UInt8>) {
    var bytes = bytes
    let status = unsafe withUnsafePointer(to: &bytes) { pointer in
      unsafe pointer.withMemoryRebound(to: UInt8.self, capacity: 8) {
        unsafe nghttp2_submit_ping(self.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), $0)
      }
    }
    check(status)
  }

  // MARK: Called by the trampolines

  /// Handles bytes of a body. The connection's window is credited at once; the stream's by its owner.
  func received(_ bytes: RawSpan, on stream: Int32) {
    unsafe check(nghttp2_session_consume_connection(pointer, bytes.byteCount))
    owner?.received(bytes, on: stream)
  }

  /// Handles a header block that could not be sent. On a client no stream was opened, so no close will be reported; on
  /// a server the stream is gone, or has to be reset.
  func headersWereNotSent(on stream: Int32) {
    if role == .client {
      owner?.streamClosed(stream, errorCode: ErrorCode.refusedStream)
    } else if isOpen(stream) {
      // Headers that cannot be sent would leave the call open forever. Nothing remains of a stream that the client has
      // reset.
      reset(stream, ErrorCode.internalError)
    }
  }

  /// Writes a DATA frame of `count` bytes. Returns false if the output is full, and nghttp2 must ask again.
  func writeData(header: UnsafePointer<UInt8>, count: Int, stream: Int32) -> Bool {
    guard output.count < outputLimit else { return false }
    // The length, type, flags and stream of RFC 9113 section 4.1.
    unsafe output.append(contentsOf: UnsafeBufferPointer(start: header, count: 9))
    bodies?.write(count, of: stream, to: &output)
    return true
  }
}
