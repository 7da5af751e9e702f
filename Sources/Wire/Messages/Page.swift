/// Which page of a list is wanted: what every List request has, and all that most of them have.
public struct PageRequest: Equatable, DeclaredMessage {
  /// How many at most; 0 for as many as there can be.
  public var size = 0
  /// Where to go on: ``PageResponse/nextPageToken`` of the page before; empty for the first page.
  public var token = ""

  static let schema = MessageSchema(
    "ListSessionsRequest", "ListDraftsRequest", "ListOutboxRequest", "ListAccountsRequest", "ListListsRequest",
    "ListMutedRequest")

  /// The first page.
  public init() {}

  /// The page that `token` says.
  public init(size: Int = 0, token: String) { (self.size, self.token) = (size, token) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try walk(from: 1, &fields) }

  /// Its two fields in a message that says more, from `number` on.
  fileprivate mutating func walk(from number: UInt32, _ fields: inout WireFields) throws(DecodingFailure) {
    fields.count(number, &size)
    try fields.text(number + 1, &token)
  }
}

/// One page of a list.
public protocol PageResponse: WireMessage {
  associatedtype Item: WireMessage
  /// In the order of the list.
  var items: [Item] { get }
  /// Asks for the next page; empty with the last.
  var nextPageToken: String { get }
}

/// Asks whom an author follows, or who follows them.
public struct FollowsRequest: Equatable, DeclaredMessage {
  /// By number, `source:native-id` or @handle; empty for the account's own.
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

/// Asks who is in a list.
public struct ListMembersRequest: Equatable, DeclaredMessage {
  /// By number or name.
  public var list = ""
  public var page = PageRequest()

  static let schema = MessageSchema("ListMembersRequest")

  /// Who is in `list`.
  public init(list: String) { self.list = list }

  /// Of no list yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &list)
    try page.walk(from: 2, &fields)
  }
}

/// Asks for the tokens of an account.
public struct ListTokensRequest: Equatable, DeclaredMessage {
  /// Its name; empty for the caller's own.
  public var account = ""
  public var page = PageRequest()

  static let schema = MessageSchema("ListTokensRequest")

  /// About the caller's own.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &account)
    try page.walk(from: 2, &fields)
  }
}
