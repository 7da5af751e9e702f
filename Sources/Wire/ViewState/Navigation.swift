/// A row of the navigation pane; the numbers are the schema's.
public enum Section: UInt8, Sendable, CaseIterable {
  case timeline = 1
  case mentions = 2
  case lists = 3
  case messages = 4
  case profile = 5
  case search = 6
}

/// The navigation pane; the schema's NavigationChanged.
public struct Navigation: Equatable, Sendable {
  /// A row of the navigation pane.
  public struct Row: Equatable, Sendable {
    public var section: Section
    public var label: String
    /// One character.
    public var icon: String
    /// The number of unseen items in the section; the row glows if it is not 0.
    public var unseen = 0
    /// True if the section is the root of the stack.
    public var isSelected = false

    public init(section: Section, label: String, icon: String) {
      self.section = section
      self.label = label
      self.icon = icon
    }
  }

  /// The account it belongs to; nil if there is no navigation pane.
  public var account: RowAuthor?
  /// From top to bottom.
  public var rows: [Row] = []
  public var footer = ""
  /// True if only the icons are visible.
  public var isCompact = false
  /// Its visible width.
  public var width = 0

  public init() {}
}

/// The selected row of a pane; the schema's SelectionChanged.
public struct PaneSelection: Equatable, Sendable {
  /// The edge at which a row outside the viewport is pinned; the numbers are the schema's.
  public enum Pin: UInt8, Sendable {
    case none = 0
    /// Above the viewport.
    case top = 1
    /// Below the viewport.
    case bottom = 2
  }

  /// 0 for none.
  public var rowID: UInt64 = 0
  public var pin = Pin.none
  /// The row as drawn at the edge; only if it is pinned.
  public var row: PlacedRow?

  public init() {}
}

/// An author's profile as one account sees it; the schema's Profile.
public struct ProfileSummary: Equatable, Sendable {
  public var author: RowAuthor
  /// The author's posts and reposts that the account may see.
  public var posts = 0
  /// Accounts of the daemon that follow the author.
  public var followers = 0
  /// Authors that the author follows.
  public var following = 0
  /// True if the account follows the author.
  public var isFollowed = false
  /// True if the author follows the account.
  public var followsMe = false
  /// True if the author is the account itself.
  public var isMe = false
  /// True if the account has muted the author.
  public var isMuted = false
  /// True if the account has blocked the author.
  public var isBlocked = false
  /// The author's line about themselves, one line of UTF-8; empty if there is none.
  public var about: [UInt8] = []

  /// An author without posts or follows.
  public init(author: RowAuthor) { self.author = author }
}
