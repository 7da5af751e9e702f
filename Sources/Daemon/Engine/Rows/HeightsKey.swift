internal import Posts

/// Which rows, and how they are cut.
struct HeightsKey: Hashable {
  var list: ListKey
  /// What is collapsed in it.
  var collapsed: [PostID] = []
  var layout: LayoutKey
  /// The name of the zone whose days are told by lines of their own; nil where none are.
  var daysZone: String?
}
