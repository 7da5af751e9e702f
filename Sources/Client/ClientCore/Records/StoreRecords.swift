public import Messages
internal import ViewState

extension Keep {
  /// Reads what is kept: `90d`, `10000` or `all`; nil for anything else.
  public init?(_ text: String) {
    if text == "all" {
      self.init()
      return
    }
    let isDays = text.hasSuffix("d")
    guard let count = UInt32(isDays ? text.dropLast() : text[...]),
      (isDays ? SharedLimits.keptDays : SharedLimits.keptPosts) ~= Int(count)
    else { return nil }
    self = isDays ? Keep(days: count) : Keep(posts: count)
  }

  /// The words for people.
  var words: String {
    if days > 0 { return "keeps \(NumberText.count(days, "day", "days"))" }
    return posts > 0 ? "keeps \(NumberText.count(posts, "post", "posts"))" : ""
  }

  /// The word for programs, as it is read; empty for everything.
  var name: String { days > 0 ? "\(days)d" : posts > 0 ? "\(posts)" : "" }
}

extension Retention {
  /// What is kept, and what went, in words for people; empty for everything.
  var words: String {
    let removed = removedPosts == 0 ? "" : "\(NumberText.count(removedPosts, "post", "posts")) removed"
    return [keep.words, removed].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension StoreStatus {
  /// Reads a size in bytes: a number with B, KB, MB, GB or TB, or KiB to TiB; 0 for `none`; nil for anything else.
  public static func bytes(_ text: String) -> UInt64? {
    if text == "none" { return 0 }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    var unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    let base: Double = unit.hasSuffix("ib") ? 1_024 : 1_000
    if unit.hasSuffix("ib") { unit.removeLast(2) } else if unit.hasSuffix("b") { unit.removeLast() }
    guard let number = Double(digits), let power = ["", "k", "m", "g", "t"].firstIndex(of: unit) else { return nil }
    let bytes = (0..<power).reduce(number) { bytes, _ in bytes * base }
    return bytes < 1e15 ? UInt64(bytes) : nil
  }

  /// The record of the store; as text, a table of two columns.
  public var record: Record {
    let size = NumberText.bytes(fileBytes)
    var table = [
      ("store", path), ("size", fileBytes == usedBytes ? size : "\(size), \(NumberText.bytes(usedBytes)) in use"),
      ("limit", limitBytes == 0 ? "none" : NumberText.bytes(limitBytes)),
    ]
    if freeDiskBytes > 0 {
      let hint = isDiskShort ? "; running short: `stack-client store limit SIZE`" : ""
      table.append(("disk", "\(NumberText.bytes(freeDiskBytes)) free\(hint)"))
    }
    for source in sources { table.append((source.source, source.retention.words)) }
    func number(_ value: UInt64) -> Record.Value { .number(Int(clamping: value)) }
    let width = (table.map(\.0.count).max() ?? 0) + 2
    return Record(
      [
        ("store", .text(Array(path.utf8))), ("bytes", number(fileBytes)), ("used_bytes", number(usedBytes)),
        ("limit_bytes", number(limitBytes)), ("disk_free_bytes", number(freeDiskBytes)),
        ("disk_short", .flag(isDiskShort)),
        (
          "kept",
          .texts(sources.map { "\($0.source) \($0.retention.keep.name.isEmpty ? "all" : $0.retention.keep.name)" })
        ),
        ("removed_posts", number(sources.reduce(0) { $0 + $1.retention.removedPosts })),
      ],
      lines: table.map { name, value in
        [Record.Piece(name + String(repeating: " ", count: width - name.count), .faint), Record.Piece(value)]
      })
  }
}
