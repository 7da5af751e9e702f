internal import Dates
internal import Posts

/// Reads statuses of the Mastodon REST API and of its event streams (the Status entity in the Mastodon API
/// documentation).
///
/// A status is identified by its `uri`, which an account archive of its author contains as well. The server's own
/// number becomes an alias, and the number of the post it replies to names the parent, both as `#number`;
/// ``LocalNumbers`` adds the server's host.
struct StatusDecoder {
  /// The ID space.
  let source: String

  /// Returns the post in `value`, a status; `native` is its text, minified.
  func decode(_ value: JSONValue, native: [UInt8]) throws -> ImportedPost {
    var post = try decodeFlat(value, native: native)
    if let original = value["reblog"], original.isObject {
      post.original = [try decodeFlat(original, native: JSONSlice.field("reblog", of: native))]
      post.body = PostBody(text: .empty, visibility: post.body.visibility)
      post.inReplyTo = nil
    }
    return post
  }

  /// Returns the host of the server that returned `value`, if the status reveals it: accounts of that server are named
  /// without a host.
  static func server(of value: JSONValue) -> String? {
    for status in [value, value["reblog"]] {
      guard let account = status?["account"], let name = account["acct"]?.bytes, !name.contains(UInt8(ascii: "@")),
        let url = account["url"]?.string ?? account["uri"]?.string
      else { continue }
      let host = WebAddress(url).host
      if !host.isEmpty { return host }
    }
    return nil
  }

  private func decodeFlat(_ value: JSONValue, native: [UInt8]) throws -> ImportedPost {
    guard let account = value["account"], account.isObject else { throw SkipReason("no author") }
    let number = try value.nativeID("id")
    guard let uri = try value.nativeID("uri") ?? value.nativeID("url") else { throw SkipReason("no uri") }
    let createdAt = try value.instant("created_at")
    let parent = try value.nativeID("in_reply_to_id")
    var post = ImportedPost(
      source: source, nativeID: uri, aliases: number.map { [LocalNumbers.mark + $0] } ?? [],
      author: try Self.author(account, statusURI: uri), createdAt: createdAt, body: try body(of: value),
      inReplyTo: parent.map { LocalNumbers.mark + $0 }, native: native)
    // The text need not name them, and may link to others.
    if post.body.visibility == .direct, let people = value["mentions"] {
      post.recipients = people.elements.map { $0.line("acct") }
    }
    return post
  }

  // MARK: - Author

  static func author(_ account: JSONValue, statusURI: String) throws -> ImportedAuthor {
    let handle = account.line("acct")
    guard !handle.isEmpty else { throw SkipReason("author without a name") }
    let name = account.line("display_name")
    guard let id = try address(of: account) ?? actor(ofStatus: statusURI) ?? account.nativeID("url") else {
      throw SkipReason("author without an address")
    }
    return ImportedAuthor(
      nativeID: id, handle: handle, displayName: name.isEmpty ? handle : name, avatarURL: account.line("avatar"))
  }

  /// Returns the address of an account, which Akkoma and Pleroma have in a place of their own; nil if it does not say it.
  static func address(of account: JSONValue) throws -> String? {
    try account.nativeID("uri") ?? account["pleroma"]?.nativeID("ap_id")
  }

  /// Returns the address of a Mastodon status's account, which is the part before `/statuses/`; servers before 4.2 do
  /// not give the address itself.
  private static func actor(ofStatus uri: String) -> String? {
    let parts = uri.split(separator: "/", omittingEmptySubsequences: false)
    guard let end = parts.lastIndex(of: "statuses"), end > 3 else { return nil }
    return parts[..<end].joined(separator: "/")
  }

  // MARK: - Body

  private func body(of value: JSONValue) throws -> PostBody {
    var text = shownText(of: value)
    appendPoll(value["poll"], to: &text)
    let (shown, spans) = text.finished()
    var body = PostBody(text: shown, spans: spans)
    for item in value["media_attachments"]?.elements ?? .none { body.media.append(Self.media(item)) }
    body.counts = Counts(
      replies: value.count("replies_count"), reposts: value.count("reblogs_count"),
      favourites: value.count("favourites_count"))
    // A post for few must not become visible to all, and is not a message only because its word is unknown.
    body.visibility = Self.visibility(value["visibility"]?.string) ?? .followers
    body.flags = Self.flags(of: value)
    body.contentWarning = value.line("spoiler_text")
    body.language = value.line("language")
    body.permalink = value.line("url")
    body.inReplyToHandle = Self.handleRepliedTo(by: value)
    return body
  }

  /// Returns the text, which is HTML.
  private func shownText(of value: JSONValue) -> MarkedText {
    var mentioned: [HTMLText.Mentioned] = []
    for person in value["mentions"]?.elements ?? .none {
      guard let url = person["url"]?.string, let handle = person["acct"]?.string else { continue }
      mentioned.append(HTMLText.Mentioned(url: url, handle: handle))
    }
    return HTMLText.read(value["content"]?.bytes?.array ?? [], mentioned: mentioned)
  }

  /// Appends a poll's options below the text, one a line.
  private func appendPoll(_ poll: JSONValue?, to text: inout MarkedText) {
    for (index, option) in (poll?["options"]?.elements ?? .none).enumerated() {
      guard let title = option["title"]?.bytes else { continue }
      if !text.bytes.isEmpty { text.bytes += Array((index == 0 ? "\n\n" : "\n").utf8) }
      text.bytes += Array("○ ".utf8) + title
    }
  }

  /// Returns the visibility with a name; nil for one that only some servers know, such as `local` and `list` of Akkoma.
  static func visibility(_ name: String?) -> Visibility? {
    switch name {
    case nil, "public": .public
    case "unlisted": .unlisted
    case "private", "limited": .followers
    case "direct": .direct
    default: nil
    }
  }

  private static func flags(of value: JSONValue) -> PostFlags {
    var flags: PostFlags = []
    if value["favourited"]?.bool == true { flags.insert(.favourited) }
    if value["reblogged"]?.bool == true { flags.insert(.reposted) }
    if value["bookmarked"]?.bool == true { flags.insert(.saved) }
    if value["sensitive"]?.bool == true { flags.insert(.sensitive) }
    if value["edited_at"] != nil { flags.insert(.edited) }
    return flags
  }

  static func media(_ item: JSONValue) -> Media {
    let kind: Media.Kind
    switch item["type"]?.string {
    case "image": kind = .image
    case "video": kind = .video
    case "gifv": kind = .animation
    case "audio": kind = .audio
    default: kind = .unknown
    }
    var url = item.line("url")
    for other: StaticString in ["remote_url", "preview_url"] where url.isEmpty { url = item.line(other) }
    return Media(
      kind: kind, url: url, altText: item["description"]?.bytes.map { SafeText(wellFormed: $0.array) } ?? .empty)
  }

  /// Returns the handle of the author replied to: a mentioned account, or the author of the status itself.
  private static func handleRepliedTo(by value: JSONValue) -> SafeText {
    guard let id = value["in_reply_to_account_id"]?.id else { return .empty }
    if value["account"]?["id"]?.id == id { return value["account"]?.line("acct") ?? .empty }
    for person in value["mentions"]?.elements ?? .none where person["id"]?.id == id { return person.line("acct") }
    return .empty
  }
}
