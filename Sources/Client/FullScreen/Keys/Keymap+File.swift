internal import Terminal

extension Keymap {
  /// The keys of `base`, changed by a file as described in docs/KEYS.md: `action = "key"` or `action = ["key", …]`
  /// under a `[context]`, which is `panes` before the first one. An action in the file has only the keys listed there.
  /// A key of another action in `base` moves to the action in the file. Throws all errors in the file.
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
  /// The actions that the file gives to keys, and the lines of keys and actions.
  private var keys: [KeyContext: [Key: (action: Action, line: Int)]] = [:]
  private var actions: [KeyContext: [Action: Int]] = [:]

  init(_ base: Keymap) { keymap = base }

  mutating func read(_ file: ConfigurationFile) {
    errors = file.errors
    for section in file.sections where KeyContext(rawValue: section.name) == nil {
      let known = KeyContext.allCases.map(\.rawValue)
      report(section.line, "unknown section [\(section.name)]; use \(known.joined(separator: ", "))")
    }
    for entry in file.entries {
      // Unknown sections were reported with their own lines.
      guard let context = entry.section.isEmpty ? .panes : KeyContext(rawValue: entry.section) else { continue }
      read(entry, context)
    }
    // Every context must have a way out.
    for context in KeyContext.allCases where context != .panes && keymap.keys(for: .cancel, in: context).isEmpty {
      report(
        actions[context]?[.cancel] ?? 1,
        "no key would close [\(context.rawValue)]: cancel needs a key of its own")
    }
    if keymap.keys(for: .quit, in: .panes).isEmpty, keymap.keys(for: .palette, in: .panes).isEmpty {
      report(
        actions[.panes]?[.quit] ?? actions[.panes]?[.palette] ?? 1,
        "no key would quit the program: quit or palette needs one")
    }
  }

  private mutating func report(_ line: Int, _ message: String) {
    errors.append(ConfigurationError(line: line, message: message))
  }

  private mutating func read(_ entry: ConfigurationFile.Entry, _ context: KeyContext) {
    let possible = StandardKeys.entries(in: context).map(\.action)
    guard let action = Action(rawValue: entry.name), possible.contains(action) else {
      // Actions that only the command line knows cannot have keys.
      let isKnown = KeyContext.allCases.contains { context in
        StandardKeys.entries(in: context).contains { $0.action.rawValue == entry.name }
      }
      let what =
        isKnown ? "\"\(entry.name)\" is not an action of [\(context.rawValue)]" : "unknown action \"\(entry.name)\""
      let hint =
        ConfigurationFile.nearest(to: entry.name, in: possible.map(\.rawValue)).map { "; did you mean \"\($0)\"?" }
        ?? ""
      return report(entry.line, what + hint)
    }
    if let line = actions[context, default: [:]].updateValue(entry.line, forKey: action) {
      return report(entry.line, "\"\(entry.name)\" is already set on line \(line)")
    }
    var new: [Key] = []
    for name in names(entry.value) ?? [] {
      guard let key = KeyName.key(name) else {
        let hint = ConfigurationFile.nearest(to: name, in: KeyName.words).map { "; did you mean \"\($0)\"?" } ?? ""
        report(entry.line, "unknown key \"\(name)\"\(hint)")
        continue
      }
      if context.isTyping, case .character = key.code, key.modifiers.isEmpty {
        report(
          entry.line,
          "\"\(name)\" types text in [\(context.rawValue)]; use ctrl, alt, or a key that types nothing")
        continue
      }
      if let other = keys[context]?[key], other.action != action {
        report(entry.line, "\"\(name)\" is already bound to \(other.action.rawValue) on line \(other.line)")
        continue
      }
      keys[context, default: [:]][key] = (action, entry.line)
      if !new.contains(key) { new.append(key) }
    }
    if names(entry.value) == nil {
      report(entry.line, "\"\(entry.name)\" must be a key or a list of keys, each in quotation marks")
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
