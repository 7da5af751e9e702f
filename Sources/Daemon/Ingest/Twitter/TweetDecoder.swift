internal import Dates
internal import Posts

/// Reads tweets of the API, its streams, archives and property lists, which share the fields of the Twitter API v1.1
/// tweet object.
struct TweetDecoder {
  /// The ID space.
  let source: String
  /// The author of tweets that do not name theirs.
  var owner: ImportedAuthor?

  /// Returns the post in `value`, a tweet; `native` is its text, minified.
  func decode(_ value: JSONValue, native: [UInt8]) throws -> ImportedPost {
    var post = try decodeFlat(value, native: native)
    if let original = value["retweeted_status"], original.isObject {
      post.original = [try decodeFlat(original, native: JSONSlice.field("retweeted_status", of: native))]
      post.body = PostBody(text: .empty, visibility: post.body.visibility)
      post.inReplyTo = nil
    }
    return post
  }

  /// True if `value` names its author.
  static func namesAuthor(_ value: JSONValue) -> Bool {
    value["user"]?.isObject == true || value["screen_name"]?.bytes != nil
  }

  private func decodeFlat(_ value: JSONValue, native: [UInt8]) throws -> ImportedPost {
    let author = try author(of: value)
    let createdAt = try value.instant("created_at")
    let body = try body(of: value)
    let known = try value.nativeID("id_str") ?? value.nativeID("id")
    let id = known ?? StableKey.make(author.nativeID, "\(createdAt.milliseconds)", body.text.string)
    var post = ImportedPost(
      source: source, nativeID: id, author: author, createdAt: createdAt, body: body,
      inReplyTo: try statusID(value, "in_reply_to_status_id_str") ?? statusID(value, "in_reply_to_status_id"),
      native: native)
    if let known, !author.handle.isEmpty {
      post.body.permalink = SafeText(line: "https://twitter.com/\(author.handle.string)/status/\(known)")
    }
    return post
  }

  // MARK: - Author

  private func author(of value: JSONValue) throws -> ImportedAuthor {
    guard let user = value["user"], user.isObject else { return try flatAuthor(of: value) }
    let id = try user.nativeID("id_str") ?? user.nativeID("id")
    let handle = user.line("screen_name")
    if handle.isEmpty {
      if let owner, owner.nativeID == id { return owner }
      guard let id else { throw SkipReason("user without name or ID") }
      return ImportedAuthor(nativeID: id, handle: SafeText(line: id), displayName: SafeText(line: id))
    }
    return ImportedAuthor(
      nativeID: id ?? Self.key(ofHandle: handle), handle: handle, displayName: Self.name(user.line("name"), or: handle),
      avatarURL: user.line("profile_image_url_https"))
  }

  /// Returns the author named in the tweet itself (property lists), or the archive's owner.
  private func flatAuthor(of value: JSONValue) throws -> ImportedAuthor {
    let handle = value.line("screen_name")
    guard handle.isEmpty else {
      return ImportedAuthor(
        nativeID: Self.key(ofHandle: handle), handle: handle, displayName: Self.name(value.line("name"), or: handle),
        avatarURL: value.line("profile_image_url_https"))
    }
    guard let owner else { throw SkipReason("no author") }
    return owner
  }

  /// Returns the key of an author whose number is unknown.
  private static func key(ofHandle handle: SafeText) -> String { "@" + handle.string.lowercased() }

  private static func name(_ name: SafeText, or handle: SafeText) -> SafeText { name.isEmpty ? handle : name }

  // MARK: - Body

  private func body(of value: JSONValue) throws -> PostBody {
    let extended = value["extended_tweet"]
    guard let text = extended?["full_text"]?.bytes ?? value["full_text"]?.bytes ?? value["text"]?.bytes else {
      throw SkipReason("no text")
    }
    let entities = extended?["entities"] ?? value["entities"]
    let media = (extended?["extended_entities"] ?? value["extended_entities"])?["media"]
    let (shown, spans) = TweetText.read(text, entities: entities, media: media)
    var body = PostBody(text: shown, spans: spans)
    for item in (media ?? entities?["media"])?.elements ?? .none { body.media.append(Self.media(item)) }
    body.counts = Counts(
      replies: value.count("reply_count"), reposts: value.count("retweet_count"),
      favourites: value.count("favorite_count"))
    body.visibility = value["user"]?["protected"]?.bool == true ? .followers : .public
    body.flags = flags(of: value)
    let language = value["lang"]?.bytes
    if let language, !(language == "und") { body.language = SafeText(wellFormedLine: language) }
    body.inReplyToHandle = value.line("in_reply_to_screen_name")
    return body
  }

  private func flags(of value: JSONValue) -> PostFlags {
    var flags: PostFlags = []
    if value["favorited"]?.bool == true { flags.insert(.favourited) }
    if value["retweeted"]?.bool == true { flags.insert(.reposted) }
    if value["possibly_sensitive"]?.bool == true { flags.insert(.sensitive) }
    var versions = value["edit_info"]?["initial"]?["editTweetIds"]?.elements ?? .none
    if versions.next() != nil, versions.next() != nil { flags.insert(.edited) }
    return flags
  }

  private static func media(_ item: JSONValue) -> Media {
    let kind: Media.Kind
    switch item["type"]?.string {
    case "photo": kind = .image
    case "video": kind = .video
    case "animated_gif": kind = .animation
    default: kind = .unknown
    }
    let still = item.line("media_url_https")
    let url = bestVideo(item) ?? (still.isEmpty ? item.line("media_url") : still)
    return Media(
      kind: kind, url: url, altText: item["ext_alt_text"]?.bytes.map { SafeText(wellFormed: $0.array) } ?? .empty)
  }

  /// Returns the MP4 with the highest bit rate.
  private static func bestVideo(_ item: JSONValue) -> SafeText? {
    var best: (rate: Int, url: SafeText)?
    for variant in item["video_info"]?["variants"]?.elements ?? .none {
      guard let type = variant["content_type"]?.bytes, type == "video/mp4" else { continue }
      let rate = variant["bitrate"]?.integer ?? 0
      if rate > best?.rate ?? -1 { best = (rate, variant.line("url")) }
    }
    return best?.url
  }

  /// Returns the ID of the tweet replied to; -1 and 0 mean none in old archives.
  private func statusID(_ value: JSONValue, _ key: StaticString) throws -> String? {
    let id = try value.nativeID(key)
    return id == "0" || id == "-1" ? nil : id
  }
}
