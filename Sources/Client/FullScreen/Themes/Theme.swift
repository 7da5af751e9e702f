public import Terminal

/// How things look, by what they are.
public struct Theme: Equatable, Sendable {
  public var name: String
  private var styles: [ThemeRole: Style]
  /// Colours of authors, on which ``ThemeRole/avatar`` is written.
  public var avatars: [Color]

  /// All that are built in.
  public static let builtIn = [dark, light, highContrast]

  /// A theme that says so much.
  init(name: String, styles: [ThemeRole: Style], avatars: [Color]) {
    self.name = name
    self.styles = styles
    self.avatars = avatars
  }

  /// How something looks; what the theme does not say is as the terminal has it. O(1).
  public subscript(role: ThemeRole) -> Style {
    get { styles[role] ?? Style() }
    set { styles[role] = newValue }
  }
}
