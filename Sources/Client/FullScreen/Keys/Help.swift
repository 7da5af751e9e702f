/// The keys that are valid where one is, and those of them that have some letters in their names or in what they do.
public struct Help: Equatable, Sendable {
  /// Where they are valid.
  public let context: KeyContext
  /// All of them.
  public let bindings: [Keymap.Binding]
  /// What is looked for.
  public var filter = LineField()
  /// The first line shown.
  public var scroll = 0

  /// The keys of a context.
  public init(_ keymap: Keymap, context: KeyContext) {
    self.context = context
    bindings = keymap.bindings(in: context)
  }

  /// Those that have what is looked for, in their keys as it is written, elsewhere in either case.
  public var matching: [Keymap.Binding] {
    let wanted = filter.text
    guard !wanted.isEmpty else { return bindings }
    let folded = wanted.lowercased()
    return bindings.filter { binding in
      binding.keys.contains { $0.hasPrefix(wanted) } || binding.action.rawValue.contains(folded)
        || binding.summary.lowercased().contains(folded)
    }
  }

  /// Does what an action does to the list; false where it is none of its actions.
  @discardableResult public mutating func perform(_ action: Action, viewHeight: Int) -> Bool {
    let page = max(1, viewHeight - 4)
    switch action {
    case .next: scroll += 1
    case .previous: scroll -= 1
    case .pageDown: scroll += page
    case .pageUp: scroll -= page
    default:
      scroll = 0
      return filter.perform(action)
    }
    scroll = min(max(0, scroll), max(0, matching.count - 1))
    return true
  }
}
