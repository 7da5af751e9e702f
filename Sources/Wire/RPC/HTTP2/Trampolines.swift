internal import CNGHTTP2

// The C functions that nghttp2 calls, and nothing else. Each recovers its session and calls one method. nghttp2 owns
// every pointer it passes, and only until the callback returns.

/// Returns the session that nghttp2 was given as user data. It is borrowed: nghttp2 calls back only while one of its
/// methods runs.
private func session(_ data: UnsafeMutableRawPointer?) -> HTTP2Session {
  guard let data = unsafe data else { preconditionFailure("nghttp2 called back without a session") }
  return unsafe Unmanaged<HTTP2Session>.fromOpaque(data).takeUnretainedValue()
}

/// Returns bytes as text. Replaces invalid UTF-8.
private func text(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> String {
  unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
}

extension HTTP2Session {
  /// Registers the callbacks below with nghttp2.
  static func install(_ callbacks: OpaquePointer?) {
    unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, onBeginHeaders)
    unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks, onHeader)
    unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrameReceived)
    unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onDataChunk)
    unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onStreamClose)
    unsafe nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, onFrameSent)
    unsafe nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks, onFrameNotSent)
    unsafe nghttp2_session_callbacks_set_send_data_callback(callbacks, onSendData)
    unsafe nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, onInvalidFrame)
  }
}

/// `nghttp2_on_begin_headers_callback`.
private let onBeginHeaders: nghttp2_on_begin_headers_callback = { _, frame, data in
  guard let frame = unsafe frame else { return 0 }
  let category = unsafe cng_headers_category(frame)
  unsafe session(data).owner?.headersBegan(
    on: cng_frame_header(frame).stream_id, areTrailers: category == NGHTTP2_HCAT_HEADERS)
  return 0
}

/// `nghttp2_on_header_callback`.
private let onHeader: nghttp2_on_header_callback = { _, frame, name, nameLength, value, valueLength, _, data in
  guard let frame = unsafe frame else { return 0 }
  unsafe session(data).owner?.received(
    name: text(name, nameLength), value: text(value, valueLength), on: cng_frame_header(frame).stream_id)
  return 0
}

/// `nghttp2_on_frame_recv_callback`.
private let onFrameReceived: nghttp2_on_frame_recv_callback = { _, frame, data in
  guard let frame = unsafe frame, let owner = unsafe session(data).owner else { return 0 }
  unsafe dispatch(frame, to: owner)
  return 0
}

/// Reports a whole frame to the owner.
private func dispatch(_ frame: UnsafePointer<nghttp2_frame>, to owner: any HTTP2SessionOwner) {
  let header = unsafe cng_frame_header(frame)
  let endsStream = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
  let isAcknowledgement = header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
  switch UInt32(header.type) {
  case NGHTTP2_HEADERS.rawValue:
    // nghttp2 has added the lengths of CONTINUATION frames to the first.
    owner.headersEnded(
      on: header.stream_id, endsStream: endsStream, wireBytes: WindowUpdateExtractor.headerBytes + header.length)
    if endsStream { owner.peerEnded(header.stream_id) }
  case NGHTTP2_DATA.rawValue where endsStream: owner.peerEnded(header.stream_id)
  case NGHTTP2_SETTINGS.rawValue where !isAcknowledgement: owner.receivedSettings()
  case NGHTTP2_PING.rawValue: isAcknowledgement ? owner.receivedPingAnswer() : owner.receivedPing()
  case NGHTTP2_GOAWAY.rawValue:
    owner.receivedGoAway(
      lastStream: unsafe cng_goaway_last_stream(frame), errorCode: unsafe cng_goaway_error(frame))
  default: break
  }
}

/// `nghttp2_on_invalid_frame_recv_callback`: reports streams that nghttp2 refuses because too many are open. It keeps
/// only the refusal of those, which is queued until the peer reads.
private let onInvalidFrame: nghttp2_on_invalid_frame_recv_callback = { _, _, error, data in
  if error == NGHTTP2_ERR_REFUSED_STREAM.rawValue { unsafe session(data).owner?.refusedStream() }
  return 0
}

/// `nghttp2_on_data_chunk_recv_callback`.
private let onDataChunk: nghttp2_on_data_chunk_recv_callback = { _, _, stream, bytes, count, data in
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
  unsafe session(data).received(buffer.bytes, on: stream)
  return 0
}

/// `nghttp2_on_stream_close_callback`.
private let onStreamClose: nghttp2_on_stream_close_callback = { _, stream, errorCode, data in
  unsafe session(data).owner?.streamClosed(stream, errorCode: errorCode)
  return 0
}

/// `nghttp2_on_frame_send_callback`: reports the frame that ends our half of a stream.
private let onFrameSent: nghttp2_on_frame_send_callback = { _, frame, data in
  guard let frame = unsafe frame else { return 0 }
  let header = unsafe cng_frame_header(frame)
  let type = UInt32(header.type)
  guard header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0,
    type == NGHTTP2_HEADERS.rawValue || type == NGHTTP2_DATA.rawValue
  else { return 0 }
  unsafe session(data).owner?.sentLastFrame(of: header.stream_id)
  return 0
}

/// `nghttp2_on_frame_not_send_callback`: called, for example, for a request submitted after a GOAWAY.
private let onFrameNotSent: nghttp2_on_frame_not_send_callback = { _, frame, _, data in
  guard let frame = unsafe frame else { return 0 }
  let header = unsafe cng_frame_header(frame)
  if UInt32(header.type) == NGHTTP2_HEADERS.rawValue { unsafe session(data).headersWereNotSent(on: header.stream_id) }
  return 0
}

/// `nghttp2_data_source_read_callback`: returns how much of a body can be sent; `onSendData` writes it without an
/// intermediate copy.
let onReadData: nghttp2_data_source_read_callback = { _, stream, _, room, flags, _, data in
  let fill = unsafe session(data).bodies?.fill(stream, room: room) ?? .nothing
  let end = NGHTTP2_DATA_FLAG_EOF.rawValue
  let (count, bits): (Int, UInt32) =
    switch fill {
    case .nothing: (Int(NGHTTP2_ERR_DEFERRED.rawValue), 0)
    case .bytes(let count): (count, 0)
    case .last(let count): (count, end)
    }
  let noCopy = count > 0 ? NGHTTP2_DATA_FLAG_NO_COPY.rawValue : 0
  unsafe flags?.pointee |= bits | noCopy
  return count
}

/// `nghttp2_send_data_callback`.
private let onSendData: nghttp2_send_data_callback = { _, frame, header, count, _, data in
  guard let frame = unsafe frame, let header = unsafe header else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
  let stream = unsafe cng_frame_header(frame).stream_id
  let isWritten = unsafe session(data).writeData(header: header, count: count, stream: stream)
  return isWritten ? 0 : NGHTTP2_ERR_WOULDBLOCK.rawValue
}
