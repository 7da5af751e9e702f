internal import ClientCore
internal import Terminal
internal import ViewState

/// The content between a row's borders.
extension RowPainter {
  /// Draws a line in the text column.
  func inside(_ line: Line, _ builder: inout LineBuilder) {
    switch line {
    case .repost:
      let pieces = [piece("reposted by ", .repost)] + name(fields.repostedBy, .repost)
      builder.add(
        fitted(pieces, of: fields.repostedBy, to: textWidth), column: textX, width: textWidth, blank: base)
    case .author: author(&builder)
    case .text(let number): text(number, &builder)
    case .counts: counts(&builder)
    case .day, .separator, .blank: break
    }
  }

  private func piece(_ text: String, _ role: ThemeRole) -> Picture.Piece {
    Picture.Piece(Array(text.utf8), style(role))
  }

  /// Draws a line of the client's own text, cut to the text's width with an ellipsis.
  private func words(_ pieces: [Picture.Piece], _ builder: inout LineBuilder) {
    builder.add(fitted(pieces, to: textWidth), column: textX, width: textWidth, blank: base)
  }

  /// Returns as many pieces as fit, with an ellipsis if some was cut off.
  private func fitted(_ pieces: [Picture.Piece], to width: Int) -> [Picture.Piece] {
    CellText.clipped(pieces, to: width, end: glyphs.end)
  }

  /// Returns as many pieces of an author's name as fit, and behind them the origin of a namesake, which takes at most
  /// half the room and is never cut for a long name.
  private func fitted(_ pieces: [Picture.Piece], of author: RowAuthor?, to width: Int) -> [Picture.Piece] {
    let origin = ClippedText(author?.origin ?? [], width: width / 2, end: glyphs.end)
    guard origin.cells > 0 else { return fitted(pieces, to: width) }
    return fitted(pieces, to: width - origin.cells) + [Picture.Piece(origin.bytes, style(.warning))]
  }

  private func name(_ author: RowAuthor?, _ role: ThemeRole) -> [Picture.Piece] {
    guard let author else { return [] }
    guard author.displayName != author.handle, !author.displayName.isEmpty else {
      return [piece("@", role), filtered(author.handle, role)]
    }
    return [filtered(author.displayName, role), piece(" @", .handle), filtered(author.handle, .handle)]
  }

  private func filtered(_ text: [UInt8], _ role: ThemeRole) -> Picture.Piece {
    Picture.Piece(HarmlessText.filtered(text), style(role))
  }

  /// Draws name, handle and, at the right, the time. If too long, the handle is cut first.
  private func author(_ builder: inout LineBuilder) {
    if fields.kind == .gap {
      let mark = frame.isCompact && isSelected ? "\(glyphs.selected) " : ""
      let rule = piece("\(glyphs.horizontal)\(glyphs.horizontal) ", .warning)
      return words([piece(mark, .borderSelected), rule, filtered(Array(ends.first.utf8), .warning)], &builder)
    }
    let label = ClippedText(row.label.utf8, width: textWidth / 2, end: glyphs.end)
    let room = label.cells == 0 ? textWidth : max(0, textWidth - label.cells - 1)
    var pieces: [Picture.Piece] = []
    if frame.isCompact && isSelected { pieces.append(piece("\(glyphs.selected) ", .borderSelected)) }
    switch fields.kind {
    case .post: pieces += name(fields.author, .author)
    case .list: pieces.append(filtered(fields.text, .author))
    case .notice: pieces.append(piece("Stack", .author))
    default: if !fields.author.handle.isEmpty { pieces += name(fields.author, .author) }
    }
    builder.add(fitted(pieces, of: fields.author, to: room), column: textX, width: room, blank: base)
    guard label.cells > 0, fields.kind != .notice, fields.kind != .list else { return }
    let column = textX + textWidth - label.cells
    builder.add([], column: textX + room, width: column - textX - room, blank: base)
    builder.add([Picture.Piece(label.bytes, style(.label))], column: column, width: label.cells, blank: base)
  }

  /// The period of a gap: what does not fit into the first line goes below the text.
  var ends: (first: String, last: String) {
    guard CellText.width(row.label) + 5 > textWidth, let dash = row.label.firstIndex(of: "–") else {
      return (row.label, "")
    }
    return (String(row.label[...dash]), String(row.label[row.label.index(after: dash)...].drop { $0 == " " }))
  }

  /// Returns the words about the key that shows what is folded or hidden.
  private func shows(_ what: String) -> String { revealKey.map { " \(glyphs.dot) \($0) shows \(what)" } ?? "" }
  private var isHidden: Bool { !fields.contentWarning.isEmpty && !isRevealed }

  private func text(_ number: Int, _ builder: inout LineBuilder) {
    if isHidden {
      // The other lines are painted too: their background may be that of the selected row.
      guard number == 0 else { return words([], &builder) }
      return words(
        [piece("[warning: ", .warning), filtered(fields.contentWarning, .warning), piece("]\(shows("it"))", .warning)],
        &builder)
    }
    if row.layout.foldedLines > 0, number == row.layout.lineEnds.count {
      return words([piece(FoldedLines.words(row.layout, ellipsis: glyphs.end) + shows("all"), .note)], &builder)
    }
    if fields.kind == .list {
      guard number == 0 else { return words([], &builder) }
      return words([piece(ListWords.authors(fields.listAuthors), .handle)], &builder)
    }
    let lines = LineRanges.ranges(of: fields.text, row.layout)
    guard lines.indices.contains(number) else { return }
    let pieces = spans(of: lines[number])
    // The daemon measured the line. If its ASCII characters alone exceed the width, that cannot be right, and the line
    // is cut to protect its neighbours.
    let isTooWide = lines[number].count > textWidth && fields.text[lines[number]].count { $0 < 0x80 } > textWidth
    builder.add(isTooWide ? CellText.cut(pieces, to: textWidth) : pieces, column: textX, width: textWidth, blank: base)
  }

