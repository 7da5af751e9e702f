public import ViewState

/// Mutes a word, or unmutes it.
public struct MutedWordRequest: Equatable, DeclaredMessage {
  /// A word, a phrase, or `#tag`; at most 256 bytes.
  public var word = ""

  static let schema = MessageSchema("MuteWordRequest", "UnmuteWordRequest")

  /// Names `word`.
  public init(word: String) { self.word = word }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, &word) }
}

/// The result of muting, unmuting or unblocking.
public struct MuteResponse: Equatable, DeclaredMessage {
  /// False if nothing changed.
  public var hasChanged = false
  /// Frames at or after this revision include the change.
  public var revision: UInt64 = 0

  static let schema = MessageSchema(
    "MuteResponse", "UnmuteResponse", "UnblockResponse", "MuteWordResponse", "UnmuteWordResponse")

  public init(hasChanged: Bool, revision: UInt64) {
    self.hasChanged = hasChanged
    self.revision = revision
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.flag(1, &hasChanged)
    fields.number(2, &revision)
  }
}

/// The result of Block.
public struct BlockResponse: Equatable, DeclaredMessage {
  /// False if the author was already blocked.
  public var hasChanged = false
  /// Frames at or after this revision include the change.
  public var revision: UInt64 = 0
  /// True if the account followed the author, which has ended.
  public var hasUnfollowed = false

  static let schema = MessageSchema("BlockResponse")

  public init(hasChanged: Bool, hasUnfollowed: Bool, revision: UInt64) {
    self.hasChanged = hasChanged
    self.hasUnfollowed = hasUnfollowed
    self.revision = revision
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.flag(1, &hasChanged)
    fields.number(2, &revision)
    fields.flag(3, &hasUnfollowed)
  }
}

/// Something that an account has muted or blocked.
public enum MutedItem: Equatable, DeclaredMessage {
  case author(RowAuthor)
  case blocked(RowAuthor)
  /// In the normalised spelling of searches.
  case word(String)
  case conversation(MutedConversation)
  /// An item of a later version.
  case unknown

  static let schema = MessageSchema("MutedItem")

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

/// A conversation that an account has muted, represented by its first post.
public struct MutedConversation: Equatable, DeclaredMessage {
  public var postID: UInt64 = 0
  public var author = RowAuthor()
  public var text: [UInt8] = []

  static let schema = MessageSchema("MutedConversation")

  public init(postID: UInt64, author: RowAuthor, text: [UInt8]) {
    self.postID = postID
    self.author = author
    self.text = text
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &postID)
    try fields.message(2, &author)
    try fields.utf8(3, &text)
  }
}

/// The authors, words and conversations that an account has muted, and the authors it has blocked.
public struct ListMutedResponse: Equatable, DeclaredMessage, PageResponse {
  public var items: [MutedItem] = []
  public var nextPageToken = ""

  static let schema = MessageSchema("ListMutedResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &items)
    try fields.text(2, &nextPageToken)
  }
}
