/// The keys available in a context, and those that match a search.
public struct Help: Equatable, Sendable {
  /// The context.
  public let context: KeyContext
  /// All keys of the context.
  public let bindings: [Keymap.Binding]
  /// The text searched for.
  public var filter = LineField()
  /// The first line shown.
  public var scroll = 0

  /// The keys of a context.
  public init(_ keymap: Keymap, context: KeyContext) {
    self.context = context
    bindings = keymap.bindings(in: context)
  }

  /// The keys that match: by key names as typed, by action names and summaries in any case.
  public var matching: [Keymap.Binding] {
    let wanted = filter.text
    guard !wanted.isEmpty else { return bindings }
    let folded = wanted.lowercased()
    return bindings.filter { binding in
      binding.keys.contains { $0.hasPrefix(wanted) } || binding.action.rawValue.contains(folded)
        || binding.summary.lowercased().contains(folded)
    }
  }

  /// Performs an action on the list. Returns false for other actions.
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
