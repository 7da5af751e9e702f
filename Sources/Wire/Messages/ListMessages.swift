public import ViewState

/// Deletes a list.
public struct DeleteListRequest: Equatable, DeclaredMessage {
  /// ID or name.
  public var list = ""

  static let schema = MessageSchema("DeleteListRequest")

  /// Deletes `list`.
  public init(list: String) { self.list = list }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, &list) }
}

/// Creates a list.
public struct CreateListRequest: Equatable, DeclaredMessage {
  /// 1 to 64 bytes.
  public var name = ""

  static let schema = MessageSchema("CreateListRequest")

  /// Creates a list called `name`.
  public init(name: String) { self.name = name }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.name(1, &name) }
}

/// Renames a list.
public struct RenameListRequest: Equatable, DeclaredMessage {
  /// ID or name.
  public var list = ""
  /// 1 to 64 bytes.
  public var name = ""

  static let schema = MessageSchema("RenameListRequest")

  /// Renames `list` to `name`.
  public init(list: String, name: String) {
    self.list = list
    self.name = name
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &list)
    try fields.name(2, &name)
  }
}

/// Adds an author to a list, or removes one.
public struct ListMemberRequest: Equatable, DeclaredMessage {
  /// ID or name.
  public var list = ""
  /// ID, `source:native-id` or @handle.
  public var author = ""

  static let schema = MessageSchema("AddToListRequest", "RemoveFromListRequest")

  public init(list: String, author: String) {
    self.list = list
    self.author = author
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &list)
    try fields.text(2, &author)
  }
}

/// The result of a command on a list.
public struct ListResponse: Equatable, DeclaredMessage {
  public var listID: UInt64 = 0
  /// Frames at or after this revision include the change.
  public var revision: UInt64 = 0

  static let schema = MessageSchema(
    "CreateListResponse", "RenameListResponse", "DeleteListResponse", "AddToListResponse", "RemoveFromListResponse")

  public init(listID: UInt64, revision: UInt64) {
    self.listID = listID
    self.revision = revision
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &listID)
    fields.number(2, &revision)
  }
}

/// A list that an account created; the schema's PostList.
public struct ListSummary: Equatable, DeclaredMessage {
  public var listID: UInt64 = 0
  public var name = ""
  public var authorCount = 0
  public var postCount = 0

  static let schema = MessageSchema("PostList")

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
  /// In order of creation.
  public var lists: [ListSummary] = []
  public var nextPageToken = ""

  /// The lists, for generic readers of pages.
  public var items: [ListSummary] { lists }

  static let schema = MessageSchema("ListListsResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &lists)
    try fields.text(2, &nextPageToken)
  }
}

/// The members of a list.
public struct ListMembersResponse: Equatable, DeclaredMessage, PageResponse {
  public var list = ListSummary()
  /// Sorted by handle.
  public var authors: [RowAuthor] = []
  public var nextPageToken = ""

  /// The authors, for generic readers of pages.
  public var items: [RowAuthor] { authors }

  static let schema = MessageSchema("ListMembersResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &list)
    try fields.messages(2, &authors)
    try fields.text(3, &nextPageToken)
  }
}
