/// The part of a pane that does not change while its rows do.
public struct PaneHeader: Equatable, Sendable {
  /// The kind of pane; the numbers are the schema's.
  public enum Kind: UInt8, Sendable {
    case unknown = 0
    case timeline = 1
    case conversation = 2
    case mentions = 3
    case lists = 4
    case messages = 5
    case profile = 6
    case search = 7
    case list = 8
    case direct = 9
    case launch = 10
  }
  /// Never reused; never 0.
  public var paneID: UInt64
  public var kind: Kind
  /// The post, author, list or direct conversation it is about; 0 for none.
  public var subject: UInt64
  public var title: [UInt8]
  /// The query of a search; empty for other panes.
  public var query: [UInt8]
  /// The filter expression; empty for none.
  public var filter: [UInt8] = []
  /// True for the preview of a view, which is no pane of its session.
  public var isPreview = false

  public init(paneID: UInt64, kind: Kind, subject: UInt64, title: [UInt8], query: [UInt8] = []) {
    self.paneID = paneID
    self.kind = kind
    self.subject = subject
    self.title = title
    self.query = query
  }
}

/// Numbers of a pane and of its held window.
public struct PaneStatus: Equatable, Sendable {
  /// All rows, held or not.
  public var rowCount = 0
  /// Height of all rows.
  public var totalHeight = 0
  /// False while the two numbers above are estimates.
  public var isExact = false
  /// Rows above the first held one.
  public var rowsAbove = 0
  /// Their height.
  public var heightAbove = 0
  /// True while rows of the window are being loaded.
  public var isLoading = false
  /// The row with the first visible line, as the daemon sees it; 0 if unknown.
  public var anchorRow: UInt64 = 0
  /// The index of that line in the row, from 0.
  public var anchorLine = 0
  /// Only in a profile.
  public var profile: ProfileSummary?
  /// Only in a section's root: the post up to which the session has read the section, or the next older one if that was
  /// removed; 0 for none.
  public var readingRow: UInt64 = 0
  /// The line of that post.
  public var readingLine = 0
  /// Only in a section's root: the number of posts above that one; 0 while unknown.
  public var newRows = 0

  public init() {}
}

/// A pane as a view holds it. A covered pane holds no rows.
public struct Pane: Equatable, Sendable {
  public var header: PaneHeader
  public var status = PaneStatus()
  /// The window, from top to bottom; each ID once.
  public var rows: [PlacedRow] = []
  /// The elements drawn over the rows.
  public var clock = PaneClock()
  /// The same in every view of the session, except for the edge where it is pinned.
  public var selection = PaneSelection()

  /// An empty pane.
  public init(header: PaneHeader) { self.header = header }
}

/// The position of a pane, from the view's left edge, and of its rows and their texts, from its own left edge.
public struct PaneFrame: Equatable, Sendable {
  public var paneID: UInt64
  public var x: Int
  public var width: Int
  public var columnX = 0
  /// 0 if the daemon does not specify the position of rows.
  public var columnWidth = 0
  public var textX = 0
  /// The width to which texts are wrapped.
  public var textWidth = 0
  /// True if rows are compact.
  public var isCompact = false
  /// The sides on which the first and the last row may be rounded.
  public var roundedSides: RoundedSides = []
  /// Additional indentation of each level of a conversation's tree.
  public var indent = 0

  /// Sides of a pane; the numbers are the schema's.
  public struct RoundedSides: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The left side, square if the pane was pushed from a row.
    public static let left = RoundedSides(rawValue: 1)
    /// The right side.
    public static let right = RoundedSides(rawValue: 2)
  }

  public init(paneID: UInt64, x: Int, width: Int) {
    self.paneID = paneID
    self.x = x
    self.width = width
  }
}

/// The complete state of one view: the daemon computes it, and the client holds it after every frame.
///
/// The daemon tracks the state that a view is assumed to hold and sends the difference to the new one; the client
/// applies it. Catching up and following are the same operation.
public struct ViewSnapshot: Equatable, Sendable {
  /// Changes only when the daemon's history is lost.
  public var epoch: UInt64 = 0
  /// The revision shown.
  public var revision: UInt64 = 0
  /// Counts changes of the view's layout.
  public var layoutGeneration: UInt32 = 0
  /// The newest viewport of the client that this state reflects.
  public var viewportGeneration: UInt32 = 0
  /// The revision at which the session's pane stack last changed.
  public var sessionRevision: UInt64 = 0
  /// The key of the rows' layout and labels; 0 if nothing is held.
  public var layoutKey: UInt64 = 0
  /// The time for which labels are right.
  public var labelsAtMilliseconds: Int64 = 0
  /// Panes, bottom first.
  public var panes: [Pane] = []
  /// Resting position of the stack in half steps times two (`StackMoved.position`).
  public var position: UInt32 = 0
  /// The positions of the panes, bottom first.
  public var paneFrames: [PaneFrame] = []
  /// The pane under all others.
  public var navigation = Navigation()

  public init() {}
}
