public import Dates
public import Posts
public import ViewState

/// A one-time request for laid-out rows.
public struct RowsRequest: Sendable {
  /// The list to read.
  public enum Subject: Equatable, Sendable {
    case section(Section)
    /// A single post, by ID or `source:native-id`.
    case post(String)
    /// The conversation around a post, by ID or `source:native-id`.
    case conversation(String)
    /// Posts by an author: by ID, `source:native-id` or @handle.
    case author(String)
    /// A list of the account, by ID or name.
    case list(String)
    /// The results of a search as typed by a user.
    case search(String)
    /// A direct conversation.
    case direct(AudienceGroupID)
  }
  public var account: AccountID
  public var subject: Subject
  public var layout: LayoutParameters
  public var zone: Zone
  /// The rows returned lie strictly beyond this row, whose ID in the section of lists is a list's. Nil begins at the
  /// end.
  public var anchor: PostID?
  /// The instant of that row, as the client knows it. With it, the place is found even if the row has gone or moved.
  /// Nil if the client does not give it.
  public var anchorAt: Instant?
  /// True to read up the timeline, towards newer posts.
  public var newer: Bool
  /// Number of rows, from 1 to the window's maximum.
  public var count: Int
  /// The filter as typed by a user; empty for all posts.
  public var filter = ""
  /// The session whose reading positions decide what is unread, if the filter asks for that; empty for "main".
  public var session = ""

  /// A request for the newest rows of a timeline.
  public init(account: AccountID, layout: LayoutParameters, zone: Zone) {
    self.account = account
    self.subject = .section(.timeline)
    self.layout = layout
    self.zone = zone
    self.newer = false
    self.count = 50
  }
}

/// The answer to a request for rows.
public struct RowsAnswer: Equatable, Sendable {
  /// In display order.
  public var rows: [PlacedRow]
  public var revision: UInt64
  /// True if there are more rows in the requested direction.
  public var hasMore: Bool
  public var labelsAtMilliseconds: Int64
  /// Indentation of each level of a conversation's tree; 0 for other lists.
  public var indent = 0
}
