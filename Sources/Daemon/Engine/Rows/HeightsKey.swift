internal import Posts

/// Identifies the heights of a list's rows in one layout.
struct HeightsKey: Hashable {
  var list: ListKey
  /// The collapsed posts of a conversation.
  var collapsed: [PostID] = []
  /// The unfolded rows of the pane.
  var unfolded: [PostID] = []
  var layout: LayoutKey
  /// The name of the time zone of day lines; nil if there are none.
  var daysZone: String?

  /// Returns true if another key differs only in the unfolded rows.
  func isLike(_ other: HeightsKey) -> Bool {
    var other = other
    other.unfolded = unfolded
    return other == self
  }
}
