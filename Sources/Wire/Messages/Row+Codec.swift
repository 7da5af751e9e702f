internal import CProtobufC
internal import ViewState
internal import WireProto

extension CArena {
  func author(_ author: RowAuthor) -> UnsafeMutablePointer<Stack__V1__Author> {
    let message = unsafe make(stack__v1__author__init)
    unsafe message.pointee.author_id = author.id
    unsafe message.pointee.handle = string(author.handle)
    unsafe message.pointee.display_name = string(author.displayName)
    unsafe message.pointee.avatar_url = string(author.avatarURL)
    return unsafe message
  }

  func row(_ content: RowContent, _ layout: RowLayout) -> UnsafeMutablePointer<Stack__V1__Row> {
    let fields = content.fields
    let message = unsafe make(stack__v1__row__init)
    unsafe message.pointee.row_id = fields.rowID
    unsafe message.pointee.kind = Stack__V1__RowKind(rawValue: fields.kind.rawValue)
    unsafe message.pointee.post_id = fields.postID
    unsafe message.pointee.created_at_ms = fields.createdAtMilliseconds
    unsafe message.pointee.author = author(fields.author)
    if let repostedBy = fields.repostedBy { unsafe message.pointee.reposted_by = author(repostedBy) }
    unsafe message.pointee.text = string(fields.text)
    unsafe message.pointee.n_spans = fields.spans.count
    unsafe message.pointee.spans = pointers(fields.spans) { unsafe span($0) }
    unsafe message.pointee.n_media = fields.media.count
    unsafe message.pointee.media = pointers(fields.media) { unsafe media($0) }
    unsafe setCounts(of: fields, in: message)
    unsafe message.pointee.visibility = Stack__V1__Visibility(rawValue: fields.visibility)
    unsafe message.pointee.content_warning = string(fields.contentWarning)
    unsafe message.pointee.language = string(fields.language)
    unsafe message.pointee.permalink = string(fields.permalink)
    unsafe message.pointee.in_reply_to = fields.inReplyTo
    unsafe message.pointee.in_reply_to_handle = string(fields.inReplyToHandle)
    unsafe message.pointee.favourited = fields.flags.contains(.favourited) ? 1 : 0
    unsafe message.pointee.reposted = fields.flags.contains(.reposted) ? 1 : 0
    unsafe message.pointee.saved = fields.flags.contains(.saved) ? 1 : 0
    unsafe message.pointee.sensitive = fields.flags.contains(.sensitive) ? 1 : 0
    unsafe message.pointee.edited = fields.flags.contains(.edited) ? 1 : 0
    unsafe message.pointee.direct = fields.direct
    unsafe message.pointee.list_authors = fields.listAuthors
    unsafe message.pointee.gap_newer_ms = fields.gapNewerMilliseconds
    unsafe message.pointee.gap_older_ms = fields.gapOlderMilliseconds
    unsafe message.pointee.gap_missing = fields.gapMissing
    unsafe message.pointee.delivery = Stack__V1__Delivery(rawValue: UInt32(fields.delivery.rawValue))
    unsafe message.pointee.failure = string(fields.failure)
    unsafe message.pointee.read_mark = Stack__V1__ReadMark(rawValue: UInt32(fields.readMark.rawValue))
    unsafe message.pointee.fingerprint = fields.fingerprint
    unsafe message.pointee.height = UInt32(layout.height)
    unsafe message.pointee.n_line_ends = layout.lineEnds.count
    unsafe message.pointee.line_ends = array(layout.lineEnds)
    return unsafe message
  }

  private func setCounts(of fields: RowContent.Fields, in message: UnsafeMutablePointer<Stack__V1__Row>) {
    guard fields.replies | fields.reposts | fields.favourites != 0 else { return }
    let counts = unsafe make(stack__v1__counts__init)
    unsafe counts.pointee.replies = fields.replies
    unsafe counts.pointee.reposts = fields.reposts
    unsafe counts.pointee.favourites = fields.favourites
    unsafe message.pointee.counts = unsafe counts
  }

  private func span(_ span: RowSpan) -> UnsafeMutablePointer<Stack__V1__Span> {
    let message = unsafe make(stack__v1__span__init)
    unsafe message.pointee.kind = Stack__V1__SpanKind(rawValue: UInt32(span.kind.rawValue))
    unsafe message.pointee.start = UInt32(span.range.lowerBound)
    unsafe message.pointee.length = UInt32(span.range.count)
    unsafe message.pointee.target = string(span.target)
    return unsafe message
  }

  private func media(_ media: RowMedia) -> UnsafeMutablePointer<Stack__V1__Media> {
    let message = unsafe make(stack__v1__media__init)
    unsafe message.pointee.kind = Stack__V1__MediaKind(rawValue: UInt32(media.kind.rawValue))
    unsafe message.pointee.url = string(media.url)
    unsafe message.pointee.alt_text = string(media.altText)
    return unsafe message
  }
}

