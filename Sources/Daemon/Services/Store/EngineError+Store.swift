internal import Engine
internal import Store

extension EngineError {
  /// The store's failure, in the terms of the protocol.
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

  /// The store's refusal of one write.
  init(_ refusal: Refusal) {
    let (code, limit): (Code, Int?) =
      switch refusal {
      case .noSuchPost, .noSuchAccount, .noSuchAuthor, .noSuchSession, .noAuthor, .noSuchList, .noSuchToken,
        .noSuchDraft,
        .noUpstream:
        (.notFound, nil)
      case .emptyName, .unusableName, .namesNobody, .noSuchRecipient, .answersPrivate, .answersFewer, .ownAuthor,
        .answersElsewhere, .directElsewhere, .quietAboutOneself, .unusableLimit:
        (.invalidArgument, nil)
      case .tooLong(_, let limit): (.invalidArgument, limit)
      case .tooMany(_, let limit): (.resourceExhausted, limit)
      case .nameTaken: (.alreadyExists, nil)
      case .claimed: (.permissionDenied, nil)
      case .notForEverybody, .nothingToUndo, .passedOver, .isThereAgain, .notWrittenHere, .nothingFailed, .blocked,
        .notToBeFollowed:
        (.failedPrecondition, nil)
      case .notOwn, .notOwnText: (.permissionDenied, nil)
      }
    self.init(code, refusal.description, limit: limit)
  }

  /// The store did something else than it was asked to.
  static let unexpected = EngineError(.internal, "the store gave another answer than it was asked for")

  /// The same; where it says that a field is wrong, it is this one.
  func about(_ field: String) -> EngineError {
    code == .invalidArgument && self.field == nil
      ? EngineError(code, message, reason: reason, field: field, limit: limit) : self
  }
}
