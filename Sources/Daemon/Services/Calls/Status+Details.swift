internal import Engine
internal import Messages
internal import RPC

extension Status {
  /// The status for an engine error, with details if the error has more than a code and a message.
  init(_ error: EngineError) {
    let code: StatusCode =
      switch error.code {
      case .invalidArgument: .invalidArgument
      case .notFound: .notFound
      case .alreadyExists: .alreadyExists
      case .aborted: .aborted
      case .failedPrecondition: .failedPrecondition
      case .resourceExhausted: .resourceExhausted
      case .permissionDenied: .permissionDenied
      case .unauthenticated: .unauthenticated
      case .unavailable: .unavailable
      case .internal: .internal
      }
    self.init(code, error.message)
    guard error.reason != nil || error.field != nil || error.limit != nil else { return }
    var details = ErrorDetails(standardFor: self) ?? ErrorDetails(code: code.rawValue, message: message, reason: "")
    if let reason = error.reason {
      details.reason = reason.rawValue
      details.retryDelayMilliseconds = ErrorDetails.retryDelayMilliseconds(reason)
    }
    // BadRequest is only for arguments that can never be valid; a missing object is not one.
    if let field = error.field, code == .invalidArgument {
      details.reason = ErrorDetails.invalidField
      details.fieldViolations = [ErrorDetails.FieldViolation(field: field, description: message)]
    }
    if let limit = error.limit { details.metadata["limit"] = String(limit) }
    if let length = error.length { details.metadata["length"] = String(length) }
    self.details = details.encoded()
  }

  /// The status for a request that cannot be decoded.
  init(_ failure: DecodingFailure) {
    self.init(EngineError(.invalidArgument, failure.reason, field: failure.field, limit: failure.limit))
  }
}

extension ErrorDetails {
  /// The reason of an INVALID_ARGUMENT that names a field.
  static let invalidField = "INVALID_FIELD"

  /// The standard details for an error of which only the status is known, such as one from the gRPC layer; nil if the
  /// code has nothing to add.
  init?(standardFor status: Status) {
    let reason: String? =
      switch status.code {
      case .invalidArgument: "INVALID_REQUEST"
      case .notFound: "NO_SUCH_OBJECT"
      case .aborted: "REVISION_CONFLICT"
      case .failedPrecondition: "ILLEGAL_STATE"
      case .resourceExhausted: "LIMIT_REACHED"
      case .unauthenticated: "NO_TOKEN"
      case .permissionDenied: "NOT_ALLOWED"
      case .alreadyExists: "ALREADY_EXISTS"
      case .unimplemented: "NOT_OFFERED"
      case .unavailable: EngineError.Reason.stopping.rawValue
      default: nil
      }
    guard let reason else { return nil }
    self.init(code: status.code.rawValue, message: status.message, reason: reason)
    if status.code == .unavailable { retryDelayMilliseconds = Self.retryDelayMilliseconds(.stopping) }
  }

  /// The minimum time before a retry; nil if waiting alone does not help.
  static func retryDelayMilliseconds(_ reason: EngineError.Reason) -> Int64? {
    switch reason {
    // As long as a few synced commits take, or a restart of the daemon.
    case .busy, .stopping: 250
    // An administrator has to act first.
    case .storeUnavailable: 1000
    case .badToken, .diskFull, .missingScope, .stalled: nil
    }
  }
}
