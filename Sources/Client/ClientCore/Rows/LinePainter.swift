public import ViewState

/// Paints rows as lines for people to read: line mode.
///
/// ```
/// reposted by Bob @bob
/// Ann @ann · 2h
/// The text, cut where the daemon cut it, with
/// @mentions, #tags and https://links marked.
/// [image: what it shows]
/// 17 · 2 replies · 5 favourites
///
/// ```
///
/// The last line begins with the ID that `show`, `conversation` and `--reply-to` take. Colours and weights only
/// emphasise: no information is in colour alone.
public struct LinePainter: Sendable {
  /// The width of the view, in cells. The daemon cut the text for it.
  public let width: Int
  /// The capabilities of the output.
  public let traits: TerminalTraits
  /// True for a single post instead of a list: its text is shown despite a content warning, and so are the full
  /// descriptions and URLs of its attachments, its time and its permalink.
  public let isDetailed: Bool

  /// Creates a painter for rows of a view that is `width` cells wide.
  public init(width: Int, traits: TerminalTraits, isDetailed: Bool = false) {
    self.width = width
    self.traits = traits
    self.isDetailed = isDetailed
  }

  /// Returns the lines of `row` and the empty line after it. Each level of a conversation's tree is indented by
  /// `indent` cells, the indentation for which the daemon cut the texts. `isAsked` marks the post of a conversation that
  /// was asked for.
  public func paint(_ row: PlacedRow, indent: Int = 0, isAsked: Bool = false) -> [UInt8] {
    // At least one column is left, whatever the daemon sent.
    let (wanted, isTooMuch) = indent.multipliedReportingOverflow(by: row.tree.depth)
    let margin = isTooMuch ? width - 1 : min(wanted, width - 1)
    guard margin > 0 else { return paintFlat(row, isAsked: isAsked) }
    let bytes = LinePainter(width: width - margin, traits: traits, isDetailed: isDetailed).paintFlat(
      row, isAsked: isAsked)
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      line.isEmpty ? [] : Array(repeating: 0x20, count: margin) + line
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  private func paintFlat(_ row: PlacedRow, isAsked: Bool) -> [UInt8] {
    if row.content.fields.kind == .gap { return paintGap(row) }
    if row.content.fields.kind == .list { return paintList(row.content.fields) }
    var output = TerminalText(traits)
    let fields = row.content.fields
    if let reposter = fields.repostedBy { paintRepost(reposter, to: &output) }
    paintHeader(fields.author, row.label, to: &output)
    paintBody(row, to: &output)
    paintFooter(fields, isAsked: isAsked, to: &output)
    if isDetailed { paintDetails(fields, to: &output) }
    output.endLine()
    return output.bytes
  }

  /// Paints a gap: the period, and how much is missing. A gap is not a post, so there is no ID.
  private func paintGap(_ row: PlacedRow) -> [UInt8] {
    var output = TerminalText(traits)
    let fields = row.content.fields
    paintLine(Array("── ".utf8) + Array(row.label.utf8), .warning, to: &output)
    for line in LineRanges.ranges(of: fields.text, row.layout) { paintTextLine(line, of: fields, to: &output) }
    output.endLine()
    return output.bytes
  }

  /// Paints a list of the account: its name, and how many authors it has. It has no author itself.
  private func paintList(_ fields: RowContent.Fields) -> [UInt8] {
    var output = TerminalText(traits)
    paintLine(fields.text, .author, to: &output)
    paintLine(Array("\(fields.rowID) · \(ListWords.authors(fields.listAuthors))".utf8), .faint, to: &output)
    output.endLine()
    return output.bytes
  }

  private func paintRepost(_ reposter: RowAuthor, to output: inout TerminalText) {
    let text = Array("reposted by ".utf8) + reposter.displayName + Array(" @".utf8) + reposter.handle
    guard !isDetailed else { return paintLine(text + reposter.origin, .faint, to: &output) }
    let origin = ClippedText(reposter.origin, width: width / 2)
    let line = ClippedText(text, width: width - origin.cells).bytes + origin.bytes
    output.isolated(line) { $0.append(line, as: .faint) }
    output.endLine()
  }

  /// Paints name, handle and time. If they are too long the name is cut first, down to ten cells, then the handle, and
  /// the time last. The origin of a namesake takes at most half the line, and is never cut for a long name.
  private func paintHeader(_ author: RowAuthor, _ label: String, to output: inout TerminalText) {
    let labelText = ClippedText(Array(label.utf8), width: width)
    let separator = " · "
    let origin = ClippedText(author.origin, width: width / 2)
    var room = width - (labelText.cells == 0 ? 0 : labelText.cells + separator.count) - origin.cells
    // If the source gave no name, the handle stands in for it.
    let hasName = author.displayName != author.handle
    let handle = Array("@".utf8) + author.handle
    if hasName && room > 0 {
      let besideHandle = room - ClippedText.upperBound(of: handle) - 1
      let name = ClippedText(author.displayName, width: max(besideHandle, min(room, 10)))
      output.isolated(name.bytes) { $0.append(name.bytes, as: .author) }
      room -= name.cells + 1
      if room >= 4 { output.append(" ") }
    }
    if room >= (hasName ? 4 : 1) {
      let clipped = ClippedText(handle, width: room)
      output.isolated(clipped.bytes) { $0.append(clipped.bytes, as: hasName ? .faint : .author) }
    }
    output.isolated(origin.bytes) { $0.append(origin.bytes, as: .warning) }
    if labelText.cells > 0 {
      if labelText.cells + separator.count < width { output.append(separator, as: .faint) }
      output.append(labelText.bytes, as: .faint)
    }
    output.endLine()
  }

  private func paintBody(_ row: PlacedRow, to output: inout TerminalText) {
    let fields = row.content.fields
    if !fields.contentWarning.isEmpty {
      let hint = isDetailed ? "" : " (show \(fields.rowID))"
      paintLine(Array("[warning: ".utf8) + fields.contentWarning + Array("]\(hint)".utf8), .warning, to: &output)
      guard isDetailed else { return }
    }
    if fields.kind != .post && fields.text.isEmpty { paintLine(Array("[unsupported]".utf8), .warning, to: &output) }
    if !fields.text.isEmpty {
      for line in LineRanges.ranges(of: fields.text, row.layout) { paintTextLine(line, of: fields, to: &output) }
      if row.layout.foldedLines > 0 { paintLine(Array(FoldedLines.words(row.layout).utf8), .faint, to: &output) }
    }
    for media in fields.media { paintMedia(media, isHidden: fields.flags.contains(.sensitive), to: &output) }
  }

  /// Paints one line of the text with its spans. A span that continues on the next line is marked on both.
  private func paintTextLine(_ line: Range<Int>, of fields: RowContent.Fields, to output: inout TerminalText) {
    output.isolated(fields.text[line]) { output in
      var position = line.lowerBound
      for span in fields.spans {
        let part = span.range.clamped(to: line)
        guard !part.isEmpty, part.lowerBound >= position else { continue }
        output.append(fields.text[position..<part.lowerBound])
        output.append(fields.text[part], as: span.role, link: span.kind == .link ? span.target : [])
        position = part.upperBound
      }
      output.append(fields.text[position..<line.upperBound])
    }
    output.endLine()
  }

  private func paintMedia(_ media: RowMedia, isHidden: Bool, to output: inout TerminalText) {
    let kind = (isHidden ? "sensitive " : "") + MediaName.of(media.kind)
    let description = media.altText.isEmpty ? Array("no description".utf8) : media.altText
    let text = Array("[\(kind): ".utf8) + description + Array("]".utf8)
    guard isDetailed else { return paintLine(text, .faint, to: &output) }
    output.isolated(text) { $0.append(text, as: .faint, link: media.url) }
    output.endLine()
    output.append(media.url, as: .link, link: media.url)
    output.endLine()
  }

  private func paintFooter(_ fields: RowContent.Fields, isAsked: Bool, to output: inout TerminalText) {
    var facts = [Array(String(fields.rowID).utf8)]
    if isAsked { facts.append(Array("this post".utf8)) }
    if let delivery = fields.delivery.words(fields.failure) { facts.append(delivery) }
    if fields.readMark == .unread { facts.append(Array("unread".utf8)) }
    if !fields.inReplyToHandle.isEmpty { facts.append(Array("to @".utf8) + fields.inReplyToHandle) }
    facts += [
      Self.count(fields.replies, "reply", "replies"), Self.count(fields.reposts, "repost", "reposts"),
      Self.count(fields.favourites, "favourite", "favourites"),
    ].compactMap(\.self)
    if fields.visibility != 1 { facts.append(Array(VisibilityName.words(fields).utf8)) }
    if fields.direct != 0 { facts.append(Array("messages \(fields.direct)".utf8)) }
    for kind in RowFlags.kinds where fields.flags.contains(kind.flag) {
      if let words = kind.words { facts.append(Array(words.utf8)) }
    }
    paintLine(Array(facts.joined(separator: Array(" · ".utf8))), .faint, to: &output)
  }

  private static func count(_ number: UInt32, _ one: String, _ many: String) -> [UInt8]? {
    number == 0 ? nil : Array(NumberText.count(number, one, many).utf8)
  }

  private func paintDetails(_ fields: RowContent.Fields, to output: inout TerminalText) {
    output.append(ISOInstant.text(milliseconds: fields.createdAtMilliseconds), as: .faint)
    output.endLine()
    guard !fields.permalink.isEmpty else { return }
    output.append(fields.permalink, as: .link, link: fields.permalink)
    output.endLine()
  }

  /// Paints a line composed by the client, cut to the width.
  private func paintLine(_ text: [UInt8], _ role: TextRole, to output: inout TerminalText) {
    let clipped = isDetailed ? HarmlessText.filtered(text) : ClippedText(text, width: width).bytes
    output.isolated(clipped) { $0.append(clipped, as: role) }
    output.endLine()
  }
}

extension RowSpan {
  fileprivate var role: TextRole {
    switch kind {
    case .mention: .mention
    case .hashtag: .hashtag
    case .link: .link
    }
  }
}
