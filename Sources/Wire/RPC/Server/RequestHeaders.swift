/// The header block of a request as it arrives, or its trailers, and the verdict on it: RFC 9113 section 8.3 and gRPC
/// over HTTP/2, "Requests". Ignores `:authority`: stubs send anything in it on a Unix socket.
struct RequestHeaders {
  /// The action to take when the block is complete.
  enum Verdict: Equatable {
    /// Begin the call.
    case call(path: String, metadata: Metadata, timeout: Duration?)
    /// Not an HTTP request: reset the stream with PROTOCOL_ERROR.
    case malformed
    /// HTTP but not gRPC: respond with this HTTP status.
    case notGRPC(httpStatus: String)
    /// A gRPC request to refuse with this status.
    case refused(Status)
  }

  /// True for the trailers of a request, which have no pseudo-fields (section 8.1).
  let areTrailers: Bool
  /// True if a field may not be where it is, or has a value that it may not have.
  private(set) var isMalformed = false
  /// Bytes of the body, if the client declares them.
  private(set) var contentLength: Int?

  private var method: String?
  private var scheme: String?
  private var path: String?
  private var authority: String?
  private var contentType: String?
  private var encoding: String?
  private var timeout: String?
  private var metadata = Metadata()
  private var byteCount = 0
  private var hasRegularFields = false
  private var isBadMetadata = false

  init(areTrailers: Bool) { self.areTrailers = areTrailers }

  /// Bytes of the fields so far, as RFC 9113 section 6.5.2 counts them.
  var listBytes: Int { byteCount }

  /// Adds one field. Above `limit` bytes, only counts.
  mutating func receive(name: String, value: String, limit: Int) {
    byteCount += name.utf8.count + value.utf8.count + 32
    guard byteCount <= limit, !isMalformed else { return }
    if name.utf8.first == UInt8(ascii: ":") {
      receivePseudo(name, value)
    } else {
      hasRegularFields = true
      receiveRegular(name, value)
    }
  }

  private mutating func receivePseudo(_ name: String, _ value: String) {
    // After a regular field, twice, or unknown: section 8.3.
    guard !hasRegularFields, !areTrailers else { return isMalformed = true }
    switch name {
    case ":method" where method == nil: method = value
    case ":scheme" where scheme == nil: scheme = value
    case ":path" where path == nil: path = value
    case ":authority" where authority == nil: authority = value
    default: isMalformed = true
    }
  }

  private mutating func receiveRegular(_ name: String, _ value: String) {
    let hasBadName =
      name.isEmpty
      || name.utf8.contains {
        $0 <= 0x20 || $0 >= 0x7F || (0x41...0x5A).contains($0) || $0 == UInt8(ascii: ":")
      }
    let hasBadValue = value.utf8.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
    guard !hasBadName, !hasBadValue, !HeaderField.isConnectionSpecific(name) else { return isMalformed = true }
    switch name {
    case "content-length":
      // Twice is malformed even if both are the same (RFC 9110 section 8.6 allows refusing that).
      guard contentLength == nil, let length = RequestHeaders.length(value) else { return isMalformed = true }
      contentLength = length
    case "content-type": contentType = value
    case "grpc-encoding": encoding = value
    case "grpc-timeout": timeout = value
    case "te": if value != "trailers" { isMalformed = true }
    default:
      if Metadata.isCustom(name), !metadata.receive(name: name, value: value) { isBadMetadata = true }
    }
  }

  /// Returns the verdict on the complete block.
  func verdict(limit: Int) -> Verdict {
    guard !isMalformed else { return .malformed }
    guard byteCount <= limit else {
      return .refused(
        Status(.resourceExhausted, "request headers of \(byteCount) bytes; the limit is \(limit)"))
    }
    guard let method, scheme != nil, let path, path.hasPrefix("/") else { return .malformed }
    guard method == "POST" else { return .notGRPC(httpStatus: "405") }
    guard let contentType, RequestHeaders.isGRPC(contentType) else { return .notGRPC(httpStatus: "415") }
    if let encoding, encoding != "identity" {
      return .refused(
        Status(.unimplemented, "compression with \(encoding) is not supported; send messages uncompressed"))
    }
    guard !isBadMetadata else { return .refused(Status(.invalidArgument, "a -bin metadata value is not valid base64")) }
    guard let timeout else { return .call(path: path, metadata: metadata, timeout: nil) }
    guard let parsed = Timeout.parse(timeout) else {
      return .refused(Status(.internal, "invalid grpc-timeout; it must be one to eight digits and a unit"))
    }
    return .call(path: path, metadata: metadata, timeout: parsed)
  }

  /// Returns the value of `content-length`, or nil if it is not digits, or too many of them for any body.
  private static func length(_ value: String) -> Int? {
    value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(value) : nil
  }

  /// Returns true for `application/grpc`, with or without `+proto` or parameters; not for `application/grpc-web`, nor
  /// for `+json`, which no method here speaks.
  static func isGRPC(_ contentType: String) -> Bool {
    // The exact value every client sends; the rest handles clients that add something.
    if contentType == "application/grpc" { return true }
    let type = contentType.split(separator: ";", maxSplits: 1).first.map { $0.lowercased() }
    return type == "application/grpc" || type == "application/grpc+proto"
  }
}
