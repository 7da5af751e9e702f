internal import Terminal

extension Theme {
  /// A theme read from a file as described in docs/THEMES.md. Roles not in the file come from the built-in theme named
  /// as its `base`, or else from `base`. Throws all errors in the file.
  public init(parsing text: [UInt8], name: String, over base: Theme = .dark) throws(ConfigurationErrors) {
    let file = ConfigurationFile(text)
    var errors = file.errors
    var theme = base
    for entry in file.entries where entry.section.isEmpty && entry.name == "base" {
      guard case .string(let name) = entry.value, let known = Theme.builtIn.first(where: { $0.name == name }) else {
        let names = Theme.builtIn.map { "\"\($0.name)\"" }.joined(separator: ", ")
        errors.append(ConfigurationError(line: entry.line, message: "base must be one of \(names)"))
        continue
      }
      theme = known
    }
    errors += file.sections.map {
      ConfigurationError(line: $0.line, message: "themes have no sections; remove [\($0.name)]")
    }
    var seen: [String: Int] = [:]
    for entry in file.entries {
      if let line = seen.updateValue(entry.line, forKey: entry.name) {
        errors.append(ConfigurationError(line: entry.line, message: "\"\(entry.name)\" is already set on line \(line)"))
      }
      do throws(ThemeError) {
        switch entry.name {
        case "base": break
        case "avatars": theme.avatars = try Self.colors(entry.value)
        default: theme[try Self.role(entry.name)] = try Self.style(entry.value)
        }
      } catch {
        errors.append(ConfigurationError(line: entry.line, message: error.message))
      }
    }
    guard errors.isEmpty else { throw ConfigurationErrors(errors) }
    theme.name = name
    self = theme
  }

  private struct ThemeError: Error { let message: String }

  private static func role(_ name: String) throws(ThemeError) -> ThemeRole {
    if let role = ThemeRole(rawValue: name) { return role }
    let known = ThemeRole.allCases.map(\.rawValue) + ["base", "avatars"]
    let hint = ConfigurationFile.nearest(to: name, in: known).map { "; did you mean \"\($0)\"?" } ?? ""
    throw ThemeError(message: "unknown role \"\(name)\"\(hint)")
  }

  private static func colors(_ value: ConfigurationFile.Value) throws(ThemeError) -> [Color] {
    guard case .list(let values) = value, !values.isEmpty else {
      throw ThemeError(message: "avatars must be a list of colours")
    }
    var colors: [Color] = []
    for value in values { colors.append(try color(value)) }
    return colors
  }

  private static func style(_ value: ConfigurationFile.Value) throws(ThemeError) -> Style {
    // A string is short for the colour of the text.
    guard case .table(let fields) = value else { return Style(foreground: try color(value)) }
    var style = Style()
    for (name, value) in fields {
      if name == "fg" {
        style.foreground = try color(value)
      } else if name == "bg" {
        style.background = try color(value)
      } else if let attribute = attributes[name] {
        guard case .boolean(let isOn) = value else { throw ThemeError(message: "\(name) must be true or false") }
        if isOn { style.attributes.insert(attribute) } else { style.attributes.remove(attribute) }
      } else {
        let hint =
          ConfigurationFile.nearest(to: name, in: ["fg", "bg"] + attributes.keys.sorted()).map {
            "; did you mean \"\($0)\"?"
          } ?? ""
        throw ThemeError(message: "unknown attribute \"\(name)\"\(hint)")
      }
    }
    return style
  }

  private static let attributes: [String: Style.Attributes] = [
    "bold": .bold, "faint": .faint, "italic": .italic, "underline": .underline, "inverse": .inverse,
  ]

  /// The 16 colours of every terminal, in the order of their numbers.
  static let colorNames = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright-black", "bright-red", "bright-green",
    "bright-yellow",
    "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
  ]

  private static func color(_ value: ConfigurationFile.Value) throws(ThemeError) -> Color {
    switch value {
    case .number(let number) where 0...255 ~= number: return .indexed(UInt8(number))
    case .string("default"): return .standard
    case .string(let name):
      if let index = colorNames.firstIndex(of: name) { return .named(UInt8(index)) }
      let digits = name.dropFirst()
      if name.first == "#", digits.count == 6, digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16) {
        return .rgb(UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
      }
      let hint =
        ConfigurationFile.nearest(to: name, in: colorNames + ["default"]).map { "; did you mean \"\($0)\"?" } ?? ""
      throw ThemeError(
        message: "\"\(name)\" is not a colour; use \"#rrggbb\", a name such as \"red\", 0 to 255, or \"default\"\(hint)"
      )
    default: throw ThemeError(message: "a colour must be \"#rrggbb\", a name such as \"red\", 0 to 255, or \"default\"")
    }
  }
}
