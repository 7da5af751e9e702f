internal import ViewState

/// Rows as JSON objects. The keys are listed in docs/CLIENT.md; keys are only ever added.
enum RowJSON {
  static func write(_ row: PlacedRow, isAsked: Bool? = nil, to json: inout JSONWriter) {
    if row.content.fields.kind == .gap { return writeGap(row, to: &json) }
    json.object { json in
      let fields = row.content.fields
      json.key("id")
      json.identifier(fields.rowID)
      json.key("kind")
      json.string(fields.kind.name)
      json.key("post_id")
      json.identifier(fields.postID)
      json.key("created_at")
      json.string(ISOInstant.text(milliseconds: fields.createdAtMilliseconds))
      json.key("label")
      json.string(row.label)
      json.key("author")
      write(fields.author, to: &json)
      json.key("reposted_by")
      if let reposter = fields.repostedBy { write(reposter, to: &json) } else { json.null() }
      json.key("original_created_at")
      let original = fields.originalAtMilliseconds
      if original == 0 { json.null() } else { json.string(ISOInstant.text(milliseconds: original)) }
      writeText(fields, to: &json)
      writeFacts(fields, to: &json)
      writeLayout(row.layout, to: &json)
      writePlace(row, to: &json)
      guard let isAsked else { return }
      json.key("asked")
      json.bool(isAsked)
    }
  }

  /// Writes a gap, which has none of a post's keys.
  private static func writeGap(_ row: PlacedRow, to json: inout JSONWriter) {
    json.object { json in
      let fields = row.content.fields
      json.key("id")
      json.identifier(fields.rowID)
      json.key("kind")
      json.string(fields.kind.name)
      json.key("newer")
      json.string(ISOInstant.text(milliseconds: fields.gapNewerMilliseconds))
      json.key("older")
      json.string(ISOInstant.text(milliseconds: fields.gapOlderMilliseconds))
      json.key("missing")
      if fields.gapMissing == 0 { json.null() } else { json.number(fields.gapMissing) }
      if fields.isGapLost {
        json.key("lost")
        json.bool(true)
      }
      json.key("label")
      json.string(row.label)
      json.key("text")
      json.string(fields.text)
      writeLayout(row.layout, to: &json)
    }
  }

  private static func writePlace(_ row: PlacedRow, to json: inout JSONWriter) {
    json.key("direct")
    if row.content.fields.direct == 0 { json.null() } else { json.identifier(row.content.fields.direct) }
    json.key("depth")
    json.number(row.tree.depth)
  }

  private static func writeText(_ fields: RowContent.Fields, to json: inout JSONWriter) {
    json.key("text")
    json.string(fields.text)
    json.key("spans")
    json.array { json in for span in fields.spans { write(span, to: &json) } }
    json.key("media")
    json.array { json in for media in fields.media { write(media, to: &json) } }
    json.key("content_warning")
    json.string(fields.contentWarning)
    json.key("language")
    json.string(fields.language)
    json.key("permalink")
    json.string(fields.permalink)
    json.key("in_reply_to")
    if fields.inReplyTo == 0 { json.null() } else { json.identifier(fields.inReplyTo) }
    json.key("in_reply_to_handle")
    json.string(fields.inReplyToHandle)
  }

  private static func writeFacts(_ fields: RowContent.Fields, to json: inout JSONWriter) {
    json.key("replies")
    json.number(fields.replies)
    json.key("reposts")
    json.number(fields.reposts)
    json.key("favourites")
    json.number(fields.favourites)
    json.key("visibility")
    json.string(VisibilityName.of(fields.visibility))
    for kind in RowFlags.kinds {
      json.key(kind.name)
      json.bool(fields.flags.contains(kind.flag))
    }
    json.key("read_mark")
    json.string(fields.readMark.name)
    json.key("delivery")
    json.string(fields.delivery.name)
    json.key("failure")
    json.string(fields.failure)
  }

  private static func writeLayout(_ layout: RowLayout, to json: inout JSONWriter) {
    json.key("height")
    json.number(layout.height)
    json.key("line_ends")
    json.array { json in for end in layout.lineEnds { json.number(end) } }
    json.key("folded_lines")
    json.number(layout.foldedLines)
  }

  private static func write(_ author: RowAuthor, to json: inout JSONWriter) {
    json.object { json in
      json.key("id")
      json.identifier(author.id)
      json.key("handle")
      json.string(author.handle)
      json.key("name")
      json.string(author.displayName)
      json.key("avatar_url")
      json.string(author.avatarURL)
      json.key("source")
      json.string(author.source)
      json.key("namesake")
      json.bool(author.isNamesake)
    }
  }

  private static func write(_ span: RowSpan, to json: inout JSONWriter) {
    json.object { json in
      json.key("kind")
      switch span.kind {
      case .mention: json.string("mention")
      case .hashtag: json.string("hashtag")
      case .link: json.string("link")
      }
      json.key("start")
      json.number(span.range.lowerBound)
      json.key("length")
      json.number(span.range.count)
      json.key("target")
      json.string(span.target)
    }
  }

  private static func write(_ media: RowMedia, to json: inout JSONWriter) {
    json.object { json in
      json.key("kind")
      json.string(MediaName.of(media.kind))
      json.key("url")
      json.string(media.url)
      json.key("alt")
      json.string(media.altText)
    }
  }
}

extension RowReadMark {
  /// The name in JSON.
  fileprivate var name: String {
    switch self {
    case .none: "none"
    case .read: "read"
    case .unread: "unread"
    }
  }
}
