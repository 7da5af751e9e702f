public import ViewState

/// Names an author, for all commands on one.
public struct AuthorRequest: Equatable, DeclaredMessage {
  /// ID, `source:native-id` or @handle; for a profile, empty means the account's own.
  public var author = ""

  static let schema = MessageSchema(
    "FollowRequest", "UnfollowRequest", "GetProfileRequest", "MuteRequest", "UnmuteRequest", "BlockRequest",
    "UnblockRequest", "ApproveFollowRequest", "RefuseFollowRequest", "RemoveFollowerRequest")

  /// Names `author`.
  public init(author: String) { self.author = author }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, &author) }
}

/// The result of Follow.
public struct FollowResponse: Equatable, DeclaredMessage {
  /// The revision of the change; frames at or after it include it.
  public var revision: UInt64 = 0
  /// True if the author has been asked and has not decided yet; false if the author is followed.
  public var isPending = false

  static let schema = MessageSchema("FollowResponse")

  public init(revision: UInt64, isPending: Bool) { (self.revision, self.isPending) = (revision, isPending) }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &revision)
    fields.flag(2, &isPending)
  }
}

/// An open request to follow the account; the schema's PendingFollow.
public struct PendingFollowSummary: Equatable, DeclaredMessage {
  /// The author who asks.
  public var author: RowAuthor
  public var askedAtMilliseconds: Int64

  static let schema = MessageSchema("PendingFollow")

  public init(author: RowAuthor, askedAtMilliseconds: Int64) {
    (self.author, self.askedAtMilliseconds) = (author, askedAtMilliseconds)
  }

  init() { self.init(author: RowAuthor(), askedAtMilliseconds: 0) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.requiredMessage(1, &author)
    fields.signed(2, &askedAtMilliseconds)
  }
}

/// The open requests to follow the account.
public struct ListFollowRequestsResponse: Equatable, DeclaredMessage, PageResponse {
  /// Newest first.
  public var requests: [PendingFollowSummary] = []
  public var nextPageToken = ""

  /// The requests, for generic readers of pages.
  public var items: [PendingFollowSummary] { requests }

  static let schema = MessageSchema("ListFollowRequestsResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &requests)
    try fields.text(2, &nextPageToken)
  }
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
    try fields.utf8(10, &about)
  }
}
