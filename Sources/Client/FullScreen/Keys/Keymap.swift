public import Terminal

/// Which key does what, in each context.
public struct Keymap: Equatable, Sendable {
  /// An action with its keys.
  public struct Binding: Equatable, Sendable {
    /// As people write them.
    public var keys: [String]
    public var action: Action
    /// What it does, in a few words.
    public var summary: String
  }

  /// In the order in which they are told.
  private var keys: [KeyContext: [Action: [Key]]] = [:]
  private var actions: [KeyContext: [Key: Action]] = [:]

  /// No key does anything.
  init() {}

  /// What a key does; nil for nothing. O(1).
  public func action(for key: Key, in context: KeyContext) -> Action? { actions[context]?[Self.told(key)] }

  /// The keys of an action, as people write them ("ctrl-l"), in the order in which they are told.
  public func keys(for action: Action, in context: KeyContext) -> [String] {
    (keys[context]?[action] ?? []).map(KeyName.name)
  }

  /// What can be bound, in the order in which help tells it.
  public func actions(in context: KeyContext) -> [Action] { StandardKeys.entries(in: context).map(\.action) }

  /// All that is bound, in the same order.
  public func bindings(in context: KeyContext) -> [Binding] {
    actions(in: context).compactMap { action in
      let names = keys(for: action, in: context)
      return names.isEmpty ? nil : Binding(keys: names, action: action, summary: action.summary)
    }
  }

  /// Gives an action these keys and no others; what had one of them has it no longer.
  mutating func bind(_ new: [Key], to action: Action, in context: KeyContext) {
    for key in keys[context]?[action] ?? [] { actions[context]?[key] = nil }
    for key in new {
      if let other = actions[context]?[key] { keys[context]?[other]?.removeAll { $0 == key } }
      actions[context, default: [:]][key] = action
    }
    keys[context, default: [:]][action] = new
  }

  /// A letter with ctrl is the same in both cases: terminals tell them as one.
  private static func told(_ key: Key) -> Key {
    guard key.modifiers.contains(.control), case .character(let character) = key.code else { return key }
    return Key(.character(Character(character.lowercased())), key.modifiers)
  }
}

extension Keymap {
  /// The keys of docs/KEYS.md.
  public static let standard = {
    var keymap = Keymap()
    for context in KeyContext.allCases {
      for entry in StandardKeys.entries(in: context) {
        keymap.bind(entry.keys.compactMap(KeyName.key), to: entry.action, in: context)
      }
    }
    return keymap
  }()
}
