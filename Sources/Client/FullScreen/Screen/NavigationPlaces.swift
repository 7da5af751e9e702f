internal import ViewState

/// The lines of the navigation pane.
struct NavigationPlaces {
  /// True if there is room for a line above and below each section (docs/BEHAVIOUR.md, rule 1).
  let isAiry: Bool
  /// The lines of the sections, in order.
  let sections: [Int]
  /// The line below all sections.
  let end: Int

  /// Places the sections on a screen with this many lines.
  init(_ navigation: Navigation, lines: Int) {
    var line = navigation.account == nil ? ScreenState.titleLines : ScreenState.titleLines + Avatar.height
    isAiry = lines - ScreenState.statusLines >= line + 2 * navigation.rows.count + 3
    var sections: [Int] = []
    for _ in navigation.rows {
      if isAiry { line += 1 }
      sections.append(line)
      line += 1
    }
    self.sections = sections
    end = line
  }

  /// Below this width the pane is a strip of icons.
  static let strip = 8

  /// True if the account and the connection are at the foot of the pane, of which `width` columns are visible.
  static func hasFoot(_ navigation: Navigation, width: Int, lines: Int) -> Bool {
    guard navigation.account != nil, width >= strip else { return false }
    return lines - ScreenState.statusLines >= NavigationPlaces(navigation, lines: lines).end + 3
  }

  /// Returns the section in a line; nil for other lines.
  static func section(at line: Int, of navigation: Navigation, lines: Int) -> Section? {
    NavigationPlaces(navigation, lines: lines).sections.firstIndex(of: line).map { navigation.rows[$0].section }
  }
}
