internal import Posts
public import ViewState

/// A command on a session: on its pane stack, on how far it has been read, or on the session itself.
public struct StackCommand: Sendable {
  /// What a pane is to show, as a client names it.
  public enum Subject: Equatable, Sendable {
    /// The conversation around a post: its number, or `source:native-id`.
    case conversation(String)
    /// An author's profile: the author's number, `source:native-id` or @handle.
    case author(String)
    /// A list of the account: its number or its name.
    case list(String)
    /// A direct conversation: its number.
    case direct(UInt64)
    /// What this search finds.
    case search(String)
  }

  /// What to do. Pane 0 is the topmost.
  public enum Action: Equatable, Sendable {
    /// Open a pane from another; those above that go first. A width of 0 is the profile's.
    case push(Subject, from: UInt64, width: Int = 0)
    /// Put a pane in the place of another; those above that go.
    case replace(UInt64, with: Subject, width: Int = 0)
    /// Close the topmost pane.
    case pop
    /// Close every pane above one.
    case popTo(UInt64)
    /// Close every pane but the root, and select nothing in that.
    case dropAll
    /// Close every pane and open a section; a query for the search.
    case open(Section, query: String = "")
    /// Go to the state before the last command that changed which panes there are.
    case back
    /// Take a back back.
    case forward
    /// Select a row of a pane, or none with row 0.
    case select(pane: UInt64, row: UInt64)
    /// Give a pane a width; 0 for the profile's.
    case resize(pane: UInt64, width: Int)
    /// Hide or show the replies below a post of a conversation.
    case collapse(pane: UInt64, post: UInt64, isCollapsed: Bool)
    /// Limit a pane to what a filter lets through, as somebody typed it; empty words for everything.
    case limit(pane: UInt64, to: String)
    /// Note that a section has been read up to a line of a row.
    case read(Section, row: UInt64, line: Int)
    /// Give the session another name.
    case rename(String)
    /// Forget the session; its views end.
    case delete
  }
  public var action: Action
  /// The same one again is done once; empty for no such promise.
  public var requestID: String
  /// Only if the session, or the reading position, last changed at this revision; 0 for always.
  public var ifRevision: UInt64

  /// Puts the parts together.
  public init(action: Action, requestID: String = "", ifRevision: UInt64 = 0) {
    self.action = action
    self.requestID = requestID
    self.ifRevision = ifRevision
  }
}

extension StackCommand.Action {
  /// What is to be found before the command can be carried out; nil for nothing.
  var subject: StackCommand.Subject? {
    switch self {
    case .push(let subject, _, _), .replace(_, let subject, _): subject
    case .open(.search, let query): query.isEmpty ? nil : .search(query)
    default: nil
    }
  }
}
