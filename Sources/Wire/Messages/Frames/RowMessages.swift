public import ViewState

/// The schema's Row.
struct RowMessage: DeclaredMessage {
  var row: LaidOutRow

  static let schema = MessageSchema("Row")

  init(_ row: LaidOutRow) { self.row = row }

  /// An empty row, without lines.
  init() {
    let content = RowContent(RowContent.Fields(rowID: 0, author: RowAuthor()))
    row = LaidOutRow(content: content, layout: RowLayout(height: 0, lineEnds: []))
  }

  var cachedEncoding: [UInt8] { row.encoded }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    var content = row.content.fields
    var layout = row.layout
    fields.number(1, &content.rowID)
    fields.choice(2, &content.kind, unknown: .post)
    fields.number(3, &content.postID)
    fields.signed(4, &content.createdAtMilliseconds)
    try fields.requiredMessage(5, &content.author)
    try fields.utf8(6, &content.text)
    try content.walkSpans(7, &fields)
    try content.walkCounts(8, &fields)
    fields.choiceNumber(9, &content.visibility)
    fields.number(10, &content.fingerprint)
    fields.count(11, &layout.height)
    fields.numbers(12, &layout.lineEnds)
    try fields.message(13, &content.repostedBy)
    fields.number(14, &content.inReplyTo)
    try fields.utf8(15, &content.inReplyToHandle)
    try fields.messages(16, &content.media)
    try fields.utf8(17, &content.language)
    try fields.utf8(18, &content.permalink)
    try fields.utf8(19, &content.contentWarning)
    for kind in RowFlags.kinds where kind.field < 25 { fields.flag(kind.field, kind.flag, in: &content.flags) }
    fields.choice(25, &content.readMark, unknown: .none)
    fields.choice(26, &content.delivery, unknown: .none)
    try fields.utf8(27, &content.failure)
    fields.number(28, &content.direct)
    fields.number(29, &content.listAuthors)
    fields.signed(30, &content.gapNewerMilliseconds)
    fields.signed(31, &content.gapOlderMilliseconds)
    fields.number(32, &content.gapMissing)
    for kind in RowFlags.kinds where kind.field == 33 { fields.flag(kind.field, kind.flag, in: &content.flags) }
    fields.count(34, &layout.foldedLines)
    fields.flag(35, &content.isUnfolded)
    fields.signed(36, &content.originalAtMilliseconds)
    fields.flag(37, &content.isGapLost)
    for kind in RowFlags.kinds where kind.field > 37 { fields.flag(kind.field, kind.flag, in: &content.flags) }
    guard fields.isReading else { return }
    try layout.check(textBytes: content.text.count)
    row = LaidOutRow(content: RowContent(content), layout: layout)
  }
}

extension LaidOutRow {
  /// Creates a row whose bytes are encoded now, to be shared by several frames.
  public static func encoding(content: RowContent, layout: RowLayout) -> LaidOutRow {
    let row = LaidOutRow(content: content, layout: layout)
    return LaidOutRow(content: content, layout: layout, encoded: RowMessage(row).encoded())
  }
}

extension RowLayout {
  /// Refuses a layout without lines, or with lines that are out of order or end beyond the text.
  fileprivate func check(textBytes: Int?) throws(DecodingFailure) {
    guard let last = lineEnds.last else { throw DecodingFailure("row without lines") }
    guard zip(lineEnds, lineEnds.dropFirst()).allSatisfy({ $0 <= $1 }), textBytes.map({ last <= $0 }) ?? true else {
      throw DecodingFailure("line ends out of order")
    }
  }
}

extension RowContent.Fields {
  /// Walks the spans. Drops those that do not fit the text or have an unknown kind.
  fileprivate mutating func walkSpans(_ number: UInt32, _ fields: inout WireFields) throws(DecodingFailure) {
    var messages = spans.map(SpanMessage.init)
    try fields.messages(number, &messages)
    if fields.isReading { spans = messages.compactMap { $0.span(in: text.count) } }
  }

  /// Walks the counts, which are absent if all are 0.
  fileprivate mutating func walkCounts(_ number: UInt32, _ fields: inout WireFields) throws(DecodingFailure) {
    var counts = replies | reposts | favourites == 0 ? nil : CountsMessage(self)
    try fields.message(number, &counts)
    guard let counts else { return }
    (replies, reposts, favourites) = (counts.replies, counts.reposts, counts.favourites)
  }
}

extension WireFields {
  /// Walks a bool that is kept as one of several flags.
  fileprivate mutating func flag(_ number: UInt32, _ flag: RowFlags, in flags: inout RowFlags) {
    var isSet = flags.contains(flag)
    self.flag(number, &isSet)
    if isSet { flags.insert(flag) }
  }
}

private struct CountsMessage: DeclaredMessage {
  var replies: UInt32 = 0
  var reposts: UInt32 = 0
  var favourites: UInt32 = 0

