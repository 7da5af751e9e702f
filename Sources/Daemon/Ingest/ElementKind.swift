/// The kind of a file's element, judged by its fields alone.
enum ElementKind: Equatable {
  /// A tweet; in an archive inside a `tweet` field.
  case tweet
  /// A status of the Mastodon REST API.
  case status
  /// An object of that API with a status in one of its fields: a notification or a conversation.
  case carrier(Carrier)
  /// An ActivityPub activity that may hold a post.
  case activity
  /// An ActivityPub object on its own.
  case note
  /// A line of Stack's own format.
  case post
  /// A line of that format about a gap: posts are missing, or no longer missing.
  case gap
  /// `account.js`.
  case account
  /// `profile.js`.
  case profile
  /// `actor.json`.
  case actor
  /// A known element that is not a post but occurs between posts; the text is the reason for skipping it.
  case ignored(String)
  /// Any other element. A file that begins with it is refused; the text describes the element.
  case foreign(String)

  /// The objects that contain a status.
  enum Carrier: Equatable {
    case notification
    case conversation
  }

  /// The plural name of the kind in messages.
  var name: String {
    switch self {
    case .tweet: "tweets"
    case .status: "Mastodon statuses"
    case .carrier(.notification): "Mastodon notifications"
    case .carrier(.conversation): "Mastodon conversations"
    case .activity, .note: "ActivityPub activities"
    case .post, .gap: "posts in Stack's JSON Lines format"
    case .account, .profile: "a Twitter archive's account data"
    case .actor: "a Mastodon archive's account data"
    case .ignored(let text), .foreign(let text): text
    }
  }

  /// The format that the kind belongs to.
  var format: ImportFormat {
    switch self {
    case .tweet: .twitterV1
    case .status, .carrier: .mastodonJSON
    case .activity, .note, .actor: .mastodonArchive
    case .post, .gap: .jsonLines
    case .account, .profile: .twitterArchive
    case .ignored, .foreign: .auto
    }
  }

  /// Determines the kind of `value`.
  init(_ value: JSONValue) {
    if value.isObject {
      self = Self.ofPost(value) ?? Self.ofOther(value)
    } else if let text = value.bytes {
      let isLink = text.hasPrefix("http")
      self = .foreign(
        isLink
          ? "a list of links, not posts (as in likes.json and bookmarks.json)" : "a list of strings, not posts")
    } else {
      self = .foreign(value.isArray ? "nested lists, not posts" : "numbers or literals, not posts")
    }
  }

  private static func ofPost(_ value: JSONValue) -> ElementKind? {
    if value["tweet"]?.isObject == true { return .tweet }
    if value["gap"]?["newer"] != nil || value["complete"]?["newer"] != nil { return .gap }
    let hasText = value["text"] != nil || value["full_text"] != nil
    if value["account"]?.isObject == true, value["created_at"] != nil {
      if value["type"]?.bytes != nil, value["content"] == nil { return .carrier(.notification) }
      if value["content"] == nil, hasText { return deletion }
      if value["content"] != nil {
        return value["id"] != nil || value["uri"] != nil
          ? .status : .foreign("an edit history: versions of one post without its ID")
      }
    }
    if value["accounts"]?.isArray == true, value["unread"] != nil { return .carrier(.conversation) }
    if isTweetOfV2(value) { return tweetsOfV2 }
    if value["user"]?.isObject == true, hasText || value["retweeted_status"] != nil { return .tweet }
    if value["author"] != nil, value["created_at"] != nil, hasText || value["original"] != nil { return .post }
    if value["created_at"] != nil, hasText, value["$type"] == nil { return .tweet }
    return ofActivity(value)
  }

  private static func ofActivity(_ value: JSONValue) -> ElementKind? {
    guard let type = value["type"]?.string else { return nil }
    if value["preferredUsername"] != nil { return .actor }
    if value["actor"] != nil, value["object"] != nil {
      switch type {
      case "Create", "Announce": return .activity
      case "Update", "Delete", "Undo", "Like", "Follow", "Add", "Remove", "Block", "Flag", "Accept", "Reject", "Move":
        return .ignored("a \(type) activity; only Create and Announce contain posts")
      default: return .ignored("an activity of an unknown type")
      }
    }
    return value["attributedTo"] != nil && value["content"] != nil ? .note : nil
  }

