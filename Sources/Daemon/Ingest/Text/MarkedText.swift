package import Posts

/// A text with marks under construction, in the bytes of its source; ``finished()`` cleans both.
package struct MarkedText {
  /// The text so far: well-formed UTF-8.
  package var bytes: [UInt8] = []
  /// The marks so far, in ascending order without overlap.
  private(set) var marks: [Mark] = []

  /// A marked range of ``bytes``.
  struct Mark {
    var kind: Posts.Span.Kind
    var range: Range<Int>
    var target: [UInt8]
  }

  init() {}

  /// Marks a range that begins at or after the end of the last mark; ignores an empty or overlapping one.
  mutating func mark(_ kind: Posts.Span.Kind, _ range: Range<Int>, target: [UInt8]) {
    guard !range.isEmpty, range.lowerBound >= marks.last?.range.upperBound ?? 0 else { return }
    marks.append(Mark(kind: kind, range: range, target: target))
  }

  /// Removes white space from the end and shortens the marks accordingly.
  package mutating func trimEnd() {
    while let last = bytes.last, last == 0x20 || last == 0x0A { bytes.removeLast() }
    while let last = marks.last, last.range.upperBound > bytes.count {
      marks.removeLast()
      if last.range.lowerBound < bytes.count {
        marks.append(Mark(kind: last.kind, range: last.range.lowerBound..<bytes.count, target: last.target))
      }
    }
  }

  /// Returns the text as ``SafeText`` with the marks over its bytes. O(length + marks).
  ///
  /// Cleaning changes lengths. If there is anything to clean, the text is cleaned piece by piece between the ends of
  /// marks, and these are recomputed.
  package func finished() -> (text: SafeText, spans: [Posts.Span]) {
    guard SafeText.needsCleaning(bytes) else {
      return (SafeText(trusted: bytes), marks.map { span($0, $0.range) })
    }
    var clean: [UInt8] = []
    var spans: [Posts.Span] = []
    var position = 0
    func advance(to end: Int) -> Int {
      var start = position
      // CR LF is one line feed, even if the end of a mark falls between them.
      if start > 0, start < end, bytes[start] == 0x0A, bytes[start - 1] == 0x0D { start += 1 }
      clean += SafeText(sanitizing: bytes[start..<end]).utf8
      position = end
      return clean.count
    }
    for mark in marks {
      let lower = advance(to: mark.range.lowerBound)
      let upper = advance(to: mark.range.upperBound)
      if lower < upper { spans.append(span(mark, lower..<upper)) }
    }
    _ = advance(to: bytes.count)
    return (SafeText(trusted: clean), spans)
  }

  private func span(_ mark: Mark, _ range: Range<Int>) -> Posts.Span {
    Posts.Span(kind: mark.kind, range: range, target: SafeText(line: mark.target))
  }
}
