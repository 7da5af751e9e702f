internal import Terminal

extension Keymap {
  /// The keys of `base`, changed by a file as docs/KEYS.md describes it: `action = "key"` or `action = ["key", …]`
  /// under a `[context]`, `panes` before the first. An action that is named has the keys that are said there and no
  /// others; a key that `base` gives to another action is that action's no longer. Throws all that is wrong with the
  /// file.
  public init(parsing text: [UInt8], over base: Keymap = .standard) throws(ConfigurationErrors) {
    var reader = KeymapReader(base)
    reader.read(ConfigurationFile(text))
    guard reader.errors.isEmpty else { throw ConfigurationErrors(reader.errors) }
    self = reader.keymap
  }
}

/// Reads a file of keys.
private struct KeymapReader {
  var keymap: Keymap
  var errors: [ConfigurationError] = []
  /// What the file has said of a key, and of an action, and on which line.
  private var keys: [KeyContext: [Key: (action: Action, line: Int)]] = [:]
  private var actions: [KeyContext: [Action: Int]] = [:]

  init(_ base: Keymap) { keymap = base }

  mutating func read(_ file: ConfigurationFile) {
    errors = file.errors
    for section in file.sections where KeyContext(rawValue: section.name) == nil {
      let known = KeyContext.allCases.map(\.rawValue)
      wrong(section.line, "there is no context [\(section.name)], but \(known.joined(separator: ", "))")
    }
    for entry in file.entries {
      // What is in a section that is none has been told by its line.
      guard let context = entry.section.isEmpty ? .panes : KeyContext(rawValue: entry.section) else { continue }
      read(entry, context)
    }
    // Nobody may be shut in.
    for context in KeyContext.allCases where context != .panes && keymap.keys(for: .cancel, in: context).isEmpty {
      wrong(
        actions[context]?[.cancel] ?? 1,
        "nothing would leave [\(context.rawValue)]: cancel needs a key that no other action has")
    }
    if keymap.keys(for: .quit, in: .panes).isEmpty, keymap.keys(for: .palette, in: .panes).isEmpty {
      wrong(
        actions[.panes]?[.quit] ?? actions[.panes]?[.palette] ?? 1,
        "nothing would leave the program: quit or palette needs a key")
    }
  }

  private mutating func wrong(_ line: Int, _ message: String) {
    errors.append(ConfigurationError(line: line, message: message))
  }

  private mutating func read(_ entry: ConfigurationFile.Entry, _ context: KeyContext) {
    let possible = StandardKeys.entries(in: context).map(\.action)
    guard let action = Action(rawValue: entry.name), possible.contains(action) else {
      // What only the command line knows is no action of keys.
      let isKnown = KeyContext.allCases.contains { context in
        StandardKeys.entries(in: context).contains { $0.action.rawValue == entry.name }
      }
      let what =
        isKnown ? "\"\(entry.name)\" means nothing in [\(context.rawValue)]" : "there is no action \"\(entry.name)\""
      let hint =
        ConfigurationFile.nearest(to: entry.name, in: possible.map(\.rawValue)).map { "; do you mean \"\($0)\"?" } ?? ""
      return wrong(entry.line, what + hint)
    }
    if let line = actions[context, default: [:]].updateValue(entry.line, forKey: action) {
      return wrong(entry.line, "\"\(entry.name)\" is on line \(line) already")
    }
    var new: [Key] = []
    for name in names(entry.value) ?? [] {
      guard let key = KeyName.key(name) else {
        let hint = ConfigurationFile.nearest(to: name, in: KeyName.words).map { "; do you mean \"\($0)\"?" } ?? ""
        wrong(entry.line, "there is no key \"\(name)\"\(hint)")
        continue
      }
      if context.isTyping, case .character = key.code, key.modifiers.isEmpty {
        wrong(
          entry.line,
          "\"\(name)\" is text in [\(context.rawValue)]: an action there needs ctrl, alt, or a key that types nothing")
        continue
      }
      if let other = keys[context]?[key], other.action != action {
        wrong(entry.line, "\"\(name)\" is \(other.action.rawValue) on line \(other.line) already")
        continue
      }
      keys[context, default: [:]][key] = (action, entry.line)
      if !new.contains(key) { new.append(key) }
    }
    if names(entry.value) == nil {
      wrong(entry.line, "\"\(entry.name)\" is a key or a list of keys, each in quotation marks")
    }
    keymap.bind(new, to: action, in: context)
  }

  private func names(_ value: ConfigurationFile.Value) -> [String]? {
    switch value {
    case .string(let name): return [name]
    case .list(let values):
      let names = values.compactMap { value in if case .string(let name) = value { name } else { nil } }
      return names.count == values.count ? names : nil
    default: return nil
    }
  }
}
