internal import Posts

/// Turns an element's text into a post, or into a reason why it is not one.
struct ElementReader {
  /// The result of reading an element.
  enum Outcome {
    /// A complete post.
    case post(ImportedPost)
    /// A post of a Mastodon server, with its numbers marked; the host is the server's, if the element reveals it.
    case numbered(ImportedPost, host: String?)
    /// A statement about missing posts of a source.
    case gap(GapNote)
    /// The owner of the archive.
    case owner(ImportedAuthor)
    /// A known element that is skipped, with the reason.
    case skipped(String)
    /// An element that the import does not read, with the reason to refuse a file that begins with it.
    case foreign(String)
    /// Not readable as JSON, with the reason.
    case malformed(String)
  }

  private let options: ImportOptions
  private let parser = JSONParser()
  /// The owner of the archive being read: given in the options, or taken from its account data.
  private var owner: ImportedAuthor?
  /// The picture from `profile.js`, which may come before `account.js`.
  private var avatarURL = SafeText.empty
  /// The format of the element read last.
  private(set) var format = ImportFormat.auto

  init(options: ImportOptions) {
    self.options = options
    owner = options.author
  }

  /// Reads the element in `document`, which is unchanged afterwards. `amongOwnLines` is true in a file that is known to
  /// be in Stack's own format.
  mutating func read(_ document: inout [UInt8], amongOwnLines: Bool = false) -> Outcome {
    do {
      return try parser.parse(&document) { value, text in
        let kind = ElementKind(value)
        if amongOwnLines, kind != .post, let reason = LineDecoder.missingField(of: value) { return .foreign(reason) }
        if case .foreign(let text) = kind { return .foreign(text) }
        guard options.format.accepts(kind) else {
          return .foreign("\(kind.name); import it as \(kind.format.rawValue) or auto")
        }
        format = kind.format
        return try decode(kind, value, JSONParser.minified(text))
      }
    } catch let reason as SkipReason {
      return .skipped(reason.text)
    } catch JSONParser.Failure.malformed(let reason) {
      return .malformed(reason)
    } catch {
      return .malformed("too large for the memory that is left")
    }
  }

  /// Returns a reason to refuse a file whose container object begins with `head`, its text up to the list; nil if there
  /// is none.
  func objection(toHead head: [UInt8]) -> String? {
    var document = head + Array("]}".utf8)
    let kind = try? parser.parse(&document) { value, _ in
      value["version"]?.bytes?.hasPrefix("https://jsonfeed.org/") == true ? ElementKind(value) : .activity
    }
    if case .foreign(let text) = kind { return text }
    return nil
  }

  private mutating func decode(_ kind: ElementKind, _ value: JSONValue, _ native: [UInt8]) throws -> Outcome {
    switch kind {
    case .tweet: return try tweet(value, native)
    case .status: return try status(value, native)
    case .carrier(.notification): return try carried(value, "status", native)
    case .carrier(.conversation): return try carried(value, "last_status", native)
    case .activity: return .post(try activities.decode(value, native: native))
    case .note: return .post(try activities.decode(note: value, activity: nil, native: native))
    case .post: return .post(try LineDecoder(source: options.sourceName).decode(value, line: native))
    case .gap: return .gap(try LineDecoder(source: options.sourceName).gap(value))
    case .account: return try account(value)
    case .profile: return profile(value)
    case .actor: return .owner(try actor(value))
    case .ignored(let text): return .skipped(text)
    case .foreign(let text): return .foreign(text)
    }
  }

  // MARK: - Twitter

  private func tweet(_ value: JSONValue, _ native: [UInt8]) throws -> Outcome {
    let wrapped = value["tweet"]
    let tweet = wrapped ?? value
    guard owner != nil || TweetDecoder.namesAuthor(tweet) else {
      return .foreign("tweets without an author: import account.js of the same archive first")
    }
    let decoder = TweetDecoder(source: options.sourceName ?? "twitter", owner: owner)
    return .post(try decoder.decode(tweet, native: wrapped == nil ? native : unwrapped(value, native)))
  }

  /// Returns the text of the tweet inside an archive's element, which usually contains nothing else.
  private func unwrapped(_ value: JSONValue, _ native: [UInt8]) -> [UInt8] {
    var fields = value.fields
    let isAlone = fields.next()?.key.elementsEqual("tweet".utf8) == true && fields.next() == nil
    return isAlone ? JSONSlice.onlyField("tweet", of: native) : JSONSlice.field("tweet", of: native)
  }

  private mutating func account(_ value: JSONValue) throws -> Outcome {
    guard let account = value["account"], let id = try account.nativeID("accountId") else {
      throw SkipReason("account data without an ID")
    }
    let handle = account.line("username")
    let name = account.line("accountDisplayName")
    let author = ImportedAuthor(
      nativeID: id, handle: handle, displayName: name.isEmpty ? handle : name, avatarURL: avatarURL)
    owner = options.author ?? author
    return .owner(author)
  }

  private mutating func profile(_ value: JSONValue) -> Outcome {
    avatarURL = value["profile"]?.line("avatarMediaUrl") ?? .empty
    guard var author = owner else { return .skipped("the profile; its picture is saved for the account") }
    author.avatarURL = avatarURL
    if options.author == nil { owner = author }
    return .owner(author)
  }

  // MARK: - Mastodon

  private var statuses: StatusDecoder { StatusDecoder(source: options.sourceName ?? "mastodon") }
  private var activities: ActivityDecoder { ActivityDecoder(source: options.sourceName ?? "mastodon", owner: owner) }

  private func status(_ value: JSONValue, _ native: [UInt8]) throws -> Outcome {
    .numbered(try statuses.decode(value, native: native), host: StatusDecoder.server(of: value))
  }

  private func carried(_ value: JSONValue, _ field: StaticString, _ native: [UInt8]) throws -> Outcome {
    guard let status = value[field], status.isObject else {
      let type = value["type"]?.string.map { " (\(ElementKind.printable($0, limit: 30)))" } ?? ""
      return .skipped("a notification\(type) without a post")
    }
    return try self.status(status, JSONSlice.field(field, of: native))
  }

  private mutating func actor(_ value: JSONValue) throws -> ImportedAuthor {
    let author = try ActivityDecoder.actor(value)
    owner = options.author ?? author
    return author
  }
}
