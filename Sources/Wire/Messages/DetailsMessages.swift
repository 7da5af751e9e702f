/// Requests what is known about a post.
public struct GetDetailsRequest: Equatable, DeclaredMessage {
  /// Post ID or `source:native-id`.
  public var post = ""

  static let schema = MessageSchema("GetDetailsRequest")

  public init(post: String) { self.post = post }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, &post) }
}

/// What is known about a post beside its text.
public struct PostDetailsMessage: Equatable, DeclaredMessage {
  public var postID: UInt64 = 0
  public var source = ""
  public var nativeID = ""
  public var createdAtMilliseconds: Int64 = 0
  /// The schema's number of its visibility.
  public var visibility: UInt32 = 0
  /// The names of the accounts that may see it, at most ``readerLimit``; empty for everyone, or if they are not told.
  public var readers: [String] = []
  public var readerCount: UInt32 = 0
  /// The account that wrote it here, or imported it.
  public var account = ""
  public var isImported = false
  /// The import that brought it first; 0 if it is not known.
  public var importID: UInt64 = 0
  public var file = ""
  public var importedAtMilliseconds: Int64 = 0

  /// The greatest number of readers that are named.
  public static let readerLimit = 100

  static let schema = MessageSchema("GetDetailsResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &postID)
    try fields.text(2, &source)
    try fields.text(3, &nativeID)
    fields.signed(4, &createdAtMilliseconds)
    fields.choiceNumber(5, &visibility)
    try fields.texts(6, &readers)
    fields.number(7, &readerCount)
    try fields.text(8, &account)
    fields.flag(9, &isImported)
    fields.number(10, &importID)
    try fields.text(11, &file)
    fields.signed(12, &importedAtMilliseconds)
  }
}
