/// A row of the navigation pane; the numbers are the schema's.
public enum Section: UInt8, Sendable, CaseIterable {
  case timeline = 1
  case mentions = 2
  case lists = 3
  case messages = 4
  case profile = 5
  case search = 6
}

/// The navigation pane (behaviour.md, section 1); the schema's NavigationChanged.
public struct Navigation: Equatable, Sendable {
  /// A row of it.
  public struct Row: Equatable, Sendable {
    public var section: Section
    public var label: String
    /// One character.
    public var icon: String
    /// How much is in the section that the account has not seen; the row glows where that is not 0.
    public var unseen = 0
    /// It is the root of the stack.
    public var isSelected = false

    /// A row that does not glow.
    public init(section: Section, label: String, icon: String) {
      self.section = section
      self.label = label
      self.icon = icon
    }
  }

  /// Whose it is; nil where there is no navigation pane.
  public var account: RowAuthor?
  /// From top to bottom.
  public var rows: [Row] = []
  public var footer = ""
  /// Only the icons are seen.
  public var isCompact = false
  /// Width that is seen of it.
  public var width = 0

  /// No navigation pane.
  public init() {}
}

/// The selected row of a pane; the schema's SelectionChanged.
public struct PaneSelection: Equatable, Sendable {
  /// Where a row is that is not in the viewport; the numbers are the schema's.
  public enum Pin: UInt8, Sendable {
    case none = 0
    /// Above the viewport.
    case top = 1
    /// Below it.
    case bottom = 2
  }

  /// 0 for none.
  public var rowID: UInt64 = 0
  public var pin = Pin.none
  /// The row as it is drawn at the edge; only where it is pinned.
  public var row: PlacedRow?

  /// Nothing is selected.
  public init() {}
}

/// An author, and what an account has to do with them; the schema's Profile.
public struct ProfileSummary: Equatable, Sendable {
  public var author: RowAuthor
  /// Posts and reposts of theirs that the account may see.
  public var posts = 0
  /// Accounts of the daemon that follow them.
  public var followers = 0
  /// Authors that they follow.
  public var following = 0
  /// The account follows them.
  public var isFollowed = false
  /// They follow the account.
  public var followsMe = false
  /// They are the account.
  public var isMe = false
  /// The account has muted them.
  public var isMuted = false
  /// The account has blocked them.
  public var isBlocked = false

  /// An author without posts or follows.
  public init(author: RowAuthor) { self.author = author }
}
