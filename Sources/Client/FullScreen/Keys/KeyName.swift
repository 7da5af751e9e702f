internal import Terminal

/// Names of keys as people write them: "j", "J", "ctrl-l", "alt-enter", "shift-tab", "pgdn", "f5".
enum KeyName {
  private static let named: [(name: String, code: Key.Code)] = [
    ("enter", .enter), ("tab", .tab), ("backspace", .backspace), ("esc", .escape), ("insert", .insert),
    ("delete", .delete),
    ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("home", .home), ("end", .end), ("pgup", .pageUp),
    ("pgdn", .pageDown), ("space", .character(" ")),
  ]

  private static let synonyms = [
    "escape": "esc", "return": "enter", "pageup": "pgup", "pagedown": "pgdn", "ins": "insert", "del": "delete",
  ]

  private static let modifiers: [(name: String, modifier: Key.Modifiers)] = [
    ("ctrl-", .control), ("alt-", .alt), ("shift-", .shift),
  ]

  /// Returns the key with a name; nil for none. Letters are case-sensitive, except after "ctrl-", where terminals do
  /// not distinguish case.
  static func key(_ name: String) -> Key? {
    var rest = Substring(name)
    var held: Key.Modifiers = []
    while let (prefix, modifier) = modifiers.first(where: {
      rest.lowercased().hasPrefix($0.name) && rest.count > $0.name.count
    }) {
      guard !held.contains(modifier) else { return nil }
      held.insert(modifier)
      rest = rest.dropFirst(prefix.count)
    }
    if rest.count == 1, let character = rest.first, character != " " {
      // Shift with a letter gives another letter.
      guard !held.contains(.shift) else { return nil }
      let letter = held.contains(.control) ? Character(character.lowercased()) : character
      return Key(.character(letter), held)
    }
    let word = synonyms[rest.lowercased()] ?? rest.lowercased()
    if let code = named.first(where: { $0.name == word })?.code { return Key(code, held) }
    if word.first == "f", let number = Int(word.dropFirst()), 1...24 ~= number { return Key(.function(number), held) }
    return nil
  }

  /// Returns the name of a key.
  static func name(_ key: Key) -> String {
    let prefix = modifiers.filter { key.modifiers.contains($0.modifier) }.map(\.name).joined()
    if let name = named.first(where: { $0.code == key.code })?.name { return prefix + name }
    switch key.code {
    case .character(let character): return prefix + String(character)
    case .function(let number): return prefix + "f\(number)"
    default: return prefix
    }
  }

  /// All names except those of single letters, to find the nearest one to a wrong name.
  static let words = named.map(\.name) + synonyms.keys.sorted()
}
