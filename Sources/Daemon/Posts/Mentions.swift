extension PostBody {
  /// The targets of the post's mentions, in their order; a target mentioned twice appears twice.
  public var mentions: [SafeText] { spans.filter { $0.kind == .mention }.map(\.target) }

  /// The accounts that a direct post addresses: the targets of its mentions.
  ///
  /// If "-" or "." and a letter or digit follow a mention directly, the target is the whole word, which is not a valid
  /// name: "@ann-marie" does not address ann. O(bytes of the text).
  public var recipients: [SafeText] {
    spans.filter { $0.kind == .mention }.map { span in
      var end = span.range.upperBound
      while let next = Self.joined(text.utf8, end) { end = next }
      return end == span.range.upperBound
        ? span.target : SafeText(trusted: span.target.utf8 + text.utf8[span.range.upperBound..<end])
    }
  }

  /// Puts mentions of `names` before the text.
  public mutating func prependMentions(of names: [String]) {
    var beginning: [UInt8] = []
    var mentions: [Span] = []
    for name in names {
      let word = "@\(name)".utf8
      let range = beginning.count..<beginning.count + word.count
      mentions.append(Span(kind: .mention, range: range, target: SafeText(line: name)))
      beginning += word
      beginning.append(UInt8(ascii: " "))
    }
    spans = mentions + spans.map { $0.moved(by: beginning.count) }
    text = SafeText(trusted: beginning + text.utf8)
  }

  /// Returns the end of the "-" or "." at `start` and the letters and digits directly after it; nil unless both exist.
  private static func joined(_ bytes: [UInt8], _ start: Int) -> Int? {
    var end = start
    while end < bytes.count, bytes[end] == UInt8(ascii: "-") || bytes[end] == UInt8(ascii: ".") { end += 1 }
    guard end > start, end < bytes.count, TextSpans.isWord(bytes[end]) else { return nil }
    while end < bytes.count, TextSpans.isWord(bytes[end]) { end += 1 }
    return end
  }
}

extension PackedBody {
  /// The targets of the mentions, without unpacking the rest; empty if the body is damaged. O(spans).
  public var mentions: [SafeText] {
    var reader = PackedReader(bytes: bytes)
    guard reader.byte() == 1 else { return [] }
    _ = reader.byte()
    _ = reader.varint()
    for _ in 0..<5 { _ = reader.textRange() }
    for _ in 0..<3 { _ = reader.varint() }
    var targets: [SafeText] = []
    for _ in 0..<reader.count() {
      let kind = reader.byte()
      _ = reader.varint()
      _ = reader.varint()
      let target = reader.textRange()
      if kind == Span.Kind.mention.rawValue { targets.append(SafeText(trusted: Array(bytes[target]))) }
    }
    return reader.failed ? [] : targets
  }
}
