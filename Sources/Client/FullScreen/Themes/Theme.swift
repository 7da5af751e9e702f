public import Terminal

/// The styles of the full screen, by role.
public struct Theme: Equatable, Sendable {
  public var name: String
  private var styles: [ThemeRole: Style]
  /// The background colours of avatars, behind ``ThemeRole/avatar``.
  public var avatars: [Color]

  /// The built-in themes.
  public static let builtIn = [dark, light, highContrast]

  /// A theme with these styles.
  init(name: String, styles: [ThemeRole: Style], avatars: [Color]) {
    self.name = name
    self.styles = styles
    self.avatars = avatars
  }

  /// The style of a role; the terminal's own style if the theme has none. O(1).
  public subscript(role: ThemeRole) -> Style {
    get { styles[role] ?? Style() }
    set { styles[role] = newValue }
  }
}
