internal import Dates
internal import Posts

/// Reads the activities in the `outbox.json` of a Mastodon account archive (ActivityStreams 2.0).
struct ActivityDecoder {
  /// The ID space.
  let source: String
  /// The archive's owner, from `actor.json`.
  var owner: ImportedAuthor?

  /// Returns the post in `value`, a Create or Announce activity; `native` is its text, minified.
  func decode(_ value: JSONValue, native: [UInt8]) throws -> ImportedPost {
    guard let object = value["object"] else { throw SkipReason("activity without an object") }
    if value["type"]?.string == "Announce" { return try repost(value, of: object, native: native) }
    guard object.isObject else { throw SkipReason("the post itself is not in the archive") }
    return try decode(note: object, activity: value, native: native)
  }

  /// Returns the post in `note`, an object on its own or inside `activity`.
  func decode(note: JSONValue, activity: JSONValue?, native: [UInt8]) throws -> ImportedPost {
    guard let id = try note.nativeID("id") ?? note.nativeID("atomUri") else { throw SkipReason("no ID") }
    let actor = try note.nativeID("attributedTo") ?? activity?.nativeID("actor")
    let createdAt =
      note["published"] != nil ? try note.instant("published") : try (activity ?? note).instant("published")
    let parent = try note.nativeID("inReplyTo")
    var body = body(of: note)
    body.visibility = Self.visibility(note["to"] != nil || note["cc"] != nil ? note : activity ?? note)
    if let parent { body.inReplyToHandle = SafeText(line: handle(repliedTo: parent, by: note, actor: actor) ?? "") }
    return ImportedPost(
      source: source, nativeID: id, author: try author(actor), createdAt: createdAt, body: body, inReplyTo: parent,
      native: native)
  }

  /// Returns a repost. The archive usually has only a link to the original, and the post is then that link. If it has
  /// the original (a repost of one's own post), the result is an ordinary repost.
  private func repost(_ value: JSONValue, of object: JSONValue, native: [UInt8]) throws -> ImportedPost {
    guard let link = object.bytes ?? object["id"]?.bytes else { throw SkipReason("repost without an original") }
    guard let id = try value.nativeID("id") else { throw SkipReason("no ID") }
    if object["content"] != nil {
      let original = try decode(note: object, activity: nil, native: JSONSlice.field("object", of: native))
      return ImportedPost(
        source: source, nativeID: id, author: try author(value.nativeID("actor")),
        createdAt: try value.instant("published"),
        body: PostBody(text: .empty, visibility: Self.visibility(value)), original: original, native: native)
    }
    var text = MarkedText()
    text.bytes = link.array
    text.mark(.link, 0..<text.bytes.count, target: text.bytes)
    let (shown, spans) = text.finished()
    let body = PostBody(
      text: shown, spans: spans, visibility: Self.visibility(value), permalink: SafeText(wellFormedLine: link))
    return ImportedPost(
      source: source, nativeID: id, author: try author(value.nativeID("actor")),
      createdAt: try value.instant("published"),
      body: body, native: native)
  }

  // MARK: - Author

  private func author(_ actor: String?) throws -> ImportedAuthor {
    guard let actor else {
      guard let owner else { throw SkipReason("no author") }
      return owner
    }
    if let owner, owner.nativeID == actor { return owner }
    let address = WebAddress(actor)
    guard let name = address.accountName ?? address.segments.last.map({ String($0) }) else {
      throw SkipReason("unreadable author address")
    }
    return ImportedAuthor(nativeID: actor, handle: SafeText(line: name), displayName: SafeText(line: name))
  }

  /// Returns the author in `value`, an `actor.json`.
  static func actor(_ value: JSONValue) throws -> ImportedAuthor {
    guard let id = try value.nativeID("id") else { throw SkipReason("account data without an ID") }
    let handle = value.line("preferredUsername")
    let name = value.line("name")
    return ImportedAuthor(
      nativeID: id, handle: handle, displayName: name.isEmpty ? handle : name,
      avatarURL: value["icon"]?.line("url") ?? .empty)
  }

  // MARK: - Body

