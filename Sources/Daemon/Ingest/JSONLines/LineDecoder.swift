internal import Dates
internal import Posts

/// Reads lines of Stack's own format (docs/JSONLINES.md).
struct LineDecoder {
  /// The ID space of lines that name none; nil for "jsonl". It never replaces the line's, since posts of different
  /// sources may have the same ID.
  let source: String?

  /// Returns the post in `value`; `line` is its text, minified.
  func decode(_ value: JSONValue, line: [UInt8]) throws -> ImportedPost {
    var post = try decodeFlat(value, line: line)
    if let original = value["original"], original.isObject {
      post.original = [try decodeFlat(original, line: JSONSlice.field("original", of: line))]
    }
    return post
  }

  private func decodeFlat(_ value: JSONValue, line: [UInt8]) throws -> ImportedPost {
    guard value["text"]?.bytes != nil || value["original"] != nil else { throw SkipReason("no text") }
    let author = try author(of: value)
    let createdAt = try instant(of: value)
    let body = body(of: value)
    var aliases: [String] = []
    for alias in value["aliases"]?.elements ?? .none {
      if let text = alias.string { aliases.append(SafeText(line: text).string) }
    }
    let hasNative = value["native"] != nil
    return ImportedPost(
      source: try value.nativeID("source") ?? source ?? "jsonl",
      nativeID: try value.nativeID("id")
        ?? StableKey.make(author.nativeID, "\(createdAt.milliseconds)", body.text.string),
      aliases: aliases, author: author, createdAt: createdAt, body: body, inReplyTo: try value.nativeID("in_reply_to"),
      native: hasNative ? JSONSlice.field("native", of: line) : [])
  }

  private func instant(of value: JSONValue, _ name: StaticString = "created_at") throws(SkipReason) -> Instant {
    if let field = value[name], field.bytes == nil, let milliseconds = field.integer {
      return Instant(milliseconds: Int64(milliseconds))
    }
    return try value.instant(name)
  }

  /// Returns the statement in `value` about missing posts.
  func gap(_ value: JSONValue) throws -> GapNote {
    guard let field = value["gap"] ?? value["complete"] else { throw SkipReason("no gap data") }
    let isMissing = value["gap"] != nil
    let count = Int(field.count("missing"))
    let source = try field.nativeID("source") ?? source ?? "jsonl"
    let (newer, older) = (try instant(of: field, "newer"), try instant(of: field, "older"))
    let range = Instant.distantPast...Instant.distantFuture
    guard range.contains(newer), range.contains(older),
      let note = GapNote(isMissing ? .missing(count) : .complete, source: source, newer: newer, older: older)
    else { throw SkipReason("empty gap: \"newer\" must be later than \"older\"") }
    return note
  }

  /// Returns the author, given as an object or as a handle.
  private func author(of value: JSONValue) throws(SkipReason) -> ImportedAuthor {
    guard let field = value["author"] else { throw SkipReason("no author") }
    if let bytes = field.bytes {
      let handle = SafeText(wellFormedLine: bytes)
      return ImportedAuthor(nativeID: "@" + handle.string.lowercased(), handle: handle, displayName: handle)
    }
    let handle = field.line("handle")
    guard let id = try field.nativeID("id") ?? (handle.isEmpty ? nil : "@" + handle.string.lowercased()) else {
      throw SkipReason("author without handle or ID")
    }
    return ImportedAuthor(
      nativeID: id, handle: handle, displayName: field.line("name"), avatarURL: field.line("avatar"))
  }

  private func body(of value: JSONValue) -> PostBody {
    var text = MarkedText()
    text.bytes = value["text"]?.bytes?.array ?? []
    let marked = value["spans"]
    for span in marked?.elements ?? .none { Self.mark(span, in: &text) }
    let (shown, spans) = text.finished()
    var body = PostBody(text: shown, spans: marked == nil ? TextSpans.find(in: shown) : spans)
    for item in value["media"]?.elements ?? .none {
      let name = item["kind"]?.string
      let kind = JSONLinesNames.mediaKinds.first { JSONLinesNames.name(of: $0) == name } ?? .unknown
      let alt = item["alt"]?.bytes.map { SafeText(wellFormed: $0.array) } ?? .empty
      body.media.append(Media(kind: kind, url: item.line("url"), altText: alt))
    }
    if let counts = value["counts"] {
      body.counts = Counts(
        replies: counts.count("replies"), reposts: counts.count("reposts"), favourites: counts.count("favourites"))
    }
    body.visibility = Self.visibility(value["visibility"])
    for flag in value["flags"]?.elements ?? .none {
      let name = flag.string
      if let known = PostFlags.names.first(where: { $0.name == name }) { body.flags.insert(known.flag) }
    }
    body.contentWarning = value.line("content_warning")
    body.language = value.line("language")
    body.permalink = value.line("url")
    body.inReplyToHandle = value.line("in_reply_to_handle")
    return body
  }

  /// Returns public if the field is missing, and the narrowest visibility for an unknown word.
  private static func visibility(_ value: JSONValue?) -> Visibility {
    guard let value else { return .public }
    let name = value.string
    return Visibility.allCases.first { JSONLinesNames.name(of: $0) == name } ?? .direct
  }

  /// Marks a span; ignores one that is out of order or not on character boundaries of the text.
  private static func mark(_ span: JSONValue, in text: inout MarkedText) {
    let name = span["kind"]?.string
    guard let kind = JSONLinesNames.spanKinds.first(where: { JSONLinesNames.name(of: $0) == name }),
      let start = span["start"]?.integer, let end = span["end"]?.integer, start >= 0, start < end,
      end <= text.bytes.count,
      isBoundary(start, text.bytes), isBoundary(end, text.bytes)
    else { return }
    text.mark(kind, start..<end, target: span["target"]?.bytes?.array ?? [])
  }

  private static func isBoundary(_ offset: Int, _ bytes: [UInt8]) -> Bool {
    offset == bytes.count || bytes[offset] & 0xC0 != 0x80
  }
}
