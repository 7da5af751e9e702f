public import ViewState

/// Mutes a word, or takes that back.
public struct MutedWordRequest: Equatable, DeclaredMessage {
  /// A word, several that follow one another, or `#tag`; at most 256 bytes.
  public var word = ""

  static let schema = MessageSchema("MutedWordRequest")

  /// Says `word`.
  public init(word: String) { self.word = word }

  /// None yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, &word) }
}

/// Something is muted or blocked, or is no longer.
public struct QuietResponse: Equatable, DeclaredMessage {
  /// False if it was so already.
  public var hasChanged = false
  /// The account followed whom it has blocked, and does so no longer.
  public var hasUnfollowed = false
  /// A frame at or after this revision shows it.
  public var revision: UInt64 = 0

  static let schema = MessageSchema("QuietResponse")

  /// Puts the parts together.
  public init(hasChanged: Bool, hasUnfollowed: Bool, revision: UInt64) {
    (self.hasChanged, self.hasUnfollowed, self.revision) = (hasChanged, hasUnfollowed, revision)
  }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.flag(1, &hasChanged)
    fields.flag(2, &hasUnfollowed)
    fields.number(3, &revision)
  }
}

/// What an account does not want to see.
public struct GetMutedResponse: Equatable, DeclaredMessage {
  /// By handle.
  public var muted: [RowAuthor] = []
  public var blocked: [RowAuthor] = []
  /// In the spelling that searches have.
  public var words: [String] = []

  static let schema = MessageSchema("GetMutedResponse")

  /// Nothing.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &muted)
    try fields.messages(2, &blocked)
    try fields.texts(3, &words)
  }
}
