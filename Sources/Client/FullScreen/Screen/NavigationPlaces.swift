internal import ViewState

/// Where things stand in the navigation pane.
struct NavigationPlaces {
  /// There is room for a line above and below each section (behaviour.md, rule 1).
  let isAiry: Bool
  /// The lines of the sections, in their order.
  let sections: [Int]
  /// The line below all of them.
  let end: Int

  /// The places on a screen of so many lines.
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

  /// The section in a line, or beside it where lines are there.
  static func section(at line: Int, of navigation: Navigation, lines: Int) -> Section? {
    NavigationPlaces(navigation, lines: lines).sections.firstIndex(of: line).map { navigation.rows[$0].section }
  }
}