  /// Returns the pieces of a line of the text. A span that continues on the next line is marked in both.
  private func spans(of line: Range<Int>) -> [Picture.Piece] {
    var pieces: [Picture.Piece] = []
    var position = line.lowerBound
    func append(_ range: Range<Int>, _ role: ThemeRole?, link: [UInt8] = []) {
      let plain = role.map(style) ?? base
      var start = range.lowerBound
      func add(to end: Int, _ style: Style) {
        guard end > start else { return }
        pieces.append(Picture.Piece(HarmlessText.filtered(fields.text[start..<end]), style, link: link))
        start = end
      }
      for mark in around.marks where mark.overlaps(range) {
        add(to: mark.lowerBound, plain)
        add(to: min(mark.upperBound, range.upperBound), style(.found))
      }
      add(to: range.upperBound, plain)
    }
    for span in fields.spans {
      let part = span.range.clamped(to: line)
      guard !part.isEmpty, part.lowerBound >= position else { continue }
      append(position..<part.lowerBound, nil)
      switch span.kind {
      case .mention: append(part, .mention)
      case .hashtag: append(part, .hashtag)
      case .link: append(part, .link, link: span.target)
      }
      position = part.upperBound
    }
    append(position..<line.upperBound, nil)
    return pieces
  }

  /// Draws the facts about a post below its text, in the order of interest. That not everyone can see it comes first, in
  /// colour.
  private func counts(_ builder: inout LineBuilder) {
    let isNarrow = fields.kind == .post && PostAudience.isNarrow(fields.visibility)
    let audience = isNarrow ? VisibilityName.words(fields) : ""
    var facts: [[UInt8]] = []
    func addFact(_ words: String) { facts.append(Array(words.utf8)) }
    /// Adds a count, with a note if the viewer is among those counted.
    func count(_ number: UInt32, _ one: String, _ many: String, _ own: RowFlags = []) {
      if number > 0 {
        addFact(NumberText.count(number, one, many) + (!own.isEmpty && fields.flags.contains(own) ? " (you)" : ""))
      }
    }
    if fields.kind == .post {
      if let delivery = fields.delivery.words(fields.failure) { facts.append(delivery) }
      if fields.readMark == .unread { addFact("\(glyphs.glow) unread") }
      if let first = fields.media.first {
        let kind = (fields.flags.contains(.sensitive) ? "sensitive " : "") + MediaName.of(first.kind)
        addFact(fields.media.count == 1 ? "[\(kind)]" : "[\(fields.media.count) attachments]")
      }
      count(fields.replies, "reply", "replies")
      count(fields.reposts, "repost", "reposts", .reposted)
      count(fields.favourites, "favourite", "favourites", .favourited)
      if fields.visibility == 2 { addFact(VisibilityName.words(fields)) }
      for kind in RowFlags.kinds where fields.flags.contains(kind.flag) {
        if kind.flag == .favourited && fields.favourites > 0 || kind.flag == .reposted && fields.reposts > 0 {
          continue
        }
        if let words = kind.words { addFact(words) }
      }
      if !fields.inReplyToHandle.isEmpty { facts.append(Array("to @".utf8) + fields.inReplyToHandle) }
      let isSecret = isHidden || (fields.flags.contains(.sensitive) && !isRevealed)
      if let alt = fields.media.first?.altText, !alt.isEmpty, !isSecret { facts.append(alt) }
    }
    let gap = audience.isEmpty || facts.isEmpty ? "" : " \(glyphs.dot) "
    let text = joined(facts, width: textWidth - CellText.width(audience + gap))
    words([piece(audience, .warning), piece(gap, .counts), Picture.Piece(text, style(.counts))], &builder)
  }

  /// The cells that the beginning of the last fact must have to be shown without its end.
  private static let leastOfFact = 12

  /// Returns as many facts as fit into `width` cells, and an ellipsis if there are more. Only the last one, the text of
  /// an attachment, is cut.
  private func joined(_ facts: [[UInt8]], width: Int) -> [UInt8] {
    var text: [UInt8] = []
    var room = width
    for (number, fact) in facts.enumerated() {
      let separator = text.isEmpty ? "" : " \(glyphs.dot) "
      let more = Array(separator.utf8) + HarmlessText.filtered(fact)
      let cells = ClippedText.upperBound(of: more)
      guard cells > room else {
        text += more
        room -= cells
        continue
      }
      let isLast = number == facts.count - 1
      if text.isEmpty || isLast && room >= CellText.width(separator) + Self.leastOfFact {
        return text + ClippedText(more, width: room, end: glyphs.end).bytes
      }
      return room >= 2 ? text + Array(" \(glyphs.end)".utf8) : text
    }
    return text
  }

  /// Draws the lines of the author's avatar that are beside a line of the row.
  func avatar(_ line: Int, _ builder: inout LineBuilder) {
    let first = (row.day?.height ?? 0) + (fields.repostedBy == nil ? 0 : 1)
    let block = line - first
    guard 0..<Avatar.height ~= block, fields.kind != .notice, fields.kind != .list, fields.kind != .gap else {
      return builder.add([], column: left + 1, width: max(0, textX - left - 1), blank: base)
    }
    Avatar.add(fields.author, line: block, column: left + 1, isCovered: isCovered, look, to: &builder)
    builder.add([], column: left + 1 + Avatar.width, width: max(0, textX - left - 1 - Avatar.width), blank: base)
  }
}
