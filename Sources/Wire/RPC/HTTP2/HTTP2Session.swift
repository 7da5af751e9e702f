internal import CNGHTTP2

/// One end of an HTTP/2 connection: nghttp2 behind the few verbs that gRPC needs. Bytes in, bytes out, no socket.
///
/// nghttp2's own checks of HTTP messages are off: they reset streams whose `:authority` is empty or a path, which is
/// what some stubs send on Unix sockets. `RequestHeaders` and `ResponseHeaders` check instead.
///
/// What the peer does arrives at `owner` during `receive`; a client's bytes to send are asked of `bodies` during
/// `takeOutput`. Neither may be called from inside the other, which nghttp2 forbids; everything else may.
///
/// A server sends its DATA frames itself, and so keeps the windows that the client opens for them; nghttp2 sees none of
/// either (ADR 0009).
@safe final class HTTP2Session {
  /// Which end this is.
  enum Role {
    /// Opens streams.
    case client
    /// Answers them.
    case server
  }

  // What a delivery touches lies side by side, as in `ServerCall`.
  /// Whether nghttp2 has nothing to send, and whether all is over then: true until it is called again. Asking it costs
  /// more than a delivery may, for what it has lies scattered.
  private var isQuiet = false
  private var isFinished = false
  /// Whether the connection is beyond saving: nothing more is read, and nothing written but `lastWords`.
  private(set) var hasFailed = false
  /// Called when there is something to send after there was nothing.
  var onOutput: (() -> Void)?
  private var hasAnnouncedOutput = false

  private let role: Role
  private let pointer: OpaquePointer
  /// What nghttp2 has allocated for this session; it outlives `pointer`.
  private let account: UnsafeMutablePointer<cng_account>
  /// Who acts on what arrives. It owns the session, so it outlives every callback.
  unowned var owner: (any HTTP2SessionOwner)?
  /// Who has a client's bodies; it outlives every callback too.
  unowned var bodies: (any HTTP2BodySource)?
  /// What finds the WINDOW_UPDATE frames of a client, at a server.
  private var sieve = FrameSieve()
  /// Where `takeOutput` gathers bytes; otherwise empty.
  private var output: [UInt8] = []
  /// Where `takeOutput` stops gathering.
  private var outputLimit = 0
  private var isInside = false
  /// The GOAWAY that tells the peer why, until it has been taken.
  private var lastWords: [UInt8] = []

  /// A session that has its SETTINGS ready to be sent. Nil when memory is short.
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

  /// Bytes of the heap that nghttp2 has for this session; `ConnectionLimits.Floods.memoryBytes` at most.
  var memoryBytes: Int { unsafe account.pointee.held }

