internal import Engine
internal import Messages
internal import RPC

extension Status {
  /// The engine's refusal as a status, with details where it says more than its code and its sentence.
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
    // What is missing is not wrong: BadRequest is for arguments that could never be right.
    if let field = error.field, code == .invalidArgument {
      details.reason = ErrorDetails.invalidField
      details.fieldViolations = [ErrorDetails.FieldViolation(field: field, description: message)]
    }
    if let limit = error.limit { details.metadata["limit"] = String(limit) }
    if let length = error.length { details.metadata["length"] = String(length) }
    self.details = details.encoded()
  }

  /// A request that could not be read.
  init(_ failure: DecodingFailure) {
    self.init(EngineError(.invalidArgument, failure.reason, field: failure.field, limit: failure.limit))
  }
}

extension ErrorDetails {
  /// The reason of an INVALID_ARGUMENT that names a field.
  static let invalidField = "INVALID_FIELD"

  /// What is told with an error of which nothing but its status is known, also with those that the gRPC layer finds by
  /// itself; nil for codes that have nothing to add.
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

  /// How long a client should wait at least; nil where waiting alone does not help.
  static func retryDelayMilliseconds(_ reason: EngineError.Reason) -> Int64? {
    switch reason {
    // A few commits of the store, each synced; what a daemon takes to stop and to start again.
    case .busy, .stopping: 250
    // Somebody has to see to it.
    case .storeUnavailable: 1000
    case .badToken, .diskFull, .missingScope, .stalled: nil
    }
  }
}
