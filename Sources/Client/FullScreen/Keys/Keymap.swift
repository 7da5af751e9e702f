public import Terminal

/// The action of each key, by context.
public struct Keymap: Equatable, Sendable {
  /// An action with its keys.
  public struct Binding: Equatable, Sendable {
    /// The names of the keys.
    public var keys: [String]
    public var action: Action
    /// A short summary.
    public var summary: String
  }

  /// The keys of each action, in order.
  private var keys: [KeyContext: [Action: [Key]]] = [:]
  private var actions: [KeyContext: [Key: Action]] = [:]

  /// A keymap without keys.
  init() {}

  /// Returns the action of a key; nil for none. O(1).
  public func action(for key: Key, in context: KeyContext) -> Action? { actions[context]?[Self.normalized(key)] }

  /// Returns the names of an action's keys ("ctrl-l"), in order.
  public func keys(for action: Action, in context: KeyContext) -> [String] {
    (keys[context]?[action] ?? []).map(KeyName.name)
  }

  /// Returns the actions that can have keys, in the order of the help.
  public func actions(in context: KeyContext) -> [Action] { StandardKeys.entries(in: context).map(\.action) }

  /// Returns all bindings, in the same order.
  public func bindings(in context: KeyContext) -> [Binding] {
    actions(in: context).compactMap { action in
      let names = keys(for: action, in: context)
      return names.isEmpty ? nil : Binding(keys: names, action: action, summary: action.summary)
    }
  }

  /// Sets the keys of an action, and takes them from the actions that had them.
  mutating func bind(_ new: [Key], to action: Action, in context: KeyContext) {
    for key in keys[context]?[action] ?? [] { actions[context]?[key] = nil }
    for key in new {
      if let other = actions[context]?[key] { keys[context]?[other]?.removeAll { $0 == key } }
      actions[context, default: [:]][key] = action
    }
    keys[context, default: [:]][action] = new
  }

  /// Folds the case of a letter with ctrl: terminals report both cases as one key.
  private static func normalized(_ key: Key) -> Key {
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
