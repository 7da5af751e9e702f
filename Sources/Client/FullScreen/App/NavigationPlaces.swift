internal import ViewState

extension ScreenPainter {
  /// The section that stands in a line of the navigation pane.
  static func section(at line: Int, of navigation: Navigation, _ state: ScreenState) -> Section? { nil }
}
