/// The part of a pane that stays as it is while its rows change.
public struct PaneHeader: Equatable, Sendable {
  /// What it shows; the numbers are the schema's.
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
  /// What a search is for; empty for other panes.
  public var query: [UInt8]
  /// What it is limited to, in the words of filters; empty for nothing.
  public var filter: [UInt8] = []

  /// Puts the parts together.
  public init(paneID: UInt64, kind: Kind, subject: UInt64, title: [UInt8], query: [UInt8] = []) {
    self.paneID = paneID
    self.kind = kind
    self.subject = subject
    self.title = title
    self.query = query
  }
}

/// Numbers about a pane and the window of it that is held.
public struct PaneStatus: Equatable, Sendable {
  /// All rows, held or not.
  public var rowCount = 0
  /// Height of all rows.
  public var totalHeight = 0
  /// False while the two above are estimates.
  public var isExact = false
  /// Rows above the first held one.
  public var rowsAbove = 0
  /// Their height.
  public var heightAbove = 0
  /// True while rows of the window are on their way.
  public var isLoading = false
  /// The row with the first line that the view shows, as the daemon sees it; 0 where it does not say.
  public var anchorRow: UInt64 = 0
  /// Which line of that row it is, from 0 on.
  public var anchorLine = 0
  /// Only in a profile.
  public var profile: ProfileSummary?
  /// Only in a section's root: the post up to which the session has read it, or the next older one where that has gone;
  /// 0 for none.
  public var readingRow: UInt64 = 0
  /// Which line of it.
  public var readingLine = 0
  /// Only in a section's root: posts above that one; 0 while that is not known.
  public var newRows = 0

  /// Nothing known yet.
  public init() {}
}

/// A pane as a view holds it. A covered pane holds no row.
public struct Pane: Equatable, Sendable {
  public var header: PaneHeader
  public var status = PaneStatus()
  /// The window, from top to bottom; each id once.
  public var rows: [PlacedRow] = []
  /// What is drawn over the rows.
  public var clock = PaneClock()
  /// The same in every view of the session, apart from where it is pinned.
  public var selection = PaneSelection()

  /// An empty pane.
  public init(header: PaneHeader) { self.header = header }
}

/// Where a pane lies, from the view's left edge, and where in it rows and their texts stand, from its own left edge.
public struct PaneFrame: Equatable, Sendable {
  public var paneID: UInt64
  public var x: Int
  public var width: Int
  public var columnX = 0
  /// 0 where the daemon does not say where rows stand.
  public var columnWidth = 0
  public var textX = 0
  /// What texts are wrapped to.
  public var textWidth = 0
  /// Rows are plain.
  public var isCompact = false
  /// Which sides of the first and the last row may be rounded.
  public var roundedSides: RoundedSides = []
  /// How much further right each level of a conversation's tree begins.
  public var indent = 0

  /// Sides of a pane; the numbers are the schema's.
  public struct RoundedSides: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The left one, square where the pane was pushed from a row.
    public static let left = RoundedSides(rawValue: 1)
    /// The right one.
    public static let right = RoundedSides(rawValue: 2)
  }

  /// Puts the parts together.
  public init(paneID: UInt64, x: Int, width: Int) {
    self.paneID = paneID
    self.x = x
    self.width = width
  }
}

/// Everything one view shows: what the daemon computes for it, and what the client holds after every frame.
///
/// The daemon keeps the state a view is assumed to hold and sends the difference to what it should show; the client
/// applies it. Catching up and following are the same function (protocol.md, section 3).
public struct ViewSnapshot: Equatable, Sendable {
  /// Changes only when the daemon's history is lost.
  public var epoch: UInt64 = 0
  /// The revision shown.
  public var revision: UInt64 = 0
  /// Counts changes of the view's layout.
  public var layoutGeneration: UInt32 = 0
  /// The newest viewport of the client that this state answers.
  public var viewportGeneration: UInt32 = 0
  /// The revision at which the session's pane stack last changed.
  public var sessionRevision: UInt64 = 0
  /// Stands for how the rows are laid out and labelled; 0 for nothing held.
  public var layoutKey: UInt64 = 0
  /// The instant for which labels are right.
  public var labelsAtMilliseconds: Int64 = 0
  /// Panes, bottom first.
  public var panes: [Pane] = []
  /// Resting position of the stack in half steps times two (`StackMoved.position`).
  public var position: UInt32 = 0
  /// Where the panes lie, bottom first.
  public var paneFrames: [PaneFrame] = []
  /// Under all of them.
  public var navigation = Navigation()

  /// A view that shows nothing.
  public init() {}
}
