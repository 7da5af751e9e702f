internal import Posts
public import ViewState

/// A command on a session: on its pane stack, its reading positions, or the session itself.
public struct StackCommand: Sendable {
  /// The content for a pane, as a client names it.
  public enum Subject: Equatable, Sendable {
    /// The conversation around a post: its ID or `source:native-id`.
    case conversation(String)
    /// An author's profile: the author's ID, `source:native-id` or @handle.
    case author(String)
    /// A list of the account: its ID or name.
    case list(String)
    /// A direct conversation: its ID.
    case direct(UInt64)
    /// The results of a search.
    case search(String)
  }

  /// The action to carry out. Pane 0 means the topmost pane.
  public enum Action: Equatable, Sendable {
    /// Push a pane onto another, after closing all panes above that. Width 0 means the default of the metric profile.
    case push(Subject, from: UInt64, width: Int = 0)
    /// Replace a pane, closing all panes above it.
    case replace(UInt64, with: Subject, width: Int = 0)
    /// Close the topmost pane.
    case pop
    /// Close all panes above this one.
    case popTo(UInt64)
    /// Close all panes but the root, and clear the root's selection.
    case dropAll
    /// Close all panes and open a section; the search section takes a query.
    case open(Section, query: String = "")
    /// Return to the state before the last command that changed the set of panes.
    case back
    /// Undo a `back`.
    case forward
    /// Select a row of a pane; row 0 clears the selection.
    case select(pane: UInt64, row: UInt64)
    /// Set a pane's width; 0 means the default of the metric profile.
    case resize(pane: UInt64, width: Int)
    /// Collapse or expand the replies below a post of a conversation.
    case collapse(pane: UInt64, post: UInt64, isCollapsed: Bool)
    /// Unfold a long text, or fold it again.
    case fold(pane: UInt64, row: UInt64, isFolded: Bool)
    /// Filter a pane; the filter is as typed by a user, and an empty one shows all posts.
    case limit(pane: UInt64, to: String)
    /// Record that a section has been read up to a line of a row.
    case read(Section, row: UInt64, line: Int)
    /// Rename the session.
    case rename(String)
    /// Delete the session; its views end.
    case delete
  }
  public var action: Action
  /// A repeated command with the same ID is carried out only once. Empty for no such guarantee.
  public var requestID: String
  /// The command applies only if the session, or the reading position, last changed at this revision; 0 means
  /// unconditionally.
  public var ifRevision: UInt64

  public init(action: Action, requestID: String = "", ifRevision: UInt64 = 0) {
    self.action = action
    self.requestID = requestID
    self.ifRevision = ifRevision
  }
}

extension StackCommand.Action {
  /// The subject that must be resolved before the command can be carried out; nil if it has none.
  var subject: StackCommand.Subject? {
    switch self {
    case .push(let subject, _, _), .replace(_, let subject, _): subject
    case .open(.search, let query): query.isEmpty ? nil : .search(query)
    default: nil
    }
  }
}