  private static func ofOther(_ value: JSONValue) -> ElementKind {
    if value["account"]?["accountId"] != nil { return .account }
    if value["profile"]?.isObject == true { return .profile }
    if let error = value["error"]?.string {
      return .foreign("a server's error response (“\(printable(error, limit: 60))”), not posts")
    }
    for (field, content, kind) in markers where content.fits(value[field]) { return kind }
    if let data = value["data"], holdsTweetsOfV2(data) { return tweetsOfV2 }
    if value["username"] != nil, value["acct"] != nil { return .foreign("Mastodon accounts, not posts") }
    if value["screen_name"] != nil, value["followers_count"] != nil { return .foreign("Twitter users, not posts") }
    if let version = value["version"]?.bytes, version.hasPrefix("https://jsonfeed.org/") { return jsonFeed }
    if let type = value["$type"]?.bytes, type.hasPrefix("app.bsky.") { return bluesky }
    if value["content_html"] != nil || value["content_text"] != nil || value["date_published"] != nil {
      return jsonFeed
    }
    if value["post"]?["uri"]?.bytes?.hasPrefix("at://") == true || value["uri"]?.bytes?.hasPrefix("at://") == true {
      return bluesky
    }
    if value["text"]?.string != nil, value["author"] != nil, value["created_at"] == nil {
      return .foreign("a post without created_at; each post needs the time when it was written")
    }
    return .foreign("JSON objects \(fieldNames(value)), not a known kind of post")
  }

  private static let jsonFeed = ElementKind.foreign("a JSON Feed; `feed add` subscribes to one by its address")
  private static let bluesky = ElementKind.foreign("Bluesky records; Bluesky is not supported yet")

  /// The response of a Mastodon server to a deletion: the status with the author's plain `text`, to be written again.
  private static let deletion = ElementKind.ignored("a deletion (imports never delete posts)")

  // MARK: - Twitter's API v2

  private static let tweetsOfV2 = ElementKind.foreign(
    "tweets of the Twitter API v2, which are not supported yet; convert them to JSON Lines")

  /// True for a tweet as the API v2 writes it: its author is only a number, which another part of the response names.
  private static func isTweetOfV2(_ value: JSONValue) -> Bool {
    guard value["text"] != nil, value["user"] == nil else { return false }
    return value["edit_history_tweet_ids"] != nil || value["author_id"] != nil
  }

  /// True for the `data` of a response: a tweet or a list of them, which may have only `id` and `text`.
  private static func holdsTweetsOfV2(_ data: JSONValue) -> Bool {
    var elements = data.elements
    guard let first = data.isObject ? data : elements.next() else { return false }
    return first["id"] != nil && first["text"] != nil
  }

  // MARK: - Other objects

  /// The value that a marker must have, since its name alone is an ordinary word.
  private enum Content {
    case list
    case object(with: StaticString)

    func fits(_ value: JSONValue?) -> Bool {
      switch self {
      case .list: value?.isArray == true
      case .object(let field): value?[field] != nil
      }
    }
  }

  /// Fields that identify the kind of their object, in the order of lookup.
  private static let markers: [(StaticString, Content, ElementKind)] = [
    ("delete", .object(with: "status"), deletion),
    ("status_withheld", .object(with: "id"), .ignored("a notice of a withheld tweet")),
    ("user_withheld", .object(with: "id"), .ignored("a notice of a withheld user")),
    ("scrub_geo", .object(with: "user_id"), .ignored("a notice to remove locations")),
    ("limit", .object(with: "track"), .ignored("a notice of tweets omitted from the stream")),
    ("friends", .list, .ignored("the list of friends at the start of a stream")),
    ("friends_str", .list, .ignored("the list of friends at the start of a stream")),
    ("disconnect", .object(with: "code"), .ignored("a disconnect notice of the stream")),
    ("warning", .object(with: "code"), .ignored("a warning from the stream")),
    ("errors", .list, .foreign("a server's error response, not posts")),
    ("like", .object(with: "tweetId"), .foreign("the likes of a Twitter archive, not posts")),
    ("follower", .object(with: "accountId"), .foreign("the followers of a Twitter archive, not posts")),
    ("following", .object(with: "accountId"), .foreign("the followed accounts of a Twitter archive, not posts")),
    ("dmConversation", .object(with: "conversationId"), .foreign("direct messages, which are not imported")),
    (
      "noteTweet", .object(with: "noteTweetId"),
      .foreign("the long texts of a Twitter archive; import tweets.js instead")
    ),
  ]

  /// Returns the first fields of an object, for a message.
  private static func fieldNames(_ value: JSONValue) -> String {
    let names = value.fields.prefix(4).map { printable($0.key.string, limit: 30) }
    return names.isEmpty ? "without fields" : "with the fields " + names.joined(separator: ", ")
  }

  /// Returns `text` for a message: on one line, without unprintable characters, cut to `limit` characters.
  static func printable(_ text: String, limit: Int) -> String {
    let clean = String(text.unicodeScalars.prefix(limit).map { $0.properties.isPrintable ? Character($0) : " " })
    return text.unicodeScalars.count > limit ? clean + "…" : clean
  }
}

extension Unicode.Scalar.Properties {
  /// True if a scalar can appear in a message unchanged: not a control, format or separator character.
  var isPrintable: Bool {
    switch generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