  static let schema = MessageSchema("Counts")

  init() {}

  init(_ fields: RowContent.Fields) {
    (replies, reposts, favourites) = (fields.replies, fields.reposts, fields.favourites)
  }

  mutating func walk(_ fields: inout WireFields) {
    fields.number(1, &replies)
    fields.number(2, &reposts)
    fields.number(3, &favourites)
  }
}

private struct SpanMessage: DeclaredMessage {
  var kind: RowSpan.Kind?
  var start = 0
  var length = 0
  var target: [UInt8] = []

  static let schema = MessageSchema("Span")

  init() {}

  init(_ span: RowSpan) {
    (kind, start, length, target) = (span.kind, span.range.lowerBound, span.range.count, span.target)
  }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.knownChoice(1, &kind)
    fields.count(2, &start)
    fields.count(3, &length)
    try fields.utf8(4, &target)
  }

  /// Returns the span, or nil if the kind is unknown or the span does not fit a text of `textBytes` bytes.
  func span(in textBytes: Int) -> RowSpan? {
    guard let kind, start + length <= textBytes else { return nil }
    return RowSpan(kind: kind, range: start..<start + length, target: target)
  }
}

extension RowMedia: DeclaredMessage {
  static let schema = MessageSchema("Media")

  init() { self.init(kind: .unknown, url: [], altText: []) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.choice(1, &kind, unknown: .unknown)
    try fields.utf8(2, &url)
    try fields.utf8(3, &altText)
  }
}

extension PlacedRow: DeclaredMessage {
  static let schema = MessageSchema("PlacedRow")

  init() { self.init(row: RowMessage().row, caps: [], label: "") }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    var message = RowMessage(row)
    try fields.requiredMessage(1, &message)
    row = message.row
    fields.caps(2, &caps)
    try fields.text(3, &label)
    try fields.day(4, &day)
    fields.tree(6, &tree)
  }
}

extension RowChange: DeclaredMessage {
  static let schema = MessageSchema("RowChange")

  init() { self.init(rowID: 0, caps: nil, row: nil) }

  /// Bits of the schema's `mask`: the parts that the message contains.
  private struct Parts: OptionSet {
    let rawValue: UInt32

    static let caps = Parts(rawValue: 1)
    static let row = Parts(rawValue: 2)
    static let day = Parts(rawValue: 4)
    static let tree = Parts(rawValue: 8)
  }

  private var parts: Parts {
    var parts: Parts = []
    if caps != nil { parts.insert(.caps) }
    if row != nil { parts.insert(.row) }
    if day != nil { parts.insert(.day) }
    if tree != nil { parts.insert(.tree) }
    return parts
  }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &rowID)
    var mask = parts.rawValue
    fields.number(2, &mask)
    let parts = Parts(rawValue: mask)
    var caps = caps ?? []
    fields.caps(3, &caps)
    self.caps = parts.contains(.caps) ? caps : nil
    var message = row.map(RowMessage.init)
    try fields.message(4, &message)
    if parts.contains(.row), message == nil { throw fields.failure("row", "is missing") }
    row = parts.contains(.row) ? message?.row : nil
    var day = day ?? nil
    try fields.day(5, &day)
    self.day = parts.contains(.day) ? .some(day) : nil
    var tree = tree ?? TreePlace()
    fields.tree(7, &tree)
    self.tree = parts.contains(.tree) ? tree : nil
  }
}

extension RowRelayout: DeclaredMessage {
  static let schema = MessageSchema("RowLayout")

  init() { self.init(rowID: 0, layout: RowLayout(height: 0, lineEnds: [])) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &rowID)
    fields.count(2, &layout.height)
    fields.numbers(3, &layout.lineEnds)
    fields.count(4, &layout.foldedLines)
    if fields.isReading { try layout.check(textBytes: nil) }
  }
}

extension WireFields {
  /// Walks the set of rounded corners.
  fileprivate mutating func caps(_ number: UInt32, _ caps: inout Caps) {
    var bits = UInt32(caps.rawValue)
    self.number(number, &bits)
    caps = Caps(rawValue: UInt8(truncatingIfNeeded: bits))
  }

  /// Walks a day line, two fields starting at `number`; nil if both are empty.
  fileprivate mutating func day(_ number: UInt32, _ day: inout DayLine?) throws(DecodingFailure) {
    var line = day ?? DayLine(label: "", height: 0)
    try text(number, &line.label)
    count(number + 1, &line.height)
    if isReading { day = line.label.isEmpty && line.height == 0 ? nil : line }
  }

  /// Walks the place of a row in a tree, two fields starting at `number`.
  fileprivate mutating func tree(_ number: UInt32, _ tree: inout TreePlace) {
    count(number, &tree.depth)
    count(number + 1, &tree.collapsedReplies)
  }
}
