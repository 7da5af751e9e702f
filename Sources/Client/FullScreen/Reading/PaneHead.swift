internal import ViewState

/// The lines between a pane's title and its rows, which do not scroll: the body of a profile.
enum PaneHead {
  /// Panes lower than this have none.
  private static let lowest = 12

  /// Returns the number of lines in a pane of this height.
  static func height(of pane: Pane, in viewHeight: Int) -> Int {
    guard let profile = pane.status.profile, viewHeight >= lowest else { return 0 }
    return Avatar.height + (profile.about.isEmpty ? 0 : 1)
  }
}
