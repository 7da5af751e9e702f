internal import CProtobufC
internal import WireProto

/// The messages of `grpc.testing.TestService`, as far as the interoperability tests use them.
public enum GRPCTesting {
  /// The status with which the server is asked to end a call.
  public struct EchoStatus: Hashable, Sendable {
    /// The number of the status code.
    public var code: Int
    /// The status message.
    public var message: String
  }

  /// `SimpleRequest`.
  public struct SimpleRequest: Hashable, Sendable {
    /// Bytes that the response's payload should have.
    public let responseSize: Int
    /// The status to end with; nil for OK.
    public let responseStatus: EchoStatus?
    /// Whether the response was asked to be compressed, or the request said that it was.
    public let asksForCompression: Bool

    /// Reads the message. Nil if the bytes are none.
    public init?(decoding bytes: [UInt8]) {
      guard let raw = unsafe grpc__testing__simple_request__unpack(nil, bytes.count, bytes) else { return nil }
      defer { unsafe grpc__testing__simple_request__free_unpacked(raw, nil) }
      responseSize = unsafe Int(raw.pointee.response_size)
      responseStatus = unsafe status(raw.pointee.response_status)
      asksForCompression = unsafe isTrue(raw.pointee.response_compressed) || isTrue(raw.pointee.expect_compressed)
    }
  }

  /// `StreamingInputCallRequest`.
  public struct StreamingInputCallRequest: Hashable, Sendable {
    /// Bytes of its payload.
    public let payloadSize: Int

    /// Reads the message. Nil if the bytes are none.
    public init?(decoding bytes: [UInt8]) {
      guard let raw = unsafe grpc__testing__streaming_input_call_request__unpack(nil, bytes.count, bytes) else {
        return nil
      }
      defer { unsafe grpc__testing__streaming_input_call_request__free_unpacked(raw, nil) }
      payloadSize = unsafe raw.pointee.payload?.pointee.body.len ?? 0
    }
  }

  /// One response that a streaming call should send.
  public struct ResponseParameters: Hashable, Sendable {
    /// Bytes of its payload.
    public let size: Int
    /// Microseconds to wait before it.
    public let intervalMicroseconds: Int
  }

  /// `StreamingOutputCallRequest`.
  public struct StreamingOutputCallRequest: Hashable, Sendable {
    /// The responses to send, in order.
    public let responses: [ResponseParameters]
    /// The status to end with; nil for OK.
    public let responseStatus: EchoStatus?

    /// Reads the message. Nil if the bytes are none.
    public init?(decoding bytes: [UInt8]) {
      guard let raw = unsafe grpc__testing__streaming_output_call_request__unpack(nil, bytes.count, bytes) else {
        return nil
      }
      defer { unsafe grpc__testing__streaming_output_call_request__free_unpacked(raw, nil) }
      responses = unsafe UnsafeBufferPointer(
        start: raw.pointee.response_parameters, count: raw.pointee.n_response_parameters
      ).compactMap { parameters in
        unsafe parameters.map { parameters in
          unsafe ResponseParameters(
            size: Int(parameters.pointee.size), intervalMicroseconds: Int(parameters.pointee.interval_us))
        }
      }
      responseStatus = unsafe status(raw.pointee.response_status)
    }
  }

  /// The bytes of a `SimpleResponse` or a `StreamingOutputCallResponse`, which are the same: a payload of `size` zeros.
  public static func response(payloadSize size: Int) -> [UInt8] {
    // Both have the payload as field 1, so one of the two encoders serves.
    var body = [UInt8](repeating: 0, count: size)
    return unsafe body.withUnsafeMutableBufferPointer { body in
      var payload = unsafe Grpc__Testing__Payload()
      unsafe grpc__testing__payload__init(&payload)
      unsafe payload.body = ProtobufCBinaryData(len: size, data: body.baseAddress)
      return unsafe withUnsafeMutablePointer(to: &payload) { payload in
        var response = unsafe Grpc__Testing__SimpleResponse()
        unsafe grpc__testing__simple_response__init(&response)
        // Borrowed for the call: packing reads it and keeps nothing.
        unsafe response.payload = payload
        return unsafe packed(grpc__testing__simple_response__get_packed_size(&response)) {
          unsafe grpc__testing__simple_response__pack(&response, $0)
        }
      }
    }
  }

  /// The bytes of a `StreamingInputCallResponse`.
  public static func inputResponse(aggregatedPayloadSize size: Int) -> [UInt8] {
    var response = unsafe Grpc__Testing__StreamingInputCallResponse()
    unsafe grpc__testing__streaming_input_call_response__init(&response)
    unsafe response.aggregated_payload_size = Int32(clamping: size)
    return unsafe packed(grpc__testing__streaming_input_call_response__get_packed_size(&response)) {
      unsafe grpc__testing__streaming_input_call_response__pack(&response, $0)
    }
  }

  private static func status(_ raw: UnsafeMutablePointer<Grpc__Testing__EchoStatus>?) -> EchoStatus? {
    unsafe raw.map { raw in
      unsafe EchoStatus(code: Int(raw.pointee.code), message: String(cString: raw.pointee.message))
    }
  }

  private static func isTrue(_ raw: UnsafeMutablePointer<Grpc__Testing__BoolValue>?) -> Bool {
    unsafe raw.map { unsafe $0.pointee.value != 0 } ?? false
  }

  private static func packed(_ count: Int, _ pack: (UnsafeMutablePointer<UInt8>?) -> Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = unsafe pack(buffer.baseAddress)
    }
  }
}
