internal import Engine
internal import Store

extension EngineError {
  /// Maps a store failure to a protocol error.
  init(_ error: StoreError) {
    let (code, reason): (Code, Reason?) =
      switch error.kind {
      case .diskFull: (.resourceExhausted, .diskFull)
      case .exists: (.alreadyExists, nil)
      case .readOnly, .busy, .cannotOpen, .inputOutput: (.unavailable, .storeUnavailable)
      case .corrupt, .notADatabase, .newerSchema, .olderSchema, .other: (.internal, nil)
      }
    self.init(code, error.message, reason: reason)
  }

  /// Maps the store's refusal of a write to a protocol error.
  init(_ refusal: Refusal) {
    let (code, limit): (Code, Int?) =
      switch refusal {
      case .noSuchPost, .noSuchAccount, .noSuchAuthor, .noSuchSession, .noAuthor, .noSuchList, .noSuchToken,
        .noSuchDraft, .noSuchImport, .unknownSource, .unknownSubject, .noSuchFeed, .noUpstream:
        (.notFound, nil)
      case .emptyName, .unusableName, .namesNobody, .noSuchRecipient, .answersPrivate, .answersFewer, .ownAuthor,
        .answersElsewhere, .mediaHere, .mediaElsewhere, .mediaOfOtherLogin, .directElsewhere, .noLogin,
        .quietAboutOneself, .unusableLimit, .sourceOfHere, .unusableInterval, .secretAddress, .keptAlways,
        .unusableRule, .unusableSize:
        (.invalidArgument, nil)
      case .tooLong(_, let limit), .postTooLong(_, let limit): (.invalidArgument, limit)
      case .tooMany(_, let limit): (.resourceExhausted, limit)
      case .tooManyRequests: (.resourceExhausted, StoreLimits.followRequests)
      case .nameTaken, .feedTaken, .loginTaken: (.alreadyExists, nil)
      case .nothingToUndo, .passedOver, .isThereAgain, .isNotice, .nothingFailed, .nothingWaits, .takesNoPosts,
        .blocked,
        .notAsked, .notFollower:
        (.failedPrecondition, nil)
      case .claimed, .notOwn, .notOwnText, .notOwnFeed, .notForEverybody, .notWrittenHere, .notToBeFollowed:
        (.permissionDenied, nil)
      }
    guard case .postTooLong(let length, _) = refusal else {
      self.init(code, refusal.description, limit: limit)
      return
    }
    self.init(code, refusal.description, field: "text", limit: limit)
    self.length = length
  }

  /// The store returned a result of the wrong kind.
  static let unexpected = EngineError(.internal, "the store returned an unexpected result")

  /// Returns the error with `field` as the invalid field, if it is an INVALID_ARGUMENT that names none.
  func about(_ field: String) -> EngineError {
    code == .invalidArgument && self.field == nil
      ? EngineError(code, message, reason: reason, field: field, limit: limit) : self
  }
}
