internal import Dates
internal import Posts

/// Reads the lines of a source's program. Its strings become harmless here.
struct UpstreamDecoder {
  let items: UpstreamItemDecoder

  init(source: String) { items = UpstreamItemDecoder(source: source) }

  /// Returns the message in `value`; `line` is its text.
  func message(_ value: JSONValue, line: [UInt8]) throws -> UpstreamMessage {
    switch value["say"]?.string {
    case nil: return .answer(try answer(value))
    case "hello": return .hello(try hello(value))
    case "batch": return try batch(value, line: line)
    case "status": return .status(try status(value))
    case "more": return .more(want: value["id"]?.string ?? "", parts: value["parts"]?.integer ?? 0)
    case .some(let word): throw UpstreamMistake(reason: "unknown \"say\": \(word.shortened)")
    }
  }

  private func answer(_ value: JSONValue) throws -> UpstreamAnswer {
    guard let id = value["id"]?.string, !id.isEmpty else { throw UpstreamMistake(reason: "a reply has no id") }
    guard let isDone = value["ok"]?.bool else {
      throw UpstreamMistake(reason: "a reply has neither \"ok\": true nor \"ok\": false")
    }
    let reason = Self.reason(value)
    guard isDone else {
      let shown = reason.hasVisibleCharacter ? reason : "no reason given"
      return UpstreamAnswer(id: id, value["retry"]?.bool == true ? .later(shown) : .refused(shown))
    }
    let native: String
    do {
      native = try value.nativeID("native_id") ?? ""
    } catch {
      throw UpstreamMistake(reason: "a native_id is longer than \(nativeIDLimit) bytes")
    }
    var answer = UpstreamAnswer(id: id, .done(nativeID: native, permalink: value.line("permalink").webAddress))
    answer.reply = reply(value)
    return answer
  }

  private func reply(_ value: JSONValue) -> UpstreamReply {
    var reply = UpstreamReply()
    reply.number = value.line("sign_in").string
    reply.url = value.line("url").webAddress
    reply.login = Self.name(value, "login") ?? ""
    reply.identity = value["author"].flatMap { try? items.author($0) }
    reply.isUnconfirmed = value["unconfirmed"]?.bool == true
    reply.media = value["media"].flatMap(Self.media)
    return reply
  }

  /// Returns the file that a server has; nil without an ID that can be one.
  private static func media(_ value: JSONValue) -> Media? {
    let id = SafeText(line: value["id"]?.id ?? "")
    guard !id.isEmpty, id.count <= Media.uploadIDBytes else { return nil }
    let kind = JSONLinesNames.mediaKind(value["kind"]?.string)
    return Media(kind: kind, url: value.line("url").webAddress, altText: .empty, uploadID: id)
  }

  private func hello(_ value: JSONValue) throws -> UpstreamHello {
    guard let version = value["protocol"]?.integer, version >= 2 else {
      throw UpstreamMistake(reason: "a hello without \"protocol\": 2")
    }
    var hello = UpstreamHello()
    for word in value["can"]?.elements ?? JSONValue.Elements.none {
      switch word.string {
      case "post": hello.commands.insert(.post)
      case "delete": hello.commands.insert(.delete)
      case "edit": hello.commands.insert(.edit)
      case "favourite": hello.commands.formUnion([.favourite, .unfavourite])
      case "repost": hello.commands.formUnion([.repost, .unrepost])
      case "save": hello.commands.formUnion([.save, .unsave])
      case "feed": hello.readsFeeds = true
      case "fetch": hello.fetches = true
      case "sign_in": hello.signsIn = true
      case "marker": hello.keepsMarkers = true
      case "post_direct": hello.takesDirectPosts = true
      case "media": hello.takesMedia = true
      default: break
      }
    }
    return hello
  }

