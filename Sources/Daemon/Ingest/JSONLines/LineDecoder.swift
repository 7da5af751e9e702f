internal import Dates
internal import Posts

/// Reads lines of Stack's own format (docs/JSONLINES.md).
struct LineDecoder {
  /// The ID space of lines that name none; nil for "jsonl". It never replaces the line's, since posts of different
  /// sources may have the same ID.
  let source: String?

  /// Returns the post in `value`; `line` is its text, minified. A line without an author is by `standIn`, if there is
  /// one.
  func decode(_ value: JSONValue, line: [UInt8], by standIn: ImportedAuthor? = nil) throws(SkipReason) -> ImportedPost {
    var post = try decodeFlat(value, line: line, by: standIn)
    if let original = try value.objectField("original") {
      post.original = [try decodeFlat(original, line: JSONSlice.field("original", of: line), by: nil)]
    }
    return post
  }

  private func decodeFlat(_ value: JSONValue, line: [UInt8], by standIn: ImportedAuthor?) throws(SkipReason)
    -> ImportedPost
  {
    guard value["text"] != nil || value["original"] != nil else { throw SkipReason("it has no text") }
    let author = if let standIn, value["author"] == nil { standIn } else { try author(of: value) }
    let createdAt = try instant(of: value)
    let body = try body(of: value)
    var aliases: [String] = []
    for alias in try value.listField("aliases") {
      if let text = alias.string { aliases.append(SafeText(line: text).string) }
    }
    let hasNative = value["native"] != nil
    var post = ImportedPost(
      source: try value.idField("source") ?? source ?? "jsonl",
      nativeID: try value.idField("id")
        ?? StableKey.make(author.nativeID, "\(createdAt.milliseconds)", body.text.string),
      aliases: aliases, author: author, createdAt: createdAt, body: body, inReplyTo: try value.idField("in_reply_to"),
      native: hasNative ? JSONSlice.field("native", of: line) : [])
    if value["recipients"] != nil {
      post.recipients = try value.listField("recipients").compactMap { $0.string.map { SafeText(line: $0) } }
    }
    return post
  }

  private func instant(of value: JSONValue, _ name: StaticString = "created_at") throws(SkipReason) -> Instant {
    guard let field = value[name] else { throw SkipReason("it has no \(name)") }
    guard field.bytes == nil else { return try value.instant(name) }
    guard let milliseconds = field.integer else { throw field.mistyped(name, "a time") }
    return Instant(milliseconds: Int64(milliseconds))
  }

  /// Returns the statement in `value` about missing posts.
  func gap(_ value: JSONValue) throws(SkipReason) -> GapNote {
    guard let field = value["gap"] ?? value["complete"] else { throw SkipReason("no gap data") }
    let isMissing = value["gap"] != nil
    let isLost = isMissing && field["lost"]?.bool == true
    let count = Int(field.count("missing"))
    let source = try field.nativeID("source") ?? source ?? "jsonl"
    let (newer, older) = (try instant(of: field, "newer"), try instant(of: field, "older"))
    let range = Instant.distantPast...Instant.distantFuture
    guard range.contains(newer), range.contains(older),
      let note = GapNote(
        isMissing ? .missing(count) : .complete, source: source, newer: newer, older: older, isLost: isLost)
    else { throw SkipReason("empty gap: \"newer\" must be later than \"older\"") }
    return note
  }

  /// Returns the author, given as an object or as a handle.
  private func author(of value: JSONValue) throws(SkipReason) -> ImportedAuthor {
    guard let field = value["author"] else { throw SkipReason("it has no author") }
    return try self.author(field)
  }

  /// Returns the author that `field` describes.
  func author(_ field: JSONValue) throws(SkipReason) -> ImportedAuthor {
    if let bytes = field.bytes {
      let handle = SafeText(wellFormedLine: bytes)
      return ImportedAuthor(nativeID: "@" + handle.string.lowercased(), handle: handle, displayName: handle)
    }
    guard field.isObject else { throw field.mistyped("author", "an object or a handle") }
    let handle = try field.lineField("handle")
    guard let id = try field.idField("id") ?? (handle.isEmpty ? nil : "@" + handle.string.lowercased()) else {
      throw SkipReason("author without handle or ID")
    }
    return try ImportedAuthor(
      nativeID: id, handle: handle, displayName: field.lineField("name"), avatarURL: field.lineField("avatar"))
  }

  private func body(of value: JSONValue) throws(SkipReason) -> PostBody {
    var text = MarkedText()
    text.bytes = try value.stringField("text")?.array ?? []
    let marked = value["spans"]
    for span in try value.listField("spans") { Self.mark(span, in: &text) }
    let (shown, spans) = text.finished()
    var body = PostBody(text: shown, spans: marked == nil ? TextSpans.find(in: shown) : spans)
    for item in try value.listField("media") {
      let alt = item["alt"]?.bytes.map { SafeText(wellFormed: $0.array) } ?? .empty
      body.media.append(
        Media(kind: JSONLinesNames.mediaKind(item["kind"]?.string), url: item.line("url"), altText: alt))
    }
    if let counts = try value.objectField("counts") {
      body.counts = Counts(
        replies: counts.count("replies"), reposts: counts.count("reposts"), favourites: counts.count("favourites"))
    }
    body.visibility = Self.visibility(try value.stringField("visibility"))
    for flag in try value.listField("flags") {
      let name = flag.string
      if let known = PostFlags.names.first(where: { $0.name == name }) { body.flags.insert(known.flag) }
    }
    body.contentWarning = try value.lineField("content_warning")
    body.language = try value.lineField("language")
    body.permalink = try value.lineField("url")
    body.inReplyToHandle = try value.lineField("in_reply_to_handle")
    return body
  }

  /// Returns public if the field is missing, and the narrowest visibility for an unknown word.
  private static func visibility(_ value: Bytes?) -> Visibility {
    guard let name = value?.string else { return .public }
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
