internal import ViewState

/// The purpose of a draft; the numbers are the schema's, in which 0 is a new post.
public enum DraftKind: UInt8, Sendable, CaseIterable {
  case answer = 1
  case edit = 2
}

/// A saved draft; the schema's Draft.
public struct DraftSummary: Equatable, DeclaredMessage {
  public var draftID: UInt64 = 0
  /// Nil for a new post.
  public var kind: DraftKind?
  /// The post that it replies to or edits; 0 for none.
  public var postID: UInt64 = 0
  public var text = ""
  /// Time of the last save, in milliseconds since 1970.
  public var updatedAtMilliseconds: Int64 = 0
  /// Who is to see the post; nil if no client has said.
  public var visibility: ComposeVisibility?
  /// A line that is shown in place of the text; empty for none.
  public var contentWarning = ""
  /// BCP 47 tag of the text's language; empty if unknown.
  public var language = ""

  static let schema = MessageSchema("Draft")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &draftID)
    try fields.choice(2, &kind)
    fields.number(3, &postID)
    try fields.text(4, &text)
    fields.signed(5, &updatedAtMilliseconds)
    try fields.choice(6, &visibility)
    try fields.text(7, &contentWarning)
    try fields.text(8, &language)
  }
}

/// Saves a draft.
public struct SaveDraftRequest: Equatable, DeclaredMessage {
  /// Identifies a draft until its ID is known: the same key is the same draft. Empty for none.
  public var requestID = ""
  /// 0 for a new draft.
  public var draftID: UInt64 = 0
  /// Nil for a new post.
  public var kind: DraftKind?
  /// Post ID or `source:native-id` of the post it replies to or edits; empty for none.
  public var post = ""
  public var text = ""
  /// Who is to see the post; nil for none yet.
  public var visibility: ComposeVisibility?
  /// A line that is shown in place of the text; empty for none.
  public var contentWarning = ""
  /// BCP 47 tag of the text's language; empty if unknown.
  public var language = ""

  static let schema = MessageSchema("SaveDraftRequest")

  /// Saves a new draft of a new post.
  public init(text: String) { self.text = text }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    fields.number(2, &draftID)
    try fields.choice(3, &kind)
    try fields.text(4, &post)
    try fields.text(5, &text)
    try fields.choice(6, &visibility)
    try fields.text(7, &contentWarning)
    try fields.text(8, &language)
  }
}

/// The ID of a draft: the request of DeleteDraft, and the result of SaveDraft, where 0 means none.
public struct DraftReference: Equatable, DeclaredMessage {
  public var draftID: UInt64 = 0

  static let schema = MessageSchema("DeleteDraftRequest", "SaveDraftResponse")

  /// The draft with this ID.
  public init(_ draftID: UInt64) { self.draftID = draftID }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { fields.number(1, &draftID) }
}

/// The drafts of an account.
public struct ListDraftsResponse: Equatable, DeclaredMessage, PageResponse {
  /// Last saved first.
  public var drafts: [DraftSummary] = []
  public var nextPageToken = ""

  /// The drafts, for generic readers of pages.
  public var items: [DraftSummary] { drafts }

  static let schema = MessageSchema("ListDraftsResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &drafts)
    try fields.text(2, &nextPageToken)
  }
}
