/// `grpc.health.v1.HealthCheckRequest`: asks for the health of one service.
public struct HealthCheckRequest: Hashable, DeclaredMessage {
  /// The full name of the service; empty for the server as a whole.
  public var service = ""

  static let schema = MessageSchema(fullNames: ["grpc.health.v1.HealthCheckRequest"])

  /// Asks about a service.
  public init(service: String) { self.service = service }

  /// Asks about the server as a whole.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, &service) }
}

/// `grpc.health.v1.HealthCheckResponse`: the health of the requested service.
public struct HealthCheckResponse: Hashable, DeclaredMessage {
  /// The health of a service.
  public enum Status: UInt32, Sendable {
    /// Not known yet.
    case unknown = 0
    /// Calls are served.
    case serving = 1
    /// Calls are refused.
    case notServing = 2
    /// No such service; only in responses of `Watch`.
    case serviceUnknown = 3
  }

  /// The present status; unknown values are read as `unknown`.
  public var status: Status

  static let schema = MessageSchema(fullNames: ["grpc.health.v1.HealthCheckResponse"])

  public init(status: Status) { self.status = status }

  init() { status = .unknown }

  mutating func walk(_ fields: inout WireFields) { fields.choice(1, &status, unknown: .unknown) }
}
