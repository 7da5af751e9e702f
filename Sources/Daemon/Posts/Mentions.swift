extension PostBody {
  /// Whom the post names: the targets of its mentions, in their order; the same one twice where the text has it twice.
  public var mentions: [SafeText] { spans.filter { $0.kind == .mention }.map(\.target) }
}

extension PackedBody {
  /// The same without unpacking the rest; none where the body is damaged. O(spans).
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
