/// What surrounds a post's text in a pane of terminal cells (behaviour.md rules 18 and 20).
///
/// A regular pane has a border of one cell each side, an avatar of 4 x 2, a gap and a scroll bar of one cell; a row is the
/// author's line, the text, the line of counts and the separator. A compact one has neither border nor avatar, so that the scroll
/// bar alone is taken from its text.
public struct CellMetrics: Hashable, Sendable {
  /// The pane's width in cells, at least 1.
  public var paneWidth: Int
  /// Whether rows are plain: below ``compactBelow`` cells, and in line mode at any width.
  public var isCompact: Bool

  /// Panes narrower than this are compact.
  public static let compactBelow = 40
  /// The widest column of rows that a regular pane has; it is centred in a wider one.
  public static let maximumColumnWidth = 80
  /// An avatar's width and height, in cells.
  public static let avatarWidth = 4, avatarHeight = 2

  /// Metrics of a pane; `isCompact` follows from the width unless it is given.
  public init(paneWidth: Int, isCompact: Bool? = nil) {
    self.paneWidth = paneWidth
    self.isCompact = isCompact ?? (paneWidth < Self.compactBelow)
  }

  /// The width of the column that rows stand in.
  public var columnWidth: Int { isCompact ? paneWidth : min(Self.maximumColumnWidth, paneWidth) }

  /// The first cell of that column in the pane: the left half of what the column leaves free.
  public var columnInset: Int { (paneWidth - columnWidth) / 2 }

  /// The width that texts are wrapped to: the column less 2 for the border, 4 for the avatar, 1 for the gap and 1 for the scroll
  /// bar, or less the scroll bar alone; never less than 1.
  public var textWidth: Int { max(1, columnWidth - (isCompact ? 1 : 2 + Self.avatarWidth + 1 + 1)) }

  /// The height of a post's row in lines: author, `lines` of text, counts and separator, at least the avatar and the separator;
  /// one line more for a repost, which says above the author who reposted it.
  ///
  /// `lines` is at least 1: ``wrap(_:width:metrics:into:)`` gives an empty text one line.
  public func height(lines: Int, isRepost: Bool) -> Int {
    let content = 1 + lines + 1 + 1
    let avatar = isCompact ? 0 : Self.avatarHeight + 1
    return max(content, avatar) + (isRepost ? 1 : 0)
  }
}
