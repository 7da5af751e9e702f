/// The machine-readable part of an error, beyond its code and text: `google.rpc.Status`, as in
/// `grpc-status-details-bin`, with at most one each of ErrorInfo, BadRequest and RetryInfo.
///
/// Details go to the client that caused the error. They name fields, limits and things that the client named itself,
/// never tokens, texts or paths.
public struct ErrorDetails: Hashable, DeclaredMessage {
  /// The domain of every reason sent by the daemon.
  public static let domain = "stack"

  /// One invalid field.
  public struct FieldViolation: Hashable, DeclaredMessage {
    /// Its path from the request's message, in the names of the schema: `layout.time_zone`.
    public var field: String
    /// The problem with it.
    public var description: String

    public init(field: String, description: String) {
      self.field = field
      self.description = description
    }

    static let schema = MessageSchema(fullNames: ["google.rpc.BadRequest.FieldViolation"])

    init() { self.init(field: "", description: "") }

    mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
      try fields.text(1, &field)
      try fields.text(2, &description)
    }
  }
  /// The gRPC status code.
  public var code: Int
  public var message: String
  /// A constant identifier of the cause, in upper case: `INVALID_FIELD`. Empty if the sender gave none of this domain.
  public var reason: String
  /// Parameters of the reason; the keys are sorted on the wire.
  public var metadata: [String: String] = [:]
  public var fieldViolations: [FieldViolation] = []
  /// Minimum time to wait before retrying; nil if retrying does not help.
  public var retryDelayMilliseconds: Int64?

  public init(code: Int, message: String, reason: String) {
    self.code = code
    self.message = message
    self.reason = reason
  }

  static let schema = MessageSchema(fullNames: ["google.rpc.Status"])

  init() { self.init(code: 0, message: "", reason: "") }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.signed(1, &code)
    try fields.text(2, &message)
    var details = fields.isReading ? [] : details
    try fields.messages(3, &details)
    if fields.isReading { for detail in details { try read(detail) } }
  }

  private var details: [AnyMessage] {
    var details: [AnyMessage] = []
    if !reason.isEmpty { details.append(AnyMessage(ErrorInfo(self))) }
    if !fieldViolations.isEmpty { details.append(AnyMessage(BadRequest(violations: fieldViolations))) }
    if let delay = retryDelayMilliseconds { details.append(AnyMessage(RetryInfo(delay: WireDuration(delay)))) }
    return details
  }

  /// Reads one detail. Skips other types, and reasons of other domains.
  private mutating func read(_ detail: AnyMessage) throws(DecodingFailure) {
    switch detail.url {
    case AnyMessage.url(of: ErrorInfo.self):
      let info = try ErrorInfo(decoding: detail.bytes)
      guard info.domain == Self.domain else { return }
      reason = info.reason
      metadata = Dictionary(info.metadata.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    case AnyMessage.url(of: BadRequest.self): fieldViolations = try BadRequest(decoding: detail.bytes).violations
    case AnyMessage.url(of: RetryInfo.self):
      retryDelayMilliseconds = try RetryInfo(decoding: detail.bytes).delay?.milliseconds
    default: break
    }
  }
}

/// `google.protobuf.Any`.
private struct AnyMessage: DeclaredMessage {
  var url = ""
  var bytes: [UInt8] = []

  static let schema = MessageSchema(fullNames: ["google.protobuf.Any"])

  init() {}

  init<Message: DeclaredMessage>(_ message: Message) {
    url = Self.url(of: Message.self)
    bytes = message.encoded()
  }

  static func url(of message: (some DeclaredMessage).Type) -> String {
    "type.googleapis.com/\(message.schema.names[0])"
  }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &url)
    fields.bytes(2, &bytes)
  }
}

/// `google.rpc.ErrorInfo`.
struct ErrorInfo: DeclaredMessage {
  struct Entry: DeclaredMessage {
    var key = ""
    var value = ""

    static let schema = MessageSchema(fullNames: ["google.rpc.ErrorInfo.MetadataEntry"])

    mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
      try fields.text(1, &key)
      try fields.text(2, &value)
    }
  }

  var reason = ""
  var domain = ErrorDetails.domain
  var metadata: [Entry] = []

  static let schema = MessageSchema(fullNames: ["google.rpc.ErrorInfo"])

  init() {}

  init(_ details: ErrorDetails) {
    reason = details.reason
    metadata = details.metadata.sorted { $0.key < $1.key }.map { Entry(key: $0.key, value: $0.value) }
  }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &reason)
    try fields.text(2, &domain)
    try fields.messages(3, &metadata)
  }
}

/// `google.rpc.BadRequest`.
struct BadRequest: DeclaredMessage {
  var violations: [ErrorDetails.FieldViolation] = []

  static let schema = MessageSchema(fullNames: ["google.rpc.BadRequest"])

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.messages(1, &violations) }
}

/// `google.rpc.RetryInfo`.
struct RetryInfo: DeclaredMessage {
  var delay: WireDuration?

  static let schema = MessageSchema(fullNames: ["google.rpc.RetryInfo"])

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.message(1, &delay) }
}

/// `google.protobuf.Duration`.
struct WireDuration: DeclaredMessage {
  var seconds: Int64 = 0
  var nanoseconds: Int32 = 0

  static let schema = MessageSchema(fullNames: ["google.protobuf.Duration"])

  init() {}

  init(_ milliseconds: Int64) {
    seconds = milliseconds / 1000
    nanoseconds = Int32(milliseconds % 1000) * 1_000_000
  }

  /// At most a day: no input can overflow the sum, or make a client wait forever.
  var milliseconds: Int64 {
    min(max(seconds, 0), 86_400) * 1000 + Int64(min(max(nanoseconds, 0), 999_999_999)) / 1_000_000
  }

  mutating func walk(_ fields: inout WireFields) {
    fields.signed(1, &seconds)
    fields.signed(2, &nanoseconds)
  }
}
