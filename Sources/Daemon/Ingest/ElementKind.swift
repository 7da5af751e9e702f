/// What an element of a file is, by its fields alone.
enum ElementKind: Equatable {
  /// A tweet; in an archive inside a `tweet` field.
  case tweet
  /// A status of the Mastodon REST API.
  case status
  /// Something of that API with a status in the field named: a notification or a conversation.
  case carrier(Carrier)
  /// An ActivityPub activity that may hold a post.
  case activity
  /// An ActivityPub object on its own.
  case note
  /// A line of Stack's own format.
  case post
  /// A line of that format that says what is missing, or is missing no more.
  case gap
  /// `account.js`.
  case account
  /// `profile.js`.
  case profile
  /// `actor.json`.
  case actor
  /// A known thing that is no post but belongs between posts; the text says why it is passed over.
  case ignored(String)
  /// Something else. A file that begins with it is refused; the text says what it is.
  case foreign(String)

  /// The fields a status travels in.
  enum Carrier: Equatable {
    case notification
    case conversation
  }

  /// What people call it.
  var name: String {
    switch self {
    case .tweet: "tweets"
    case .status: "Mastodon statuses"
    case .carrier(.notification): "Mastodon notifications"
    case .carrier(.conversation): "Mastodon conversations"
    case .activity, .note: "ActivityPub activities"
    case .post, .gap: "posts in Stack's JSON Lines"
    case .account, .profile: "a Twitter archive's account data"
    case .actor: "a Mastodon archive's account data"
    case .ignored(let text), .foreign(let text): text
    }
  }

  /// The format that reads it.
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

  /// The kind of `value`.
  init(_ value: JSONValue) {
    if value.isObject {
      self = Self.ofPost(value) ?? Self.ofOther(value)
    } else if let text = value.bytes {
      let isLink = text.hasPrefix("http")
      self = .foreign(
        isLink
          ? "a list of links, not posts (likes.json and bookmarks.json are such lists)" : "a list of texts, not posts")
    } else {
      self = .foreign(value.isArray ? "lists inside a list, not posts" : "numbers or literals, not posts")
    }
  }

  private static func ofPost(_ value: JSONValue) -> ElementKind? {
    if value["tweet"]?.isObject == true { return .tweet }
    if value["gap"]?["newer"] != nil || value["complete"]?["newer"] != nil { return .gap }
    let hasText = value["text"] != nil || value["full_text"] != nil
    if value["account"]?.isObject == true, value["created_at"] != nil {
      if value["type"]?.bytes != nil, value["content"] == nil { return .carrier(.notification) }
      if value["content"] != nil || hasText {
        return value["id"] != nil || value["uri"] != nil
          ? .status : .foreign("an edit history: versions of one post, without its id")
      }
    }
    if value["accounts"]?.isArray == true, value["unread"] != nil { return .carrier(.conversation) }
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
        return .ignored("a \(type) activity: only Create and Announce are posts")
      default: return .ignored("an activity of a type that is not known")
      }
    }
    return value["attributedTo"] != nil && value["content"] != nil ? .note : nil
  }

  private static func ofOther(_ value: JSONValue) -> ElementKind {
    if value["account"]?["accountId"] != nil { return .account }
    if value["profile"]?.isObject == true { return .profile }
    if let error = value["error"]?.string {
      return .foreign("the error answer of a server (“\(printable(error, limit: 60))”), not posts")
    }
    for (field, kind) in markers where value[field] != nil { return kind }
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
    return .foreign("JSON objects \(fieldNames(value)), which is no kind of post known here")
  }

  private static let jsonFeed = ElementKind.foreign("a JSON Feed; feeds are not supported yet")
  private static let bluesky = ElementKind.foreign("Bluesky records; Bluesky is not supported yet")

  /// Fields that give away what their object is, in the order in which they are looked for.
  private static let markers: [(StaticString, ElementKind)] = [
    ("delete", .ignored("a deletion: an import takes nothing away")),
    ("status_withheld", .ignored("a notice that a tweet is withheld")),
    ("user_withheld", .ignored("a notice that a user is withheld")),
    ("scrub_geo", .ignored("a notice to forget places")),
    ("limit", .ignored("a notice of tweets left out of the stream")),
    ("friends", .ignored("the list of friends at the start of a stream")),
    ("friends_str", .ignored("the list of friends at the start of a stream")),
    ("disconnect", .ignored("the stream's goodbye")),
    ("warning", .ignored("a warning of the stream")),
    ("errors", .foreign("the error answer of a server, not posts")),
    ("like", .foreign("the list of likes of a Twitter archive, not posts")),
    ("follower", .foreign("the list of followers of a Twitter archive, not posts")),
    ("following", .foreign("the list of people followed of a Twitter archive, not posts")),
    ("dmConversation", .foreign("direct messages, which are not imported")),
    ("noteTweet", .foreign("the long texts of a Twitter archive; import its tweets.js")),
  ]

  /// The first fields of an object, for a message.
  private static func fieldNames(_ value: JSONValue) -> String {
    let names = value.fields.prefix(4).map { printable($0.key.string, limit: 30) }
    return names.isEmpty ? "without fields" : "with the fields " + names.joined(separator: ", ")
  }

  /// `text` on one line, harmless and of at most `limit` characters, for a message.
  static func printable(_ text: String, limit: Int) -> String {
    let clean = String(text.unicodeScalars.prefix(limit).map { $0.properties.isPrintable ? Character($0) : " " })
    return text.unicodeScalars.count > limit ? clean + "…" : clean
  }
}

extension Unicode.Scalar.Properties {
  /// Whether a scalar can be put into a message as it is: no control, format or separator character.
  var isPrintable: Bool {
    switch generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
