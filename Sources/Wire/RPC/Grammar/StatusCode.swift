/// A gRPC status code (grpc.github.io/grpc/core/md_doc_statuscodes.html).
public struct StatusCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number on the wire, 0 to 16; a peer may send others.
  public let rawValue: Int

  /// Wraps a number, known or not.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The call succeeded.
  public static let ok = StatusCode(rawValue: 0)
  /// The client cancelled the call.
  public static let cancelled = StatusCode(rawValue: 1)
  /// No better code applies.
  public static let unknown = StatusCode(rawValue: 2)
  /// A field is invalid, whatever the state of the server.
  public static let invalidArgument = StatusCode(rawValue: 3)
  /// The client's deadline has passed.
  public static let deadlineExceeded = StatusCode(rawValue: 4)
  /// No such thing exists.
  public static let notFound = StatusCode(rawValue: 5)
  /// The thing already exists.
  public static let alreadyExists = StatusCode(rawValue: 6)
  /// The caller is known but lacks the permission.
  public static let permissionDenied = StatusCode(rawValue: 7)
  /// A limit has been reached.
  public static let resourceExhausted = StatusCode(rawValue: 8)
  /// Not possible in the present state; retrying does not help until the state changes.
  public static let failedPrecondition = StatusCode(rawValue: 9)
  /// Another change came first; read again, then retry.
  public static let aborted = StatusCode(rawValue: 10)
  /// Past the end of something.
  public static let outOfRange = StatusCode(rawValue: 11)
  /// No such method or service, or the encoding is not supported.
  public static let unimplemented = StatusCode(rawValue: 12)
  /// An invariant is broken.
  public static let `internal` = StatusCode(rawValue: 13)
  /// Not available now; retrying may help.
  public static let unavailable = StatusCode(rawValue: 14)
  /// Data is lost or damaged.
  public static let dataLoss = StatusCode(rawValue: 15)
  /// The caller is not authenticated.
  public static let unauthenticated = StatusCode(rawValue: 16)

  private static let names = [
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
    "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
  ]

  /// The name in gRPC's documents, such as `NOT_FOUND`; the number if it has none.
  public var description: String {
    StatusCode.names.indices.contains(rawValue) ? StatusCode.names[rawValue] : String(rawValue)
  }
}
