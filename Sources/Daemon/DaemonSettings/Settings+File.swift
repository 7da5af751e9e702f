internal import ViewState

extension Settings {
  /// The maximum size in bytes of a configuration file.
  public static let fileBytes = 1 << 20

  /// Takes over what a configuration file says.
  ///
  /// - Throws: the first mistake, with its line and column: what is not TOML, an unknown key, or a value of the wrong
  ///   kind or out of range.
  mutating func read(file bytes: [UInt8], at path: String) throws(SettingsError) {
    let document: TOMLDocument
    do throws(TOMLError) {
      document = try TOMLDocument(bytes)
    } catch {
      throw SettingsError("\(path):\(error.line):\(error.column): \(error.message)")
    }
    var commands: [String: (words: [String], origin: SettingOrigin)] = [:]
    var sources: [String] = []
    for value in document.values {
      let origin = SettingOrigin.file(path, line: value.line, column: value.column)
      if value.keys.count == 3, value.keys[0] == "upstream", value.keys[2] == "command" {
        let source = value.keys[1]
        guard value.isElement, value.kind == .string else {
          throw SettingsError(
            "\(origin.subject("upstream.\(source).command")) is not an array of strings, "
              + #"such as ["/usr/local/bin/fake", "--verbose"]"#)
        }
        if commands[source] == nil { sources.append(source) }
        commands[source, default: ([], origin)].words.append(value.text)
      } else {
        try set(value, from: origin)
      }
    }
    for source in sources {
      if let command = commands[source] { try setUpstream(source, to: command.words, from: command.origin) }
    }
  }

  /// Sets what a value of the file means, unless it belongs to a source's program.
  private mutating func set(_ value: TOMLValue, from origin: SettingOrigin) throws(SettingsError) {
    let key = value.keys.joined(separator: ".")
    guard value.keys.count == 1, let setting = Setting(rawValue: key) else {
      throw SettingsError(origin.subject("there is no setting \(key)\(Self.hint(for: key))"))
    }
    let isRightKind = setting.isNumber ? [.integer, .float].contains(value.kind) : value.kind == .string
    guard isRightKind, !value.isElement else {
      let wanted = setting.isNumber ? "a number" : #"a string, such as "text""#
      throw SettingsError("\(origin.subject(key)) is not \(wanted)")
    }
    try set(setting, to: value.text, from: origin)
  }

  /// Names the setting that may be meant.
  private static func hint(for key: String) -> String {
    let known = Setting.allCases.map(\.rawValue) + ["upstream.NAME.command"]
    guard let nearest = EditDistance.nearest(to: key, among: known), nearest.distance <= 3 else {
      return "; docs/OPERATE.md lists them"
    }
    return "; did you mean \(nearest.word)?"
  }
}
