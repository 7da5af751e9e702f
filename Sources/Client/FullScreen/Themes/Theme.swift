public import Terminal

/// How things look, by what they are.
public struct Theme: Equatable, Sendable {
  public var name: String
  var styles: [ThemeRole: Style]
  /// Colours of authors.
  var avatars: [Color]

  /// Light text on dark.
  public static let dark = Theme(name: "dark", styles: [:], avatars: [])
  /// Dark text on light.
  public static let light = Theme(name: "light", styles: [:], avatars: [])
  /// Few colours, far from each other.
  public static let highContrast = Theme(name: "high-contrast", styles: [:], avatars: [])
  /// All that are built in, by name.
  public static let builtIn = [dark, light, highContrast]

  /// A theme from a file as docs/THEMES.md describes it. Roles that it does not name are those of `base`, or of the built-in theme that
  /// the file names. Throws all that is wrong with it.
  public init(parsing text: [UInt8], name: String, over base: Theme = .dark) throws(ThemeErrors) {
    self = base
    self.name = name
  }

  init(name: String, styles: [ThemeRole: Style], avatars: [Color]) {
    self.name = name
    self.styles = styles
    self.avatars = avatars
  }

  /// How something looks. O(1).
  public subscript(role: ThemeRole) -> Style { styles[role] ?? Style() }
}

/// What a style is for; the raw value is its name in a file.
public enum ThemeRole: String, CaseIterable, Sendable {
  case text
}

/// All that is wrong with a theme's file, by lines.
public struct ThemeErrors: Error, Equatable, Sendable {
  /// At least one, in the order of their lines.
  public let errors: [ThemeError]
}

/// One thing that is wrong with a theme's file.
public struct ThemeError: Error, Equatable, Sendable {
  /// From 1.
  public let line: Int
  /// What, in words for people.
  public let message: String
}
