public import Dates
public import Posts
public import ViewState

/// Asks for laid-out rows once.
public struct RowsRequest: Sendable {
  /// What to read.
  public enum Subject: Equatable, Sendable {
    case section(Section)
    /// By number or `source:native-id`.
    case post(String)
    /// The one around a post, which is named likewise.
    case conversation(String)
    /// Posts of an author: by number, `source:native-id` or @handle.
    case author(String)
    /// A list of the account: by number or name.
    case list(String)
    /// What a search finds, as somebody typed it.
    case search(String)
    /// A direct conversation.
    case direct(CircleID)
  }
  public var account: AccountID
  public var subject: Subject
  public var layout: LayoutParameters
  public var zone: Zone
  /// Rows strictly beyond this one, which for lists is a list's number; nil begins at the end.
  public var anchor: PostID?
  /// The instant of that row, as who asks knows it: the place is found by it though the row has gone or stands
  /// elsewhere. Nil where it is not said.
  public var anchorAt: Instant?
  /// True: up the timeline, towards newer posts.
  public var newer: Bool
  /// 1 to the window's maximum.
  public var count: Int
  /// What is to be let through, as somebody typed it; empty for everything.
  public var filter = ""
  /// Whose reading positions say what is unread, where the filter asks for that; empty for "main".
  public var session = ""

  /// The newest rows of a timeline.
  public init(account: AccountID, layout: LayoutParameters, zone: Zone) {
    self.account = account
    self.subject = .section(.timeline)
    self.layout = layout
    self.zone = zone
    self.newer = false
    self.count = 50
  }
}

/// An answer to a request for rows.
public struct RowsAnswer: Equatable, Sendable {
  /// In the order of the pane.
  public var rows: [PlacedRow]
  public var revision: UInt64
  /// There are more in the asked direction.
  public var hasMore: Bool
  public var labelsAtMilliseconds: Int64
  /// How much further right each level of a conversation's tree begins; 0 for other lists.
  public var indent = 0
}
