public import Posts

/// A pane of a stack.
public struct PaneRecord: Equatable, Sendable {
  /// Never reused within its session; never 0.
  public let id: UInt64
  public let content: PaneContent
  /// In the unit of whatever view shows it, up to ``PaneStack/maximumWidth``; 0 for what the view's profile says (rule
  /// 7).
  public var wantedWidth = 0
  /// The row that is selected in it; 0 for none.
  public var selection: UInt64 = 0
  /// What it is limited to; nil for nothing. It belongs to the state of the stack, as the selection does.
  public var filter: ListFilter?
  /// Posts of a conversation below which replies are hidden, in the order in which they were collapsed.
  public var collapsed: [PostID] = []

  /// A pane as it is opened.
  public init(id: UInt64, content: PaneContent) {
    self.id = id
    self.content = content
  }

  /// The list it shows, as `account` sees it.
  func list(of account: AccountID) -> ListKey {
    let base = content.list(of: account)
    return filter.map { .filtered(base, $0) } ?? base
  }
}
