public import Posts

/// A pane of a stack.
public struct PaneRecord: Equatable, Sendable {
  /// Unique within its session and never reused; never 0.
  public let id: UInt64
  public let content: PaneContent
  /// The words of a search as typed; empty if unknown.
  public internal(set) var typed = ""
  /// Wanted width in the unit of the view that shows it, up to ``PaneStack/maximumWidth``; 0 for the profile's width
  /// (docs/BEHAVIOUR.md, rule 7).
  public var wantedWidth = 0
  /// The selected row; 0 for none.
  public var selection: UInt64 = 0
  /// The filter; nil for none. Like the selection, it belongs to the state of the stack.
  public var filter: ListFilter?
  /// Posts of a conversation whose replies are hidden, in the order in which they were collapsed.
  public var collapsed: [PostID] = []
  /// Rows whose long texts are shown whole, in the order in which they were unfolded.
  public var unfolded: [PostID] = []

  /// Creates a pane as it is opened.
  public init(id: UInt64, content: PaneContent) {
    self.id = id
    self.content = content
  }

  /// Creates the preview of a conversation, which is in no stack: its id is that of no pane of a session.
  init(previewing post: PostID) {
    self.init(id: Self.previewBit | UInt64(bitPattern: post.rawValue), content: .conversation(post))
  }

  /// Ids of panes of sessions count from 1.
  private static let previewBit: UInt64 = 1 << 63

  /// True for a preview.
  var isPreview: Bool { id & Self.previewBit != 0 }

  /// Returns the list it shows, as `account` sees it.
  func list(of account: AccountID?) -> ListKey {
    let base = content.list(of: account)
    return filter.map { .filtered(base, $0) } ?? base
  }
}
