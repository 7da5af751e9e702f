public import ViewState

/// Takes a list away.
public struct DeleteListRequest: Equatable, DeclaredMessage {
  /// By number or name.
  public var list = ""

  static let schema = MessageSchema("DeleteListRequest")

  /// Names `list`.
  public init(list: String) { self.list = list }

  /// None yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, &list) }
}

/// Makes a list.
public struct CreateListRequest: Equatable, DeclaredMessage {
  /// 1 to 64 bytes.
  public var name = ""

  static let schema = MessageSchema("CreateListRequest")

  /// A list called `name`.
  public init(name: String) { self.name = name }

  /// No name yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.name(1, &name) }
}

/// Gives a list another name.
public struct RenameListRequest: Equatable, DeclaredMessage {
  /// By number or name.
  public var list = ""
  /// 1 to 64 bytes.
  public var name = ""

  static let schema = MessageSchema("RenameListRequest")

  /// Calls `list` by another name.
  public init(list: String, name: String) {
    self.list = list
    self.name = name
  }

  /// No name yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &list)
    try fields.name(2, &name)
  }
}

/// Puts an author into a list, or takes them out of it.
public struct ListMemberRequest: Equatable, DeclaredMessage {
  /// By number or name.
  public var list = ""
  /// By number, `source:native-id` or @handle.
  public var author = ""

  static let schema = MessageSchema("AddToListRequest", "RemoveFromListRequest")

  /// Puts the parts together.
  public init(list: String, author: String) {
    self.list = list
    self.author = author
  }

  /// Nobody yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &list)
    try fields.text(2, &author)
  }
}

/// A command on a list is done.
public struct ListResponse: Equatable, DeclaredMessage {
  public var listID: UInt64 = 0
  /// A frame at or after this revision shows it.
  public var revision: UInt64 = 0

  static let schema = MessageSchema(
    "CreateListResponse", "RenameListResponse", "DeleteListResponse", "AddToListResponse", "RemoveFromListResponse")

  /// Puts the parts together.
  public init(listID: UInt64, revision: UInt64) {
    self.listID = listID
    self.revision = revision
  }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &listID)
    fields.number(2, &revision)
  }
}

/// A list that an account made; the schema's PostList.
public struct ListSummary: Equatable, DeclaredMessage {
  public var listID: UInt64 = 0
  public var name = ""
  public var authorCount = 0
  public var postCount = 0

  static let schema = MessageSchema("PostList")

  /// Nothing yet.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &listID)
    try fields.text(2, &name)
    fields.count(3, &authorCount)
    fields.count(4, &postCount)
  }
}

/// Lists of an account.
public struct ListListsResponse: Equatable, DeclaredMessage, PageResponse {
  /// In the order in which they were made.
  public var lists: [ListSummary] = []
  public var nextPageToken = ""

  /// The same, for readers of lists of any kind.
  public var items: [ListSummary] { lists }

  static let schema = MessageSchema("ListListsResponse")

  /// No lists.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &lists)
    try fields.text(2, &nextPageToken)
  }
}

/// Who is in a list.
public struct ListMembersResponse: Equatable, DeclaredMessage, PageResponse {
  public var list = ListSummary()
  /// By handle.
  public var authors: [RowAuthor] = []
  public var nextPageToken = ""

  /// The same, for readers of lists of any kind.
  public var items: [RowAuthor] { authors }

  static let schema = MessageSchema("ListMembersResponse")

  /// Nobody, in no list yet.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &list)
    try fields.messages(2, &authors)
    try fields.text(3, &nextPageToken)
  }
}
