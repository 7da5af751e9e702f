internal import CProtobufC
internal import WireProto

/// What a program may know of an error beyond its code and its sentence: `google.rpc.Status`, as
/// `grpc-status-details-bin` has it, with at most one each of ErrorInfo, BadRequest and RetryInfo.
///
/// Details go to whoever caused the error. They name fields, limits and things the caller named itself, never tokens,
/// texts or paths.
public struct ErrorDetails: Hashable, WireMessage {
  /// The domain of every reason given here.
  public static let domain = "stack"

  /// One field that is wrong.
  public struct FieldViolation: Hashable, Sendable {
    /// Its path from the request's message, in the names of the schema: `layout.time_zone`.
    public var field: String
    /// What is wrong with it.
    public var description: String

    /// Names a field.
    public init(field: String, description: String) {
      self.field = field
      self.description = description
    }
  }
  /// The gRPC status code.
  public var code: Int
  public var message: String
  /// Why, in capitals and words that do not change: `INVALID_FIELD`. Empty if the sender gave none of this domain.
  public var reason: String
  /// What the reason is about; the keys are sorted on the wire.
  public var metadata: [String: String] = [:]
  public var fieldViolations: [FieldViolation] = []
  /// How long to wait at least before asking again; nil where asking again does not help.
  public var retryDelayMilliseconds: Int64?

  /// Says why.
  public init(code: Int, message: String, reason: String) {
    self.code = code
    self.message = message
    self.reason = reason
  }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "Status", google__rpc__status__unpack) { message throws(DecodingFailure) in
      var details = unsafe ErrorDetails(code: Int(message.code), message: text(message.message), reason: "")
      for index in 0..<(unsafe message.n_details) {
        // protobuf-c never leaves a hole in a repeated field.
        let any = unsafe message.details[index]!.pointee
        try details.read(type: unsafe text(any.type_url), unsafe Messages.bytes(any.value))
      }
      return details
    }
  }

  /// Takes one detail; those of other types, and reasons of other domains, are skipped.
  private mutating func read(type: String, _ bytes: [UInt8]) throws(DecodingFailure) {
    switch type {
    case Self.url("ErrorInfo"):
      let (domain, reason, metadata) = unsafe try decode(bytes, "ErrorInfo", google__rpc__error_info__unpack) {
        info throws(DecodingFailure) in
        let pairs = unsafe try array(info.metadata, info.n_metadata) {
          unsafe (text($0.pointee.key), text($0.pointee.value))
        }
        return unsafe (text(info.domain), text(info.reason), Dictionary(pairs, uniquingKeysWith: { $1 }))
      }
      guard domain == Self.domain else { return }
      self.reason = reason
      self.metadata = metadata
    case Self.url("BadRequest"):
      fieldViolations = unsafe try decode(bytes, "BadRequest", google__rpc__bad_request__unpack) {
        request throws(DecodingFailure) in
        unsafe try array(request.field_violations, request.n_field_violations) {
          unsafe FieldViolation(field: text($0.pointee.field), description: text($0.pointee.description))
        }
      }
    case Self.url("RetryInfo"):
      retryDelayMilliseconds = unsafe try decode(bytes, "RetryInfo", google__rpc__retry_info__unpack) {
        info throws(DecodingFailure) in
        guard let delay = unsafe info.retry_delay else { return nil }
        // No wait is longer than a day: nothing that a peer sends makes the sum overflow, or a client wait for ever.
        let seconds = unsafe min(max(delay.pointee.seconds, 0), 86_400)
        return unsafe seconds * 1000 + Int64(min(max(delay.pointee.nanos, 0), 999_999_999)) / 1_000_000
      }
    default: break
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    var details: [(type: String, bytes: [UInt8])] = []
    if !reason.isEmpty { details.append(("ErrorInfo", errorInfo())) }
    if !fieldViolations.isEmpty { details.append(("BadRequest", badRequest())) }
    if let delay = retryDelayMilliseconds { details.append(("RetryInfo", retryInfo(delay))) }
    let message = unsafe arena.make(google__rpc__status__init)
    unsafe message.pointee.code = Int32(truncatingIfNeeded: code)
    unsafe message.pointee.message = arena.string(self.message)
    unsafe message.pointee.n_details = details.count
    unsafe message.pointee.details = arena.pointers(details) { detail in
      let any = unsafe arena.make(google__protobuf__any__init)
      unsafe any.pointee.type_url = arena.string(Self.url(detail.type))
      unsafe any.pointee.value = arena.data(detail.bytes)
      return unsafe any
    }
    return unsafe arena.encode(message)
  }

  private func errorInfo() -> [UInt8] {
    let arena = CArena()
    let info = unsafe arena.make(google__rpc__error_info__init)
    unsafe info.pointee.reason = arena.string(reason)
    unsafe info.pointee.domain = arena.string(Self.domain)
    unsafe info.pointee.n_metadata = metadata.count
    unsafe info.pointee.metadata = arena.pointers(metadata.sorted { $0.key < $1.key }) { pair in
      let entry = unsafe arena.make(google__rpc__error_info__metadata_entry__init)
      unsafe entry.pointee.key = arena.string(pair.key)
      unsafe entry.pointee.value = arena.string(pair.value)
      return unsafe entry
    }
    return unsafe arena.encode(info)
  }

  private func badRequest() -> [UInt8] {
    let arena = CArena()
    let request = unsafe arena.make(google__rpc__bad_request__init)
    unsafe request.pointee.n_field_violations = fieldViolations.count
    unsafe request.pointee.field_violations = arena.pointers(fieldViolations) { violation in
      let message = unsafe arena.make(google__rpc__bad_request__field_violation__init)
      unsafe message.pointee.field = arena.string(violation.field)
      unsafe message.pointee.description = arena.string(violation.description)
      return unsafe message
    }
    return unsafe arena.encode(request)
  }

  private func retryInfo(_ milliseconds: Int64) -> [UInt8] {
    let arena = CArena()
    let info = unsafe arena.make(google__rpc__retry_info__init)
    let delay = unsafe arena.make(google__protobuf__duration__init)
    unsafe delay.pointee.seconds = milliseconds / 1000
    unsafe delay.pointee.nanos = Int32(milliseconds % 1000) * 1_000_000
    unsafe info.pointee.retry_delay = unsafe delay
    return unsafe arena.encode(info)
  }

  private static func url(_ type: String) -> String { "type.googleapis.com/google.rpc.\(type)" }
}
