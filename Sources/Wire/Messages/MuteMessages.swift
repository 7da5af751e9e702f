public import ViewState

/// Mutes a word, or takes that back.
public struct MutedWordRequest: Equatable, DeclaredMessage {
  /// A word, several that follow one another, or `#tag`; at most 256 bytes.
  public var word = ""

  static let schema = MessageSchema("MuteWordRequest", "UnmuteWordRequest")

  /// Says `word`.
  public init(word: String) { self.word = word }

  /// None yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, &word) }
}

/// Something is muted, or is no longer muted or blocked.
public struct MuteResponse: Equatable, DeclaredMessage {
  /// False if it was so already.
  public var hasChanged = false
  /// A frame at or after this revision shows it.
  public var revision: UInt64 = 0

  static let schema = MessageSchema(
    "MuteResponse", "UnmuteResponse", "UnblockResponse", "MuteWordResponse", "UnmuteWordResponse")

  /// Puts the parts together.
  public init(hasChanged: Bool, revision: UInt64) { (self.hasChanged, self.revision) = (hasChanged, revision) }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.flag(1, &hasChanged)
    fields.number(2, &revision)
  }
}

/// An author is blocked.
public struct BlockResponse: Equatable, DeclaredMessage {
  /// False if they were already.
  public var hasChanged = false
  /// A frame at or after this revision shows it.
  public var revision: UInt64 = 0
  /// The account followed them, and does so no longer.
  public var hasUnfollowed = false

  static let schema = MessageSchema("BlockResponse")

  /// Puts the parts together.
  public init(hasChanged: Bool, hasUnfollowed: Bool, revision: UInt64) {
    (self.hasChanged, self.hasUnfollowed, self.revision) = (hasChanged, hasUnfollowed, revision)
  }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.flag(1, &hasChanged)
    fields.number(2, &revision)
    fields.flag(3, &hasUnfollowed)
  }
}

/// Something that an account does not want to see.
public enum MutedItem: Equatable, DeclaredMessage {
  case author(RowAuthor)
  case blocked(RowAuthor)
  /// In the spelling that searches have.
  case word(String)
  case conversation(MutedConversation)
  /// Something that this version does not know.
  case unknown

  static let schema = MessageSchema("MutedItem")

  /// Nothing yet, for those who fill it.
  init() { self = .unknown }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    var item = fields.isReading ? nil : Optional(self)
    try fields.message(1, of: &item, MutedItem.author) { if case .author(let author) = $0 { author } else { nil } }
    try fields.message(2, of: &item, MutedItem.blocked) { if case .blocked(let author) = $0 { author } else { nil } }
    try fields.text(3, of: &item, MutedItem.word) { if case .word(let word) = $0 { word } else { nil } }
    try fields.message(4, of: &item, MutedItem.conversation) {
      if case .conversation(let conversation) = $0 { conversation } else { nil }
    }
    self = item ?? .unknown
  }
}

/// A conversation that an account has muted, by its first post.
public struct MutedConversation: Equatable, DeclaredMessage {
  public var postID: UInt64 = 0
  public var author = RowAuthor()
  public var text: [UInt8] = []

  static let schema = MessageSchema("MutedConversation")

  /// Puts the parts together.
  public init(postID: UInt64, author: RowAuthor, text: [UInt8]) {
    (self.postID, self.author, self.text) = (postID, author, text)
  }

  /// None yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &postID)
    try fields.message(2, &author)
    try fields.utf8(3, &text)
  }
}

/// What an account does not want to see: authors it has muted, those it has blocked, words, conversations.
public struct ListMutedResponse: Equatable, DeclaredMessage, PageResponse {
  public var items: [MutedItem] = []
  public var nextPageToken = ""

  static let schema = MessageSchema("ListMutedResponse")

  /// Nothing.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &items)
    try fields.text(2, &nextPageToken)
  }
}
