/// The content of the status line. The focused pane's title and numbers come from the view.
public struct StatusLine: Equatable, Sendable {
  /// The state of the connection.
  public enum Connection: Equatable, Sendable {
    /// Connected: what is shown is current.
    case live
    /// Waiting for a first answer.
    case connecting
    /// Not connected, since a time ("14:05").
    case offline(since: String)
  }

  /// The importance of a message.
  public enum Weight: Sendable { case plain, warning }

  public var connection = Connection.connecting
  /// A notice shown in place of the key hints; empty for none.
  public var message = ""
  public var weight = Weight.plain
  /// The number of notices shown so far: one with the words of the last is new, too.
  public private(set) var notices = 0
  /// What is wrong with sources, such as "2 feeds failing"; empty if nothing is.
  public var sources = ""
  /// How far new feeds have been read, such as "312 of 1,000 feeds read"; empty if all have.
  public var progress = ""
  /// The session's name; empty for "main", which is not shown.
  public var session = ""
  /// The account's name, where the navigation pane does not show it.
  public var account = ""
  /// Key hints, the most useful first. As many are shown as fit.
  public var hints: [(keys: String, does: String)] = []
  /// Short words about modes, such as "mouse" or "follow".
  public var marks: [String] = []

  /// An empty status line.
  public init() {}

  /// Shows a notice.
  public mutating func show(_ message: String, _ weight: Weight = .plain) {
    (self.message, self.weight) = (message, weight)
    notices += 1
  }

  public static func == (left: StatusLine, right: StatusLine) -> Bool {
    left.connection == right.connection && left.message == right.message && left.weight == right.weight
      && left.sources == right.sources && left.progress == right.progress && left.session == right.session
      && left.account == right.account
      && left.marks == right.marks
      && left.hints.elementsEqual(right.hints) { $0 == $1 }
  }
}
