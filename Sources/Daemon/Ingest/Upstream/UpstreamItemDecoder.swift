internal import Dates
internal import Posts

/// Reads the items of a batch. An item that cannot be read costs itself.
struct UpstreamItemDecoder {
  /// Maximum length of a name, a handle, a content warning or a language, in bytes.
  static let lineBytes = 1_000
  /// Maximum number of attachments of a post.
  static let mediaLimit = 64

  private let source: String
  private let lines: LineDecoder

  init(source: String) {
    self.source = source
    lines = LineDecoder(source: source)
  }

  /// Returns the items of a batch about `subject`; `line` is its text.
  func items(of batch: JSONValue, line: [UInt8], _ subject: UpstreamSubject) throws(UpstreamMistake) -> [UpstreamItem] {
    guard let list = batch["items"] else { return [] }
    guard list.isArray else { throw UpstreamMistake(reason: "items is not a list") }
    var items: [UpstreamItem] = []
    var texts: [ArraySlice<UInt8>]?
    for value in list.elements {
      guard items.count < UpstreamBatch.itemLimit else {
        throw UpstreamMistake(reason: "more than \(UpstreamBatch.itemLimit) items")
      }
      if texts == nil, value["post"]?["native"] != nil {
        texts = JSONSlice.elements(of: JSONSlice.field("items", of: JSONParser.minified(line)))
      }
      let text = texts.map { items.count < $0.count ? Array($0[items.count]) : [] } ?? []
      do throws(SkipReason) {
        items.append(try item(value, text: text, subject))
      } catch {
        items.append(.unusable(error.text))
      }
    }
    return items
  }

  private func item(_ value: JSONValue, text: [UInt8], _ subject: UpstreamSubject) throws(SkipReason) -> UpstreamItem {
    if let post = value["post"] {
      return try self.post(post, in: value["in"], text: JSONSlice.field("post", of: text), subject)
    }
    if value["gone"] != nil { return .gone(try id(value, "gone", subject)) }
    if value["doubt"] != nil { return .doubt(try id(value, "doubt", subject)) }
    if value["moved"] != nil {
      guard case .feed = subject else { throw SkipReason("moved, without a feed") }
      let url = try value.lineField("moved").webAddress
      guard !url.isEmpty else { throw SkipReason("moved is not an http(s) address") }
      return .moved(url.string)
    }
    if let person = value["person"] { return try self.person(person, subject) }
    if value["gap"] != nil || value["complete"] != nil { return try gap(value, subject) }
    if value["left"] != nil {
      guard case .login = subject else { throw SkipReason("left, in a feed") }
      return .left(try id(value, "left", subject), value["in"] == nil ? .timelines : Self.lists(value["in"]).known)
    }
    if let field = value["limits"] {
      guard case .login = subject else { throw SkipReason("limits, in a feed") }
      return .limits(try limits(field))
    }
    if let field = value["marker"] {
      guard case .login = subject else { throw SkipReason("a marker, in a feed") }
      return .marker(try marker(field))
    }
    for kind in ["list", "notice"] as [StaticString] where value[kind] != nil {
      return .unusable("\(kind): not kept by this daemon")
    }
    return .unusable("unknown item")
  }

  // MARK: Posts

  private func post(_ value: JSONValue, in lists: JSONValue?, text: [UInt8], _ subject: UpstreamSubject)
    throws(SkipReason) -> UpstreamItem
  {
    guard value.isObject else { throw value.mistyped("post", "an object") }
    var post = try decoded(value, text, subject)
    try checkLimits(post)
    for original in post.original { try checkLimits(original) }
    guard case .login = subject else { return .post(post, in: .home, unfiled: []) }
    let (known, unfiled) = Self.lists(lists)
    if known.contains(.saved) { post.body.flags.insert(.saved) }
    return .post(post, in: known, unfiled: unfiled)
  }

  /// Returns the lists in a field, and the names of those that have no counterpart here.
  private static func lists(_ field: JSONValue?) -> (known: UpstreamLists, unfiled: [String]) {
    var known: UpstreamLists = []
    var unfiled: [String] = []
    for list in field?.elements ?? JSONValue.Elements.none {
      switch list.string {
      case "home": known.insert(.home)
      case "mentions": known.insert(.mentions)
      case "saved": known.insert(.saved)
      case "messages": known.insert(.messages)
      case let name: unfiled.append(SafeText(line: name ?? "").string.shortened)
      }
    }
    return (known, unfiled)
  }

  private func decoded(_ value: JSONValue, _ text: [UInt8], _ subject: UpstreamSubject) throws(SkipReason)
    -> ImportedPost
  {
    var post: ImportedPost
    switch subject {
    case .login: post = try lines.decode(value, line: text)
    case .feed(let feed):
      guard let id = try value.idField("id") else { throw SkipReason("it has no id") }
      post = try lines.decode(
        value, line: text, by: ImportedAuthor(nativeID: feed, handle: .empty, displayName: .empty))
      guard post.original.isEmpty else { throw SkipReason("a repost, in a feed") }
      // IDs are those of the feed, not of all feeds.
      post.nativeID = Self.id(id, in: feed)
      post.aliases = post.aliases.map { Self.id($0, in: feed) }
      post.inReplyTo = post.inReplyTo.map { Self.id($0, in: feed) }
      post.author.nativeID = feed
      post.body.visibility = .public
    }
    guard post.source == source, post.original.allSatisfy({ $0.source == source }) else {
      throw SkipReason("its source is not \(source)")
    }
    clean(&post)
    for index in post.original.indices { clean(&post.original[index]) }
    return post
  }

