internal import Dates
public import Posts

/// Writes Stack's JSON Lines (docs/JSONLINES.md): one post a line. ``Importer`` reads them back unchanged.
public enum JSONLines {
  /// Appends `post` to `output` as one line, ended by LF.
  ///
  /// Fields with an empty or zero value are omitted. O(length).
  public static func append(_ post: ImportedPost, to output: inout [UInt8]) {
    var writer = JSONLinesWriter()
    swap(&writer.bytes, &output)
    writer.object { write(post, to: &$0) }
    writer.bytes.append(0x0A)
    swap(&writer.bytes, &output)
  }

  /// Appends a gap in a source's posts as one line, ended by LF.
  public static func append(_ gap: Gap, to output: inout [UInt8]) {
    var writer = JSONLinesWriter()
    swap(&writer.bytes, &output)
    writer.object { writer in
      writer.object("gap") { writer in
        writer.field("source", gap.source)
        writer.field("newer") { $0.instant(gap.newer) }
        writer.field("older") { $0.instant(gap.older) }
        if gap.missing > 0 { writer.number("missing", gap.missing) }
        if gap.isLost { writer.flag("lost", true) }
      }
    }
    writer.bytes.append(0x0A)
    swap(&writer.bytes, &output)
  }

  private static func write(_ post: ImportedPost, to writer: inout JSONLinesWriter) {
    writer.field("source", post.source)
    writer.field("id", post.nativeID)
    if !post.aliases.isEmpty { writer.list("aliases", post.aliases) { $0.string(Array($1.utf8)) } }
    writer.field("created_at") { $0.instant(post.createdAt) }
    writer.object("author") { write(post.author, to: &$0) }
    if let original = post.original.first { writer.object("original") { write(original, to: &$0) } }
    write(post.body, isRepost: !post.original.isEmpty, to: &writer)
    if let recipients = post.recipients { writer.list("recipients", recipients) { $0.string($1.utf8) } }
    if let parent = post.inReplyTo { writer.field("in_reply_to", parent) }
    writer.text("in_reply_to_handle", post.body.inReplyToHandle)
    if !post.native.isEmpty { writer.field("native") { $0.bytes += post.native } }
  }

  /// Writes the fields of an author.
  package static func write(_ author: ImportedAuthor, to writer: inout JSONLinesWriter) {
    writer.field("id", author.nativeID)
    writer.text("handle", author.handle)
    writer.text("name", author.displayName)
    writer.text("avatar", author.avatarURL)
  }

  private static func write(_ body: PostBody, isRepost: Bool, to writer: inout JSONLinesWriter) {
    if !isRepost || !body.text.isEmpty { writer.field("text") { $0.string(body.text.utf8) } }
    // Without the list, a reader would find spans in the text.
    if !body.spans.isEmpty || !TextSpans.find(in: body.text).isEmpty {
      writer.list("spans", body.spans) { writer, span in writer.object { write(span, to: &$0) } }
    }
    if !body.media.isEmpty {
      writer.list("media", body.media) { writer, media in writer.object { write(media, to: &$0) } }
    }
    if body.counts != Counts() { writer.object("counts") { write(body.counts, to: &$0) } }
    writer.field("visibility", JSONLinesNames.name(of: body.visibility))
    let flags = PostFlags.names.filter { body.flags.contains($0.flag) }
    if !flags.isEmpty { writer.list("flags", flags) { $0.string(Array($1.name.utf8)) } }
    writer.text("content_warning", body.contentWarning)
    writer.text("language", body.language)
    writer.text("url", body.permalink)
  }

  private static func write(_ span: Span, to writer: inout JSONLinesWriter) {
    writer.field("kind", JSONLinesNames.name(of: span.kind))
    writer.number("start", span.range.lowerBound)
    writer.number("end", span.range.upperBound)
    writer.text("target", span.target)
  }

  /// Writes the fields of an attachment.
  package static func write(_ media: Media, to writer: inout JSONLinesWriter) {
    writer.field("kind", JSONLinesNames.name(of: media.kind))
    writer.text("url", media.url)
    writer.text("alt", media.altText)
  }

  private static func write(_ counts: Counts, to writer: inout JSONLinesWriter) {
    if counts.replies > 0 { writer.number("replies", Int(counts.replies)) }
    if counts.reposts > 0 { writer.number("reposts", Int(counts.reposts)) }
    if counts.favourites > 0 { writer.number("favourites", Int(counts.favourites)) }
  }
}

/// The words of the format.
enum JSONLinesNames {
  static func name(of visibility: Visibility) -> String {
    switch visibility {
    case .public: "public"
    case .unlisted: "unlisted"
    case .followers: "followers"
    case .direct: "direct"
    }
  }

  static func name(of kind: Span.Kind) -> String {
    switch kind {
    case .mention: "mention"
    case .hashtag: "hashtag"
    case .link: "link"
    }
  }

  static func name(of kind: Media.Kind) -> String {
    switch kind {
    case .unknown: "unknown"
    case .image: "image"
    case .video: "video"
    case .animation: "animation"
    case .audio: "audio"
    }
  }

  static let spanKinds: [Span.Kind] = [.mention, .hashtag, .link]

  /// Returns the kind of a name; unknown for any other.
  static func mediaKind(_ name: String?) -> Media.Kind {
    let kinds: [Media.Kind] = [.image, .video, .animation, .audio]
    return kinds.first { self.name(of: $0) == name } ?? .unknown
  }
}
