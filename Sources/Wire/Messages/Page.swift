/// Selects a page of a list: part of every List request, and all that most of them have.
public struct PageRequest: Equatable, DeclaredMessage {
  /// Maximum number of items; 0 for the largest page.
  public var size = 0
  /// ``PageResponse/nextPageToken`` of the previous page; empty for the first page.
  public var token = ""

  static let schema = MessageSchema(
    "ListSessionsRequest", "ListDraftsRequest", "ListOutboxRequest", "ListAccountsRequest", "ListListsRequest",
    "ListMutedRequest", "ListFollowRequestsRequest", "ListPeopleRequest", "ListSourcesRequest")

  /// The first page.
  public init() {}

  /// The page that begins at `token`.
  public init(size: Int = 0, token: String) { (self.size, self.token) = (size, token) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try walk(from: 1, &fields) }

  /// Walks its two fields, starting at `number`, in a message with other fields.
  fileprivate mutating func walk(from number: UInt32, _ fields: inout WireFields) throws(DecodingFailure) {
    fields.count(number, &size)
    try fields.text(number + 1, &token)
  }
}

/// One page of a list.
public protocol PageResponse: WireMessage {
  associatedtype Item: WireMessage
  /// The items, in the order of the list.
  var items: [Item] { get }
  /// The token of the next page; empty on the last.
  var nextPageToken: String { get }
}

/// Requests the authors that an author follows, or that follow one.
public struct FollowsRequest: Equatable, DeclaredMessage {
  /// ID, `source:native-id` or @handle; empty for the account's own.
  public var author = ""
  public var page = PageRequest()

  static let schema = MessageSchema("ListFollowingRequest", "ListFollowersRequest")

  /// About the account's own author.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &author)
    try page.walk(from: 2, &fields)
  }
}

/// Requests the members of a list.
public struct ListMembersRequest: Equatable, DeclaredMessage {
  /// ID or name.
  public var list = ""
  public var page = PageRequest()

  static let schema = MessageSchema("ListMembersRequest")

  /// Requests the members of `list`.
  public init(list: String) { self.list = list }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &list)
    try page.walk(from: 2, &fields)
  }
}

/// Requests imports that can be taken back.
public struct ListImportsRequest: Equatable, DeclaredMessage {
  public var page = PageRequest()
  /// True for the imports of all accounts.
  public var isForEveryone = false

  static let schema = MessageSchema("ListImportsRequest")

  /// Requests the caller's own.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try page.walk(from: 1, &fields)
    fields.flag(3, &isForEveryone)
  }
}

/// Requests the tokens of an account.
public struct ListTokensRequest: Equatable, DeclaredMessage {
  /// Name of the account; empty for the caller's own.
  public var account = ""
  public var page = PageRequest()

  static let schema = MessageSchema("ListTokensRequest")

  /// Requests the caller's own.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &account)
    try page.walk(from: 2, &fields)
  }
}
