internal import Codecs

/// A header block of a response as it arrives: the headers, the trailers, or both in one if there is no message.
struct ResponseHeaders {
  /// `:status`; nil in trailers.
  private(set) var httpStatus: String?
  /// `content-type`.
  private(set) var contentType: String?
  /// `grpc-encoding`.
  private(set) var encoding: String?
  /// The application's own fields.
  private(set) var metadata = Metadata()
  private var grpcStatus: Int?
  private var message = ""
  private var details: [UInt8] = []
  /// Bytes of the fields so far, as RFC 9113 section 6.5.2 counts them.
  private(set) var byteCount = 0

  /// Adds one field. Above `limit` bytes, only counts. Leaves out a `-bin` value that is not base64: optional metadata
  /// is no reason to fail a response.
  mutating func receive(name: String, value: String, limit: Int) {
    byteCount += name.utf8.count + value.utf8.count + 32
    guard byteCount <= limit else { return }
    switch name {
    case ":status": httpStatus = value
    case "content-type": contentType = value
    case "grpc-encoding": encoding = value
    case "grpc-status": grpcStatus = Int(value).flatMap { $0 >= 0 ? $0 : nil }
    case "grpc-message": message = PercentEncoding.decode(value)
    case "grpc-status-details-bin": details = Base64.decode(Substring(value).utf8) ?? []
    default: if Metadata.isCustom(name) { _ = metadata.receive(name: name, value: value) }
    }
  }

  /// The status in the block; nil if it has none.
  var status: Status? {
    grpcStatus.map { Status(StatusCode(rawValue: $0), message, details: details) }
  }

  /// Returns the status for an HTTP status without a gRPC status ("HTTP to gRPC Status Code Mapping").
  static func status(forHTTP httpStatus: String) -> Status {
    let code: StatusCode =
      switch httpStatus {
      case "400": .internal
      case "401": .unauthenticated
      case "403": .permissionDenied
      case "404": .unimplemented
      case "429", "502", "503", "504": .unavailable
      default: .unknown
      }
    return Status(code, "the server responded with HTTP status \(httpStatus)")
  }

  /// Returns the status for an HTTP/2 error code without a gRPC status (gRPC over HTTP/2, "Errors").
  static func status(forErrorCode errorCode: UInt32) -> Status {
    let code: StatusCode =
      switch errorCode {
      case HTTP2Session.ErrorCode.refusedStream: .unavailable
      case HTTP2Session.ErrorCode.cancel: .cancelled
      case HTTP2Session.ErrorCode.enhanceYourCalm: .resourceExhausted
      case 12: .permissionDenied
      default: .internal
      }
    // Also what a client sees of a refused connection, whose GOAWAY processes no stream.
    if errorCode == HTTP2Session.ErrorCode.refusedStream {
      return Status(code, "the server refused the call; it may have too many connections, or be shutting down")
    }
    return Status(code, "the server reset the call with HTTP/2 error \(errorCode)")
  }
}
