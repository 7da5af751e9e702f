/// `grpc.health.v1.HealthCheckRequest`: asks after one service.
public struct HealthCheckRequest: Hashable, DeclaredMessage {
  /// The full name of the service; empty asks after the server as a whole.
  public var service = ""

  static let schema = MessageSchema(fullNames: ["grpc.health.v1.HealthCheckRequest"])

  /// Asks after a service.
  public init(service: String) { self.service = service }

  /// Asks after the server as a whole.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, &service) }
}

/// `grpc.health.v1.HealthCheckResponse`: the health of the service that was asked after.
public struct HealthCheckResponse: Hashable, DeclaredMessage {
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

  /// The present status; one that is not known here reads as `unknown`.
  public var status: Status

  static let schema = MessageSchema(fullNames: ["grpc.health.v1.HealthCheckResponse"])

  /// States a status.
  public init(status: Status) { self.status = status }

  /// States nothing.
  init() { status = .unknown }

  mutating func walk(_ fields: inout WireFields) { fields.choice(1, &status, unknown: .unknown) }
}
