internal import Dates
internal import Posts
internal import Search

extension PaneStack {
  /// The stack as stored: lines of words, readable by later versions and by people.
  ///
  ///     stack 2
  ///     next 4
  ///     pane 1 timeline
  ///     pane 2 conversation 42
  ///     pane 3 search %23swift
  ///     typed 3 %23Swift
  ///     width 2 40
  ///     collapsed 2 43 47
  ///     filter 1 40 1799999999000 is%3Aunread
  ///     past 1
  ///     shown 1/42 2
  ///     future 1/42 2 3
  ///
  /// Each pane is written once. A state is its panes from the bottom up, each with its selected row and, as in
  /// `1/42/1`, the number of its filter. A filter has its words and, before them, the row up to which everything had
  /// been read, with its instant. Past states are in order, and so are future ones.
  public var encoded: [UInt8] {
    var lines = ["stack 2", "next \(nextID)"]
    var written: Set<UInt64> = []
    for pane in (past + [panes] + future.reversed()).joined() where written.insert(pane.id).inserted {
      lines.append("pane \(pane.id) \(pane.content.words)")
      if !pane.typed.isEmpty { lines.append("typed \(pane.id) \(pane.typed.percentEncoded)") }
      if pane.wantedWidth != 0 { lines.append("width \(pane.id) \(pane.wantedWidth)") }
      if !pane.collapsed.isEmpty {
        lines.append("collapsed \(pane.id) " + pane.collapsed.map { "\($0.rawValue)" }.joined(separator: " "))
      }
    }
    var filters: [ListFilter] = []
    for case let filter? in (past + [panes] + future.reversed()).joined().map(\.filter) where !filters.contains(filter)
    {
      filters.append(filter)
      let since = filter.since.map { "\($0.id.rawValue) \($0.createdAt.milliseconds) " } ?? ""
      lines.append("filter \(filters.count) \(since)\(filter.words.percentEncoded)")
    }
    lines += past.map { "past " + $0.words(filters) }
    lines.append("shown " + panes.words(filters))
    lines += future.reversed().map { "future " + $0.words(filters) }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// Decodes a stack saved by this version or the one before; nil if the bytes are not a stack. Unknown lines are
  /// skipped, and so are panes of an unknown kind.
  public init?(decoding bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A).map {
      $0.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    }
    var reader = Reader()
    switch lines.first {
    case ["stack", "1"]:
      for words in lines.dropFirst() { reader.read(words) }
      reader.shown = reader.order
    case ["stack", "2"]:
      for words in lines.dropFirst() { reader.read(words) }
    default: return nil
    }
    guard let panes = reader.state(reader.shown) else { return nil }
    self.init(
      panes: panes, past: reader.past.compactMap { reader.state($0) },
      future: reader.future.compactMap { reader.state($0) }.reversed(),
      nextID: reader.next)
  }

  /// A pane in a state: its id, its selected row and the number of its filter.
  private typealias Mention = (pane: UInt64, selection: UInt64, filter: Int)

  private struct Reader {
    var next: UInt64 = 0
    var known: [UInt64: PaneRecord] = [:]
    var filters: [Int: ListFilter] = [:]
    /// Panes in the order of their lines, which is the state in version 1.
    var order: [Mention] = []
    var past: [[Mention]] = []
    var shown: [Mention] = []
    var future: [[Mention]] = []

    mutating func read(_ words: [String]) {
      switch (words.first, words.count) {
      case ("next", 2): next = UInt64(words[1]) ?? 0
      case ("pane", 3...):
        guard let id = UInt64(words[1]), let content = PaneContent(words: words[2...]) else { return }
        known[id] = PaneRecord(id: id, content: content)
        order.append((id, 0, 0))
      case ("typed", 3):
        guard let id = UInt64(words[1]), let typed = words[2].percentDecoded else { return }
        known[id]?.typed = typed
      case ("width", 3):
        guard let id = UInt64(words[1]), let width = Int(words[2]) else { return }
        known[id]?.wantedWidth = min(max(0, width), PaneStack.maximumWidth)
      case ("collapsed", 3...):
        guard let id = UInt64(words[1]) else { return }
        known[id]?.collapsed = words[2...].prefix(PaneStack.maximumCollapsed).compactMap { Int64($0) }.map {
          PostID($0)
        }
      case ("filter", 3), ("filter", 5):
        guard let number = Int(words[1]), let text = words.last?.percentDecoded, PostFilter(canonical: text) != nil
        else { return }
        var filter = ListFilter(words: text)
        if words.count == 5, let row = Int64(words[2]), let instant = Int64(words[3]) {
          filter.since = OrderKey(createdAt: Instant(milliseconds: instant), id: PostID(row))
        }
        filters[number] = filter
      case ("past", 2...): past.append(mentions(words))
      case ("shown", 2...): shown = mentions(words)
      case ("future", 2...): future.append(mentions(words))
      default: return
      }
    }

    private func mentions(_ words: [String]) -> [Mention] {
      words.dropFirst().compactMap { word in
        let parts = word.split(separator: "/")
        guard let pane = parts.first.flatMap({ UInt64($0) }) else { return nil }
        return (pane, parts.count > 1 ? UInt64(parts[1]) ?? 0 : 0, parts.count > 2 ? Int(parts[2]) ?? 0 : 0)
      }
    }

    /// Returns the panes of a state; nil unless they are a section followed by panes that may lie on one, each once.
    func state(_ mentions: [Mention]) -> [PaneRecord]? {
      let panes = mentions.compactMap { mention -> PaneRecord? in
        guard var pane = known[mention.pane], pane.id < next, pane.id > 0 else { return nil }
        pane.selection = mention.selection
        pane.filter = pane.content.isFilterable ? filters[mention.filter] : nil
        return pane
      }
      guard panes.first?.content.section != nil, panes.dropFirst().allSatisfy({ $0.content.isPushable }) else {
        return nil
      }
      return Set(panes.map(\.id)).count == panes.count ? panes : nil
    }
  }
}

extension [PaneRecord] {
  /// Encodes a state as words.
  fileprivate func words(_ filters: [ListFilter]) -> String {
    map { pane in
      let filter = pane.filter.flatMap { filters.firstIndex(of: $0) }
      if let filter { return "\(pane.id)/\(pane.selection)/\(filter + 1)" }
      return pane.selection == 0 ? "\(pane.id)" : "\(pane.id)/\(pane.selection)"
    }.joined(separator: " ")
  }
}