  /// Returns the ID of a feed's post among those of all feeds.
  private static func id(_ id: String, in feed: String) -> String { "\(feed)/\(id)" }

  /// Removes addresses that are not http(s), and links that lead elsewhere.
  private func clean(_ post: inout ImportedPost) {
    post.author.avatarURL = post.author.avatarURL.webAddress
    post.body.permalink = post.body.permalink.webAddress
    post.body.media = post.body.media.compactMap { media in
      let url = media.url.webAddress
      return url.isEmpty && !media.url.isEmpty ? nil : Media(kind: media.kind, url: url, altText: media.altText)
    }
    post.body.spans.removeAll { $0.kind == .link && $0.target.webAddress.isEmpty && !$0.target.isMailAddress }
  }

  private func checkLimits(_ post: ImportedPost) throws(SkipReason) {
    guard Instant.storable.contains(post.createdAt) else { throw SkipReason("created_at is out of range") }
    guard post.body.byteCount <= PostBody.byteLimit else {
      throw SkipReason("longer than \(PostBody.byteLimit >> 10) KiB")
    }
    guard post.body.media.count <= Self.mediaLimit else { throw SkipReason("more than \(Self.mediaLimit) attachments") }
    try checkLimits(post.author)
    for line in [post.body.contentWarning, post.body.language, post.body.inReplyToHandle] {
      guard line.count <= Self.lineBytes else { throw Self.longLine }
    }
  }

  private func checkLimits(_ author: ImportedAuthor) throws(SkipReason) {
    guard max(author.handle.count, author.displayName.count) <= Self.lineBytes else { throw Self.longLine }
  }

  private static let longLine = SkipReason("a name, handle, warning or language is longer than \(lineBytes) bytes")

  // MARK: Other items

  private func id(_ value: JSONValue, _ key: StaticString, _ subject: UpstreamSubject) throws(SkipReason) -> String {
    guard let id = try value.idField(key) else { throw SkipReason("\(key) is empty") }
    if case .feed(let feed) = subject { return Self.id(id, in: feed) }
    return id
  }

  /// Returns the author of a source that an object describes.
  func author(_ value: JSONValue) throws(SkipReason) -> ImportedAuthor { try checked(lines.author(value)) }

  private func checked(_ author: ImportedAuthor) throws(SkipReason) -> ImportedAuthor {
    var author = author
    author.avatarURL = author.avatarURL.webAddress
    try checkLimits(author)
    return author
  }

  private func person(_ value: JSONValue, _ subject: UpstreamSubject) throws(SkipReason) -> UpstreamItem {
    let author: ImportedAuthor
    switch subject {
    case .login: author = try self.author(value)
    case .feed(let feed):
      author = try checked(
        ImportedAuthor(
          nativeID: feed, handle: value.lineField("handle"), displayName: value.lineField("name"),
          avatarURL: value.lineField("avatar")))
    }
    var unkept: [String] = []
    for fact in ["following", "followed_by", "requested", "muting", "blocking"] as [StaticString]
    where value[fact] != nil { unkept.append("\(fact)") }
    return .person(author, unkept: unkept)
  }

  private func limits(_ field: JSONValue) throws(SkipReason) -> PostLimits {
    guard field.isObject else { throw field.mistyped("limits", "an object") }
    let standard = PostLimits.standard
    let limits = PostLimits(
      characters: field["max_characters"]?.integer ?? standard.characters,
      linkCharacters: field["characters_reserved_per_url"]?.integer ?? standard.linkCharacters)
    guard PostLimits.characterRange.contains(limits.characters), PostLimits.linkRange.contains(limits.linkCharacters)
    else { throw SkipReason("a limit is out of range") }
    return limits
  }

  private func marker(_ field: JSONValue) throws(SkipReason) -> UpstreamMarker {
    let list: UpstreamLists
    switch field["in"]?.string {
    case "home": list = .home
    case "mentions": list = .mentions
    default: throw SkipReason("a marker in neither home nor mentions")
    }
    let createdAt = UpstreamDecoder.instant(field["created_at"])
    guard createdAt != nil || field["created_at"] == nil else { throw SkipReason("created_at is not a date") }
    return UpstreamMarker(
      list: list, post: try field.idField("post") ?? "", createdAt: createdAt, isTaken: field["take"]?.bool != false)
  }

  private func gap(_ value: JSONValue, _ subject: UpstreamSubject) throws(SkipReason) -> UpstreamItem {
    guard case .login = subject else { throw SkipReason("a gap, in a feed") }
    let note = try lines.gap(value)
    guard note.source == source else { throw SkipReason("its source is not \(source)") }
    return .gap(note)
  }
}

extension SafeText {
  /// True for a mailto: URL.
  fileprivate var isMailAddress: Bool { utf8.starts(with: "mailto:".utf8) && count <= Self.urlBytes }
}

extension Instant {
  /// The instants that a post or a status can have.
  static let storable = Instant.distantPast...Instant.distantFuture
}