/// Reads a row. A missing author or line is a failure; spans that do not fit the text are dropped.
func readRow(_ pointer: UnsafeMutablePointer<Stack__V1__Row>?) throws(DecodingFailure) -> LaidOutRow {
  guard let pointer = unsafe pointer else { throw DecodingFailure("a row is missing") }
  let message = unsafe pointer.pointee
  guard let author = unsafe message.author else { throw DecodingFailure("row without an author") }
  var fields = unsafe RowContent.Fields(rowID: message.row_id, author: readAuthor(author.pointee))
  fields.kind = unsafe RowContent.Kind(rawValue: message.kind.rawValue)
  fields.direct = unsafe message.direct
  fields.listAuthors = unsafe message.list_authors
  fields.postID = unsafe message.post_id
  fields.createdAtMilliseconds = unsafe message.created_at_ms
  if let repostedBy = unsafe message.reposted_by { fields.repostedBy = unsafe readAuthor(repostedBy.pointee) }
  fields.text = unsafe bytes(message.text)
  fields.spans = unsafe readSpans(message, length: fields.text.count)
  fields.media = unsafe try array(message.media, message.n_media) { media throws(DecodingFailure) in
    unsafe RowMedia(
      kind: RowMedia.Kind(rawValue: UInt8(truncatingIfNeeded: media.pointee.kind.rawValue)) ?? .unknown,
      url: bytes(media.pointee.url), altText: bytes(media.pointee.alt_text))
  }
  if let counts = unsafe message.counts {
    fields.replies = unsafe counts.pointee.replies
    fields.reposts = unsafe counts.pointee.reposts
    fields.favourites = unsafe counts.pointee.favourites
  }
  fields.visibility = unsafe message.visibility.rawValue
  fields.contentWarning = unsafe bytes(message.content_warning)
  fields.language = unsafe bytes(message.language)
  fields.permalink = unsafe bytes(message.permalink)
  fields.inReplyTo = unsafe message.in_reply_to
  fields.inReplyToHandle = unsafe bytes(message.in_reply_to_handle)
  fields.flags = unsafe readFlags(message)
  fields.gapNewerMilliseconds = unsafe message.gap_newer_ms
  fields.gapOlderMilliseconds = unsafe message.gap_older_ms
  fields.gapMissing = unsafe message.gap_missing
  fields.delivery = unsafe Delivery(rawValue: UInt8(truncatingIfNeeded: message.delivery.rawValue)) ?? .none
  fields.failure = unsafe bytes(message.failure)
  fields.readMark = unsafe RowReadMark(rawValue: UInt8(truncatingIfNeeded: message.read_mark.rawValue)) ?? .none
  fields.fingerprint = unsafe message.fingerprint
  let layout = unsafe try readLayout(
    height: message.height, lineEnds: array(message.line_ends, message.n_line_ends), length: fields.text.count)
  return LaidOutRow(content: RowContent(fields), layout: layout)
}

/// Line ends ascend and stay inside of the text; where `length` is not known it is not checked.
func readLayout(height: UInt32, lineEnds: [UInt32], length: Int?) throws(DecodingFailure) -> RowLayout {
  var previous: UInt32 = 0
  for end in lineEnds {
    guard end >= previous, end <= length ?? Int(UInt32.max) else { throw DecodingFailure("line ends out of order") }
    previous = end
  }
  guard !lineEnds.isEmpty else { throw DecodingFailure("row without a line") }
  return RowLayout(height: Int(height), lineEnds: lineEnds)
}

/// Reads an author.
func readAuthor(_ message: Stack__V1__Author) -> RowAuthor {
  unsafe RowAuthor(
    id: message.author_id, handle: bytes(message.handle), displayName: bytes(message.display_name),
    avatarURL: bytes(message.avatar_url))
}

private func readSpans(_ message: Stack__V1__Row, length: Int) -> [RowSpan] {
  var spans: [RowSpan] = []
  for index in unsafe 0..<message.n_spans {
    let span = unsafe message.spans[index]!.pointee
    let start = unsafe Int(span.start)
    let end = unsafe start + Int(span.length)
    let kind = unsafe RowSpan.Kind(rawValue: UInt8(truncatingIfNeeded: span.kind.rawValue))
    guard let kind, end <= length else { continue }
    spans.append(unsafe RowSpan(kind: kind, range: start..<end, target: bytes(span.target)))
  }
  return spans
}

private func readFlags(_ message: Stack__V1__Row) -> RowFlags {
  var flags: RowFlags = []
  if unsafe message.favourited != 0 { flags.insert(.favourited) }
  if unsafe message.reposted != 0 { flags.insert(.reposted) }
  if unsafe message.saved != 0 { flags.insert(.saved) }
  if unsafe message.sensitive != 0 { flags.insert(.sensitive) }
  if unsafe message.edited != 0 { flags.insert(.edited) }
  return flags
}

/// Reads a placed row.
func readPlacedRow(_ pointer: UnsafeMutablePointer<Stack__V1__PlacedRow>) throws(DecodingFailure) -> PlacedRow {
  let row = unsafe try readRow(pointer.pointee.row)
  var placed = unsafe PlacedRow(
    row: row, caps: Caps(rawValue: UInt8(truncatingIfNeeded: pointer.pointee.caps)),
    label: text(pointer.pointee.label), day: readDayLine(pointer.pointee.day, pointer.pointee.day_height))
  placed.tree = unsafe readTreePlace(pointer.pointee.depth, pointer.pointee.collapsed_replies)
  return placed
}

/// Reads where a row stands in a tree.
func readTreePlace(_ depth: UInt32, _ collapsedReplies: UInt32) -> TreePlace {
  var place = TreePlace()
  place.depth = Int(depth)
  place.collapsedReplies = Int(collapsedReplies)
  return place
}

/// Reads the line of a day; nil where there is none.
func readDayLine(_ label: UnsafeMutablePointer<CChar>?, _ height: UInt32) -> DayLine? {
  let label = unsafe text(label)
  return label.isEmpty && height == 0 ? nil : DayLine(label: label, height: Int(height))
}
