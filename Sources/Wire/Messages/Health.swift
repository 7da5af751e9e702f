internal import CProtobufC
internal import WireProto

/// `grpc.health.v1.HealthCheckRequest`: asks after one service.
public struct HealthCheckRequest: Hashable, Sendable {
  /// The full name of the service; empty asks after the server as a whole.
  public var service: String

  /// Asks after a service.
  public init(service: String = "") { self.service = service }

  /// Reads the message. Nil if the bytes are none.
  public init?(decoding bytes: [UInt8]) {
    guard let raw = unsafe grpc__health__v1__health_check_request__unpack(nil, bytes.count, bytes) else { return nil }
    // protobuf-c allocated it and everything below it; both are freed here.
    defer { unsafe grpc__health__v1__health_check_request__free_unpacked(raw, nil) }
    service = unsafe String(cString: raw.pointee.service)
  }

  /// The message's bytes.
  public func encoded() -> [UInt8] {
    unsafe service.withCString { service in
      var raw = unsafe Grpc__Health__V1__HealthCheckRequest()
      unsafe grpc__health__v1__health_check_request__init(&raw)
      // Borrowed for the call: packing reads it and keeps nothing.
      unsafe raw.service = UnsafeMutablePointer(mutating: service)
      return unsafe packed(grpc__health__v1__health_check_request__get_packed_size(&raw)) {
        unsafe grpc__health__v1__health_check_request__pack(&raw, $0)
      }
    }
  }
}

/// `grpc.health.v1.HealthCheckResponse`: the health of the service that was asked after.
public struct HealthCheckResponse: Hashable, Sendable {
  /// What a service can be.
  public enum Status: UInt32, Sendable {
    /// Not known yet.
    case unknown = 0
    /// Calls are answered.
    case serving = 1
    /// Calls are refused.
    case notServing = 2
    /// There is no such service; said by `Watch` only.
    case serviceUnknown = 3
  }

  /// The present status.
  public var status: Status

  /// States a status.
  public init(status: Status) { self.status = status }

  /// Reads the message. Nil if the bytes are none. A status that is not known here reads as `unknown`.
  public init?(decoding bytes: [UInt8]) {
    guard let raw = unsafe grpc__health__v1__health_check_response__unpack(nil, bytes.count, bytes) else { return nil }
    defer { unsafe grpc__health__v1__health_check_response__free_unpacked(raw, nil) }
    status = unsafe Status(rawValue: UInt32(truncatingIfNeeded: raw.pointee.status.rawValue)) ?? .unknown
  }

  /// The message's bytes.
  public func encoded() -> [UInt8] {
    var raw = unsafe Grpc__Health__V1__HealthCheckResponse()
    unsafe grpc__health__v1__health_check_response__init(&raw)
    unsafe raw.status = Grpc__Health__V1__HealthCheckResponse__ServingStatus(rawValue: .init(status.rawValue))
    return unsafe packed(grpc__health__v1__health_check_response__get_packed_size(&raw)) {
      unsafe grpc__health__v1__health_check_response__pack(&raw, $0)
    }
  }
}

/// Room for `count` bytes, filled by a `pack` function of protobuf-c, which writes exactly as many as `get_packed_size`
/// said.
private func packed(_ count: Int, _ pack: (UnsafeMutablePointer<UInt8>?) -> Int) -> [UInt8] {
  unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
    initialized = unsafe pack(buffer.baseAddress)
  }
}
