import FullScreen
import Terminal
import Testing

@Suite("Themes")
struct ThemeTests {
  private func errors(_ text: String) -> [ConfigurationError] {
    do {
      _ = try Theme(parsing: Array(text.utf8), name: "mine")
      return []
    } catch { return error.errors }
  }

  @Test("a file changes some styles, and the rest stays") func file() throws {
    let text = """
      # Mine.
      base = "light"
      avatars = ["#102030", 17, "red"]
      author = { fg = "#ff0080", bold = true }
      mention = "bright-cyan"
      selected = { bg = 236, underline = true, inverse = false }
      link = { fg = "default" }
      """
    let theme = try Theme(parsing: Array(text.utf8), name: "mine")
    #expect(theme.name == "mine")
    #expect(theme[.author] == Style(foreground: .rgb(255, 0, 128), attributes: .bold))
    #expect(theme[.mention] == Style(foreground: .named(14)))
    #expect(theme[.selected] == Style(background: .indexed(236), attributes: .underline))
    #expect(theme[.link] == Style())
    #expect(theme[.text] == Theme.light[.text])
    #expect(theme.avatars == [.rgb(16, 32, 48), .indexed(17), .named(1)])
    let over = try Theme(parsing: Array("author = 3".utf8), name: "other", over: .highContrast)
    #expect(over[.text] == Theme.highContrast[.text])
  }

  @Test("all errors are reported with their lines") func wrong() {
    let text = """
      auhtor = "red"
      author = "rad"
      handle = "#12345"
      label = 256
      counts = { fg = "red", bald = true }
      day = { bold = "yes" }
      base = "pale"
      avatars = "red"
      [section]
      day = "red"
      """
    let errors = errors(text)
    #expect(errors.map(\.line) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    #expect(errors[0].message == "unknown role \"auhtor\"; did you mean \"author\"?")
    #expect(errors[1].message.hasSuffix("did you mean \"red\"?"))
    #expect(errors[4].message == "unknown attribute \"bald\"; did you mean \"bold\"?")
  }

  @Test("built-in themes are complete") func whole() {
    #expect(Theme.builtIn.map(\.name) == ["dark", "light", "high-contrast"])
    for theme in Theme.builtIn {
      #expect(theme[.text].foreground != .standard && theme[.text].background != .standard)
      #expect(theme.avatars.count >= 5)
    }
  }

  @Test("text is readable on its background", arguments: Theme.builtIn) func contrast(theme: Theme) {
    let behind: [ThemeRole: [ThemeRole]] = [
      .text: [.author, .handle, .label, .mention, .hashtag, .link, .warning, .counts, .repost, .day, .unread, .note],
      .selected: [.text, .author, .handle, .label, .mention, .hashtag, .link, .warning, .counts, .repost],
      .pinned: [.text, .author, .handle, .label, .mention, .hashtag, .link],
      .navigation: [.navigation, .navigationGlow, .account, .footer],
      .navigationSelected: [.navigationSelected, .navigationGlow],
      .title: [.title], .titleFocused: [.titleFocused], .status: [.status, .statusKey, .statusWarning],
      .clock: [.clock],
      .panel: [.panel, .panelTitle, .panelFaint, .key, .field, .error], .panelSelected: [.panelSelected],
    ]
    let least = theme.name == "high-contrast" ? 7.0 : 3.0
    for (place, roles) in behind {
      for role in roles {
        let style = theme[role]
        let background = style.background != .standard && role != .text ? style.background : theme[place].background
        let foreground =
          style.foreground == .standard
          ? (theme[place].foreground == .standard ? theme[.text].foreground : theme[place].foreground)
          : style.foreground
        let ratio = Self.contrast(foreground, background == .standard ? theme[.text].background : background)
        #expect(ratio >= least, "\(role.rawValue) on \(place.rawValue): \(ratio)")
      }
    }
    for colour in theme.avatars { #expect(Self.contrast(theme[.avatar].foreground, colour) >= 4) }
  }

  /// Returns the contrast of two colours as defined by WCAG 2.1, with squares in place of its curve.
  private static func contrast(_ one: Color, _ other: Color) -> Double {
    let (first, second) = (luminance(one), luminance(other))
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  private static func luminance(_ color: Color) -> Double {
    guard case .rgb(let red, let green, let blue) = color else { return 0 }
    func linear(_ part: UInt8) -> Double { Double(part) / 255 * (Double(part) / 255) }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  @Test("docs/THEMES.md lists every role, and its example is valid") func document() throws {
    let text = Golden.file("docs/THEMES.md")
    for role in ThemeRole.allCases {
      #expect(text.contains("| `\(role.rawValue)` | \(role.summary) |"), "| `\(role.rawValue)` | \(role.summary) |")
    }
    let example = try #require(text.split(separator: "```toml\n").dropFirst().first?.split(separator: "```").first)
    #expect(errors(String(example)) == [])
  }
}
