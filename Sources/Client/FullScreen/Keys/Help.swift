/// The keys available in a context, in groups, and those that match a search.
public struct Help: Equatable, Sendable {
  /// The context.
  public let context: KeyContext
  /// All keys of the context. The keys that go to a pane by its number are one.
  public let bindings: [Keymap.Binding]
  /// The text searched for.
  public var filter = LineField()
  /// The first line shown.
  public var scroll = 0
  /// The columns of the screen. From 120 on, the list has two columns.
  public var columns: Int

  /// A line of the list.
  public enum Line: Equatable {
    case title(String)
    case keys(Keymap.Binding)
    case blank
  }

  /// The keys of a context, on a screen with this many columns.
  public init(_ keymap: Keymap, context: KeyContext, columns: Int = 80) {
    self.context = context
    self.columns = columns
    bindings = Self.mergingNumbers(keymap.bindings(in: context))
  }

  /// The least number of columns of a screen on which the list has two.
  static let wide = 120
  /// The keys that go to a pane by its number, as one.
  private static let digits = "1-9"

  /// Merges the keys that go to a pane by its number, if they are the digits.
  private static func mergingNumbers(_ bindings: [Keymap.Binding]) -> [Keymap.Binding] {
    let numbered = Action.numberedPanes.enumerated().map { ["\($0.offset + 1)"] }
    let own = bindings.filter { Action.numberedPanes.contains($0.action) }
    guard own.map(\.keys) == numbered else { return bindings }
    return bindings.compactMap { binding in
      guard Action.numberedPanes.contains(binding.action) else { return binding }
      guard binding.action == Action.numberedPanes.first else { return nil }
      return Keymap.Binding(keys: [digits], action: binding.action, summary: "Go to pane 1 to 9")
    }
  }

  /// The keys that match: by key names as typed, by action names and summaries in any case.
  public var matching: [Keymap.Binding] {
    let wanted = filter.text
    guard !wanted.isEmpty else { return bindings }
    let folded = wanted.lowercased()
    let isDigit = wanted.count == 1 && ("1"..."9").contains(wanted)
    return bindings.filter { binding in
      binding.keys.contains { $0.hasPrefix(wanted) || isDigit && $0 == Self.digits }
        || binding.action.rawValue.contains(folded) || binding.summary.lowercased().contains(folded)
    }
  }

  /// The keys that match, by group.
  var groups: [(title: String, keys: [Keymap.Binding])] {
    let matching = matching
    guard context == .panes else { return matching.isEmpty ? [] : [("", matching)] }
    return KeyGroup.allCases.compactMap { group in
      let own = matching.filter { $0.action.group == group }
      return own.isEmpty ? nil : (group.rawValue, own)
    }
  }

  /// The list, from top to bottom: one or two lines beside each other.
  public var rows: [[Line]] {
    let blocks = groups.map { group in
      (group.title.isEmpty ? [] : [Line.title(group.title)]) + group.keys.map(Line.keys)
    }
    guard columns >= Self.wide else { return Self.joined(blocks[...]).map { [$0] } }
    let halves = (0...blocks.count).map { (Self.joined(blocks[..<$0]), Self.joined(blocks[$0...])) }
    guard let (left, right) = halves.min(by: { max($0.0.count, $0.1.count) < max($1.0.count, $1.1.count) }) else {
      return []
    }
    return (0..<max(left.count, right.count)).map { line in
      [left.indices.contains(line) ? left[line] : .blank, right.indices.contains(line) ? right[line] : .blank]
    }
  }

  private static func joined(_ blocks: ArraySlice<[Line]>) -> [Line] { Array(blocks.joined(separator: [.blank])) }

  /// Performs an action on the list. Returns false for other actions.
  @discardableResult public mutating func perform(_ action: Action, viewHeight: Int) -> Bool {
    let page = max(1, viewHeight - 4)
    // Above the list are the border and the text searched for, below it the border.
    let last = max(0, rows.count - max(1, viewHeight - 2))
    switch action {
    case .next: scroll += 1
    case .previous: scroll -= 1
    case .pageDown: scroll += page
    case .pageUp: scroll -= page
    case .firstRow: scroll = 0
    case .lastRow: scroll = last
    default:
      scroll = 0
      return filter.perform(action)
    }
    scroll = min(max(0, scroll), last)
    return true
  }
}