  private func body(of note: JSONValue) -> PostBody {
    var mentioned: [HTMLText.Mentioned] = []
    for tag in note["tag"]?.elements ?? .none {
      guard tag["type"]?.string == "Mention", let url = tag["href"]?.string, let name = tag["name"]?.string else {
        continue
      }
      mentioned.append(HTMLText.Mentioned(url: url, handle: String(name.hasPrefix("@") ? name.dropFirst() : name[...])))
    }
    var text = HTMLText.read(note["content"]?.bytes?.array ?? [], mentioned: mentioned)
    appendTitleAndPoll(of: note, to: &text)
    let (shown, spans) = text.finished()
    var body = PostBody(text: shown, spans: spans)
    for item in note["attachment"]?.elements ?? .none { body.media.append(Self.media(item)) }
    body.counts = Counts(
      replies: note["replies"]?.count("totalItems") ?? 0, reposts: note["shares"]?.count("totalItems") ?? 0,
      favourites: note["likes"]?.count("totalItems") ?? 0)
    if note["sensitive"]?.bool == true { body.flags.insert(.sensitive) }
    if note["updated"] != nil { body.flags.insert(.edited) }
    body.contentWarning = note.line("summary")
    var languages = note["contentMap"]?.fields
    if let first = languages?.next() { body.language = SafeText(wellFormedLine: first.key) }
    let url = note["url"]?.bytes ?? note["id"]?.bytes
    body.permalink = url.map { SafeText(wellFormedLine: $0) } ?? .empty
    return body
  }

  /// Appends what other kinds of objects have beside their content: an article's title, a question's options.
  private func appendTitleAndPoll(of note: JSONValue, to text: inout MarkedText) {
    var lines: [[UInt8]] = note["name"]?.bytes.map { [$0.array] } ?? []
    for options: StaticString in ["oneOf", "anyOf"] {
      for option in note[options]?.elements ?? .none {
        if let name = option["name"]?.bytes { lines.append(Array("○ ".utf8) + name) }
      }
    }
    for (index, line) in lines.enumerated() {
      if !text.bytes.isEmpty { text.bytes += Array((index == 0 ? "\n\n" : "\n").utf8) }
      text.bytes += line
    }
  }

  private static func media(_ item: JSONValue) -> Media {
    let type = item.line("mediaType").string
    let kind: Media.Kind =
      type.hasPrefix("image/gif")
      ? .animation
      : type.hasPrefix("image/")
        ? .image : type.hasPrefix("video/") ? .video : type.hasPrefix("audio/") ? .audio : .unknown
    return Media(
      kind: kind, url: item.line("url"), altText: item["name"]?.bytes.map { SafeText(wellFormed: $0.array) } ?? .empty)
  }

  /// Returns the visibility that the addresses in `to` and `cc` imply (ActivityPub section 5.6 and the Mastodon
  /// documentation). A single address may be given without a list.
  static func visibility(_ value: JSONValue) -> Visibility {
    if addresses(value["to"], where: isPublic) { return .public }
    if addresses(value["cc"], where: isPublic) { return .unlisted }
    let isFollowers = { (address: String) in address.hasSuffix("/followers") }
    return addresses(value["to"], where: isFollowers) || addresses(value["cc"], where: isFollowers)
      ? .followers : .direct
  }

  private static func addresses(_ field: JSONValue?, where matches: (String) -> Bool) -> Bool {
    if let single = field?.string { return matches(single) }
    for address in field?.elements ?? .none {
      if let text = address.string, matches(text) { return true }
    }
    return false
  }

  private static func isPublic(_ address: String) -> Bool {
    address == "https://www.w3.org/ns/activitystreams#Public" || address == "as:Public" || address == "Public"
  }

  /// Returns the handle of the author of `parent`: the post's own author, a mentioned account, or the name in the
  /// address.
  private func handle(repliedTo parent: String, by note: JSONValue, actor: String?) -> String? {
    if let actor, parent.hasPrefix(actor + "/") {
      return owner?.nativeID == actor ? owner?.handle.string : WebAddress(actor).accountName
    }
    for tag in note["tag"]?.elements ?? .none {
      guard tag["type"]?.string == "Mention", let url = tag["href"]?.string, let name = tag["name"]?.string else {
        continue
      }
      if parent.hasPrefix(url + "/") { return String(name.drop { $0 == "@" }) }
    }
    let address = WebAddress(parent)
    return address.accountName.map { $0.contains("@") ? $0 : "\($0)@\(address.host)" }
  }
}