  private static func set(_ options: OpaquePointer?, role: Role, limits: ConnectionLimits) {
    unsafe nghttp2_option_set_no_http_messaging(options, 1)
    // Windows are credited by hand, so that a call can hold its peer back.
    unsafe nghttp2_option_set_no_auto_window_update(options, 1)
    // Closed streams are kept only for a priority tree that nobody uses.
    unsafe nghttp2_option_set_no_closed_streams(options, 1)
    // A server's headers are nearly all the same few: not worth a table in each of thousands of connections.
    if role == .server { unsafe nghttp2_option_set_max_deflate_dynamic_table_size(options, 0) }
    // Counted in `streamClosed`, also where nghttp2's own limit does not look.
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

  /// Takes bytes that the peer sent. False if the connection has failed.
  func receive(_ bytes: RawSpan) -> Bool {
    precondition(!isInside, "receive was called from inside a callback")
    guard !hasFailed else { return false }
    isInside = true
    switch role {
    case .client: pass(bytes)
    case .server: sift(bytes)
    }
    isInside = false
    changed()
    return !hasFailed
  }

  /// Gives nghttp2 all but the updates of windows that the owner knows.
  private func sift(_ bytes: RawSpan) {
    var rest = bytes
    while !hasFailed {
      switch sieve.next(in: &rest) {
      case .bytes(let count):
        pass(rest.extracting(first: count))
        rest = rest.extracting(droppingFirst: count)
      case .held: unsafe pass(sieve.takeHeld().span.bytes)
      case .update(let stream, let increment):
        let frame = sieve.takeHeld()
        // An increment of 0 is an error (section 6.9).
        let isTaken = increment > 0 && owner?.windowOpened(stream, by: increment) ?? false
        if !isTaken { unsafe pass(frame.span.bytes) }
      case .end: return
      }
    }
  }

  /// Gives bytes to nghttp2.
  private func pass(_ bytes: RawSpan) {
    let taken = unsafe bytes.withUnsafeBytes { raw in
      unsafe nghttp2_session_mem_recv(pointer, raw.baseAddress?.assumingMemoryBound(to: UInt8.self), raw.count)
    }
    isQuiet = false
    if taken < 0 { fail(status: Int32(clamping: taken)) }
  }

  /// What a stream's window is at first, by the peer's last SETTINGS.
  var peerStreamWindowBytes: Int {
    unsafe Int(nghttp2_session_get_remote_settings(pointer, NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE))
  }

  /// Moves what there is to send to the end of `buffer`, and stops soon after `limit` bytes. False if there was
  /// nothing.
  @discardableResult
  func takeOutput(into buffer: inout [UInt8], limit: Int) -> Bool {
    precondition(!isInside, "takeOutput was called from inside a callback")
    let before = buffer.count
    guard !hasFailed else { return takeLastWords(into: &buffer) }
    hasAnnouncedOutput = false
    guard !isQuiet else { return false }
    isInside = true
    swap(&output, &buffer)
    outputLimit = before + limit
    while output.count < outputLimit, !hasFailed {
      var bytes: UnsafePointer<UInt8>?
      let count = unsafe nghttp2_session_mem_send(pointer, &bytes)
      if count < 0 { fail(status: Int32(clamping: count)) }
      // It says 0 as well where a body had to wait for room in the output.
      if count == 0, output.count < outputLimit { becameQuiet() }
      if count <= 0 { break }
      unsafe output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    }
    swap(&output, &buffer)
    isInside = false
    if hasFailed { takeLastWords(into: &buffer) }
    return buffer.count > before
  }

  @discardableResult
  private func takeLastWords(into buffer: inout [UInt8]) -> Bool {
    hasAnnouncedOutput = false
    buffer += lastWords
    defer { lastWords = [] }
    return !lastWords.isEmpty
  }

  /// Whether nothing more will be read or written: the socket may be closed.
  var isOver: Bool {
    guard !hasFailed else { return lastWords.isEmpty }
    return isQuiet ? isFinished : wantsNothing
  }

  private var wantsNothing: Bool { unsafe nghttp2_session_want_read(pointer) == 0 && !wantsToWrite }

  private func becameQuiet() {
    isQuiet = true
    isFinished = wantsNothing
  }

  /// Whether a stream has been opened and not closed; a client's request that waits for its turn has not.
  func isOpen(_ stream: Int32) -> Bool { unsafe nghttp2_session_find_stream(pointer, stream) != nil }

  /// Whether there is something to send.
  var hasOutput: Bool { hasFailed ? !lastWords.isEmpty : !isQuiet && wantsToWrite }

  private var wantsToWrite: Bool { unsafe nghttp2_session_want_write(pointer) != 0 }

  /// Whether nothing of nghttp2's waits, and DATA may be sent: neither anything that goes before it does, nor a
  /// failure.
  var isReadyForData: Bool { isQuiet && !isFinished && !hasFailed }

  private func changed() {
    if hasOutput { announceOutput() }
  }

  /// Says that there is something to send, once until it is taken.
  func announceOutput() {
    guard !hasAnnouncedOutput else { return }
    hasAnnouncedOutput = true
    onOutput?()
  }

  /// Every submitting call of nghttp2 fails only for lack of memory or for a stream that has closed. The first ends the
  /// connection; the second is a race that the peer won, and harmless.
  private func check(_ status: Int32) {
    isQuiet = false
    if nghttp2_is_fatal(status) != 0 { fail(status: status) }
    changed()
  }

  /// Ends the connection for what nghttp2 cannot go on after.
  private func fail(status: Int32) {
    switch status {
    case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue:
      fail(ErrorCode.protocolError, "this port speaks gRPC: HTTP/2 from the first byte, without TLS")
    case NGHTTP2_ERR_FLOODED.rawValue:
      fail(ErrorCode.enhanceYourCalm, "the answers to SETTINGS and PING are not read")
    case NGHTTP2_ERR_TOO_MANY_CONTINUATIONS.rawValue:
      fail(ErrorCode.enhanceYourCalm, "a header block comes in too many pieces")
    case NGHTTP2_ERR_NOMEM.rawValue where unsafe account.pointee.is_refused != 0:
      fail(ErrorCode.enhanceYourCalm, "the connection needs more memory than it may have")
    default: fail(ErrorCode.internalError, "")
    }
  }

  // MARK: Verbs

  /// Opens a stream; its body is asked of `bodies`. Nil if the stream numbers are used up.
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

  /// Answers a request: with headers that the owner's DATA follows, once they have been taken, or with headers only,
  /// which end the stream.
  func respond(_ stream: Int32, _ fields: [HeaderField], hasBody: Bool) {
    let status = unsafe HTTP2Session.withFields(fields) { fields, count in
      hasBody
        ? unsafe nghttp2_submit_headers(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, nil, fields, count, nil)
        : unsafe nghttp2_submit_response(pointer, stream, fields, count, nil)
    }
    check(status)
  }

  /// Ends a body with trailers. To be called when its last DATA has been taken.
  func sendTrailers(_ stream: Int32, _ fields: [HeaderField]) {
    let status = unsafe HTTP2Session.withFields(fields) { fields, count in
      unsafe nghttp2_submit_trailer(pointer, stream, fields, count)
    }
    check(status)
  }

  /// Asks `bodies` again for one that it had nothing of.
  func resume(_ stream: Int32) { unsafe check(nghttp2_session_resume_data(pointer, stream)) }

  /// Ends a stream at once, in both directions.
  func reset(_ stream: Int32, _ errorCode: UInt32) {
    unsafe check(nghttp2_submit_rst_stream(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, errorCode))
  }

  /// Credits bytes of a stream to the peer. Those of the connection have been credited as they came.
  func credit(_ stream: Int32, _ bytes: Int) {
    guard bytes > 0 else { return }
    unsafe check(nghttp2_session_consume_stream(pointer, stream, bytes))
  }

  /// Says that no new streams should come, without refusing any yet (RFC 9113 section 6.8).
  func announceShutDown() { unsafe check(nghttp2_submit_shutdown_notice(pointer)) }

  /// Says that streams above the last one seen will not be served.
  func refuseNewStreams() {
    let last = unsafe nghttp2_session_get_last_proc_stream_id(pointer)
    unsafe check(
      nghttp2_submit_goaway(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, ErrorCode.none, nil, 0))
  }

  /// Gives the connection up: nothing more is read or written.
  func abandon() {
    hasFailed = true
    lastWords = []
  }

  /// Ends the connection for a fault: nothing more is read, and a GOAWAY with the code and an ASCII reason is all that
  /// is still sent. nghttp2 would not put a reason into its own, and sends none at all after an error of its own.
  /// Without effect on a connection that has failed.
  func fail(_ errorCode: UInt32, _ reason: String) {
    guard !hasFailed else { return }
    hasFailed = true
    // Of the input that it is in the middle of, nghttp2 looks at no more.
    _ = unsafe nghttp2_session_terminate_session(pointer, errorCode)
    let last = unsafe UInt32(truncatingIfNeeded: nghttp2_session_get_last_proc_stream_id(pointer))
    lastWords = HTTP2Session.goAway(lastStream: last, errorCode, reason)
    changed()
  }

  /// A GOAWAY frame with its reason in words.
  static func goAway(lastStream: UInt32, _ errorCode: UInt32, _ reason: String) -> [UInt8] {
    let body = bigEndian(lastStream) + bigEndian(errorCode) + Array(reason.utf8)
    // Length (24 bits), type 7, no flags, stream 0: RFC 9113 sections 4.1 and 6.8.
    return Array(bigEndian(UInt32(body.count)).dropFirst()) + [7, 0, 0, 0, 0, 0] + body
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Ends the connection in good order, once all that waits and a last GOAWAY have been sent.
  func terminate(_ errorCode: UInt32) { unsafe check(nghttp2_session_terminate_session(pointer, errorCode)) }

  /// Sends a ping, whose answer arrives at the owner with the same eight bytes.
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

  /// Bytes of a body have arrived. The connection's window is credited at once; the stream's by its owner.
  func received(_ bytes: RawSpan, on stream: Int32) {
    unsafe check(nghttp2_session_consume_connection(pointer, bytes.byteCount))
    owner?.received(bytes, on: stream)
  }

  /// A header block could not be sent. A client's has opened no stream then, so that no close will be told; for a
  /// server it means that the stream has gone, or has to.
  func headersWereNotSent(on stream: Int32) {
    if role == .client {
      owner?.streamClosed(stream, errorCode: ErrorCode.refusedStream)
    } else if isOpen(stream) {
      // Headers that cannot be sent would leave the call open for ever. Of a stream that the client has reset nothing
      // is left.
      reset(stream, ErrorCode.internalError)
    }
  }

  /// A DATA frame of `count` bytes is due. False if the output is full, and nghttp2 must ask again.
  func writeData(header: UnsafePointer<UInt8>, count: Int, stream: Int32) -> Bool {
    guard output.count < outputLimit else { return false }
    // The length, type, flags and stream of RFC 9113 section 4.1.
    unsafe output.append(contentsOf: UnsafeBufferPointer(start: header, count: 9))
    bodies?.write(count, of: stream, to: &output)
    return true
  }
}
