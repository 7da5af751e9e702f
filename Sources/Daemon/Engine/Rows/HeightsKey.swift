internal import Posts

/// Identifies the heights of a list's rows in one layout.
struct HeightsKey: Hashable {
  var list: ListKey
  /// The collapsed posts of a conversation.
  var collapsed: [PostID] = []
  var layout: LayoutKey
  /// The name of the time zone of day lines; nil if there are none.
  var daysZone: String?
}
