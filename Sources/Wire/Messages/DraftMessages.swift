internal import ViewState

/// What is to become of a draft; the numbers are the schema's, in which a post of its own is 0.
public enum DraftKind: UInt8, Sendable, CaseIterable {
  case answer = 1
  case edit = 2
}

/// A text that was begun.
public struct DraftSummary: Equatable, DeclaredMessage {
  public var draftID: UInt64 = 0
  /// Nil for a post of its own.
  public var kind: DraftKind?
  /// The post that it answers or edits; 0 for none.
  public var postID: UInt64 = 0
  public var text = ""
  /// When it was last saved, since 1970.
  public var updatedAtMilliseconds: Int64 = 0

  static let schema = MessageSchema("Draft")

  /// None yet.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &draftID)
    try fields.choice(2, &kind)
    fields.number(3, &postID)
    try fields.text(4, &text)
    fields.signed(5, &updatedAtMilliseconds)
  }
}

/// Keeps the state of a draft.
public struct SaveDraftRequest: Equatable, DeclaredMessage {
  /// What a draft is called before its number is known: the same one again is the same draft. Empty for no name.
  public var requestID = ""
  /// 0 for a new one.
  public var draftID: UInt64 = 0
  /// Nil for a post of its own.
  public var kind: DraftKind?
  /// Number or `source:native-id` of what it answers or edits; empty for none.
  public var post = ""
  public var text = ""

  static let schema = MessageSchema("SaveDraftRequest")

  /// A new draft of a post of its own.
  public init(text: String) { self.text = text }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    fields.number(2, &draftID)
    try fields.choice(3, &kind)
    try fields.text(4, &post)
    try fields.text(5, &text)
  }
}

/// Names a draft: the answer to SaveDraft, in which 0 is none, and what is asked of DeleteDraft.
public struct DraftReference: Equatable, DeclaredMessage {
  public var draftID: UInt64 = 0

  static let schema = MessageSchema("DeleteDraftRequest", "SaveDraftResponse")

  /// Names a draft.
  public init(_ draftID: UInt64) { self.draftID = draftID }

  /// None yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { fields.number(1, &draftID) }
}

/// The drafts of an account.
public struct ListDraftsResponse: Equatable, DeclaredMessage, PageResponse {
  /// The one that was saved last first.
  public var drafts: [DraftSummary] = []
  public var nextPageToken = ""

  /// The same, for readers of lists of any kind.
  public var items: [DraftSummary] { drafts }

  static let schema = MessageSchema("ListDraftsResponse")

  /// None.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &drafts)
    try fields.text(2, &nextPageToken)
  }
}
