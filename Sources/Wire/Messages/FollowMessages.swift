public import ViewState

/// Names an author, for all commands on one.
public struct AuthorRequest: Equatable, DeclaredMessage {
  /// ID, `source:native-id` or @handle; for a profile, empty means the account's own.
  public var author = ""

  static let schema = MessageSchema(
    "FollowRequest", "UnfollowRequest", "GetProfileRequest", "MuteRequest", "UnmuteRequest", "BlockRequest",
    "UnblockRequest")

  /// Names `author`.
  public init(author: String) { self.author = author }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, &author) }
}

/// A profile.
public struct GetProfileResponse: Equatable, DeclaredMessage {
  public var profile = ProfileSummary()

  static let schema = MessageSchema("GetProfileResponse")

  public init(profile: ProfileSummary) { self.profile = profile }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.requiredMessage(1, &profile) }
}

/// Authors that follow an author, or that one follows.
public struct FollowsResponse: Equatable, DeclaredMessage, PageResponse {
  /// Sorted by handle.
  public var authors: [RowAuthor] = []
  public var nextPageToken = ""

  /// The authors, for generic readers of pages.
  public var items: [RowAuthor] { authors }

  static let schema = MessageSchema("ListFollowingResponse", "ListFollowersResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &authors)
    try fields.text(2, &nextPageToken)
  }
}

extension RowAuthor: DeclaredMessage {
  static let schema = MessageSchema("Author")

  init() { self.init(id: 0, handle: [], displayName: [], avatarURL: []) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &id)
    try fields.utf8(2, &handle)
    try fields.utf8(3, &displayName)
    try fields.utf8(4, &avatarURL)
    try fields.utf8(5, &source)
    fields.flag(6, &isNamesake)
  }
}

extension ProfileSummary: DeclaredMessage {
  static let schema = MessageSchema("Profile")

  init() { self.init(author: RowAuthor()) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.requiredMessage(1, &author)
    fields.count(2, &posts)
    fields.count(3, &followers)
    fields.count(4, &following)
    fields.flag(5, &isFollowed)
    fields.flag(6, &followsMe)
    fields.flag(7, &isMe)
    fields.flag(8, &isMuted)
    fields.flag(9, &isBlocked)
  }
}