  private func status(_ value: JSONValue) throws -> UpstreamStatus {
    let word = value["state"]?.string ?? ""
    guard let state = UpstreamStatus.State(rawValue: word) else {
      throw UpstreamMistake(reason: "a status with an unknown state: \(word.shortened)")
    }
    guard let subject = Self.subject(value) else { throw UpstreamMistake(reason: "a status without login or feed") }
    return UpstreamStatus(
      subject: subject, state: state, since: Self.instant(value["since"]), next: Self.instant(value["next"]),
      reason: Self.reason(value), history: Self.history(value))
  }

  // MARK: Batches

  private func batch(_ value: JSONValue, line: [UInt8]) throws -> UpstreamMessage {
    guard let number = value["batch"]?.id.map({ SafeText(line: $0).string }), !number.isEmpty,
      number.utf8.count <= UpstreamBatch.nameBytes
    else {
      throw UpstreamMistake(reason: "a batch without a number of at most \(UpstreamBatch.nameBytes) bytes")
    }
    do {
      guard let subject = Self.subject(value) else { throw UpstreamMistake(reason: "it names no login and no feed") }
      var batch = UpstreamBatch(number: number, subject: subject)
      batch.cursors = try cursors(value)
      batch.items = try items.items(of: value, line: line, subject)
      return .batch(batch)
    } catch let mistake as UpstreamMistake {
      return .brokenBatch(number, reason: mistake.reason)
    }
  }

  private func cursors(_ value: JSONValue) throws -> [String: String?] {
    guard let field = value["cursors"] else { return [:] }
    guard field.isObject else { throw UpstreamMistake(reason: "cursors is not an object") }
    var cursors: [String: String?] = [:]
    for (key, value) in field.fields {
      let name = SafeText(line: key.string).string
      guard !name.isEmpty, name.utf8.count <= UpstreamBatch.nameBytes else {
        throw UpstreamMistake(reason: "the name of a cursor is empty or longer than \(UpstreamBatch.nameBytes) bytes")
      }
      guard value.isNull || value.id?.utf8.contains(0) == false else {
        throw UpstreamMistake(reason: "cursor \(name) is neither a string nor null")
      }
      // The program's own bytes: they are returned as they came, and shown to nobody.
      cursors[name] = .some(value.id)
    }
    guard cursors.count <= UpstreamBatch.cursorLimit else {
      throw UpstreamMistake(reason: "more than \(UpstreamBatch.cursorLimit) cursors")
    }
    guard cursors.values.reduce(0, { $0 + ($1?.utf8.count ?? 0) }) <= UpstreamBatch.cursorBytes else {
      throw UpstreamMistake(reason: "the cursors are longer than \(UpstreamBatch.cursorBytes) bytes")
    }
    return cursors
  }

  // MARK: Parts

  private static func subject(_ value: JSONValue) -> UpstreamSubject? {
    name(value, "login").map { .login($0) } ?? name(value, "feed").map { .feed($0) }
  }

  /// Returns the name of a login or feed in a field; nil if it is empty or longer than 255 bytes.
  private static func name(_ value: JSONValue, _ key: StaticString) -> String? {
    guard let name = value[key]?.bytes.map({ SafeText(wellFormedLine: $0) }), !name.isEmpty, name.count <= 255 else {
      return nil
    }
    return name.string
  }

  private static func reason(_ value: JSONValue) -> SafeText { SafeText(line: value.line("reason").string.shortened) }

  private static func history(_ value: JSONValue) -> [SafeText] {
    var lines: [SafeText] = []
    for line in value["history"]?.elements ?? JSONValue.Elements.none {
      if let line = line.string { lines.append(SafeText(line: line.shortened)) }
    }
    return lines.suffix(UpstreamStatus.historyLimit)
  }

  /// Returns the instant in a field, in milliseconds since 1970 or in ISO 8601; nil for anything else.
  static func instant(_ field: JSONValue?) -> Instant? {
    guard let field else { return nil }
    var instant = field.integer.map { Instant(milliseconds: Int64($0)) }
    if let text = field.bytes { instant = text.withSpan { Instant(iso8601: $0) } }
    return instant.flatMap { Instant.storable.contains($0) ? $0 : nil }
  }
}
