public import ViewState

/// Says an author: FollowRequest, QuietAuthorRequest and GetProfileRequest, which have the same field.
public struct AuthorRequest: Equatable, DeclaredMessage {
  /// By number, `source:native-id` or @handle; for a profile also empty: the account's own.
  public var author = ""

  static let schema = MessageSchema("FollowRequest", "QuietAuthorRequest", "GetProfileRequest")

  /// Names `author`.
  public init(author: String) { self.author = author }

  /// Nobody yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, &author) }
}

/// A profile.
public struct GetProfileResponse: Equatable, DeclaredMessage {
  public var profile = ProfileSummary()

  static let schema = MessageSchema("GetProfileResponse")

  /// Tells `profile`.
  public init(profile: ProfileSummary) { self.profile = profile }

  /// Nobody's profile yet.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.requiredMessage(1, &profile) }
}

/// Asks whom an account follows, or who follows it.
public struct GetFollowsRequest: Equatable, DeclaredMessage {
  /// Of whom; empty for the account itself.
  public var author = ""
  /// Those who follow, instead of those who are followed.
  public var wantsFollowers = false

  static let schema = MessageSchema("GetFollowsRequest")

  /// Whom the account follows.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &author)
    fields.flag(2, &wantsFollowers)
  }
}

/// Those who follow, or are followed.
public struct GetFollowsResponse: Equatable, DeclaredMessage {
  /// By handle.
  public var authors: [RowAuthor] = []

  static let schema = MessageSchema("GetFollowsResponse")

  /// Nobody.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.messages(1, &authors) }
}

extension RowAuthor: DeclaredMessage {
  static let schema = MessageSchema("Author")

  /// Nobody yet.
  init() { self.init(id: 0, handle: [], displayName: [], avatarURL: []) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &id)
    try fields.utf8(2, &handle)
    try fields.utf8(3, &displayName)
    try fields.utf8(4, &avatarURL)
  }
}

extension ProfileSummary: DeclaredMessage {
  static let schema = MessageSchema("Profile")

  /// Nobody's yet.
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
