public import ViewState

/// Says an author: FollowRequest, QuietAuthorRequest and GetProfileRequest, which have the same field.
public struct AuthorRequest: Equatable, WalkedMessage {
  /// By number, `source:native-id` or @handle; for a profile also empty: the account's own.
  public var author = ""

  static let typeName = "FollowRequest"

  /// Names `author`.
  public init(author: String) { self.author = author }

  /// Nobody yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, "author", &author) }
}

/// A profile.
public struct GetProfileResponse: Equatable, WireMessage {
  public var profile: ProfileSummary

  /// Tells `profile`.
  public init(profile: ProfileSummary) { self.profile = profile }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    profile = try WalkedProfile(decoding: bytes).summary
  }

  public func encoded() -> [UInt8] { WalkedProfile(summary: profile).encoded() }
}

/// Asks whom an account follows, or who follows it.
public struct GetFollowsRequest: Equatable, WalkedMessage {
  /// Of whom; empty for the account itself.
  public var author = ""
  /// Those who follow, instead of those who are followed.
  public var wantsFollowers = false

  static let typeName = "GetFollowsRequest"

  /// Whom the account follows.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, "author", &author)
    fields.flag(2, &wantsFollowers)
  }
}

/// Those who follow, or are followed.
public struct GetFollowsResponse: Equatable, WalkedMessage {
  /// By handle.
  public var authors: [RowAuthor] = []

  static let typeName = "GetFollowsResponse"

  /// Nobody.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.authors(1, &authors) }
}

extension WireFields {
  /// Authors.
  mutating func authors(_ field: UInt64, _ values: inout [RowAuthor]) throws(DecodingFailure) {
    var authors = values.map(WalkedAuthor.init)
    try messages(field, "authors", &authors)
    values = authors.map(\.author)
  }
}

/// The schema's Author.
private struct WalkedAuthor: WalkedMessage {
  var author: RowAuthor

  static let typeName = "Author"

  init(author: RowAuthor) { self.author = author }

  init() { author = RowAuthor(id: 0, handle: [], displayName: [], avatarURL: []) }

  mutating func walk(_ fields: inout WireFields) {
    fields.number(1, &author.id)
    fields.bytes(2, &author.handle)
    fields.bytes(3, &author.displayName)
    fields.bytes(4, &author.avatarURL)
  }
}

/// The schema's GetProfileResponse.
private struct WalkedProfile: WalkedMessage {
  /// The schema's Profile.
  struct Content: WalkedMessage {
    var summary = ProfileSummary(author: WalkedAuthor().author)

    static let typeName = "Profile"

    mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
      var author = WalkedAuthor(author: summary.author)
      try fields.requiredMessage(1, "author", &author)
      summary.author = author.author
      fields.count(2, &summary.posts)
      fields.count(3, &summary.followers)
      fields.count(4, &summary.following)
      fields.flag(5, &summary.isFollowed)
      fields.flag(6, &summary.followsMe)
      fields.flag(7, &summary.isMe)
      fields.flag(8, &summary.isMuted)
      fields.flag(9, &summary.isBlocked)
    }
  }

  var content = Content()
  var summary: ProfileSummary { content.summary }

  static let typeName = "GetProfileResponse"

  init() {}

  init(summary: ProfileSummary) { content.summary = summary }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.requiredMessage(1, "profile", &content)
  }
}
