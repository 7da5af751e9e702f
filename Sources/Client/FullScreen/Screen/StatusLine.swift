/// What the last line says. The title of the focused pane and its numbers come from the view.
public struct StatusLine: Equatable, Sendable {
  /// How things are with the daemon.
  public enum Connection: Equatable, Sendable {
    /// What is shown is so.
    case live
    /// A first answer is waited for.
    case connecting
    /// There is none; since when, in words ("14:05").
    case offline(since: String)
  }

  /// What stands behind a message.
  public enum Weight: Sendable { case plain, warning }

  public var connection = Connection.connecting
  /// Something to tell, in place of the key hints; empty for nothing.
  public var message = ""
  public var weight = Weight.plain
  /// The session's name; empty for "main", which is not told.
  public var session = ""
  /// Who one is, where the navigation pane does not say.
  public var account = ""
  /// Keys and what they do here, the most useful first; as many are shown as there is room for.
  public var hints: [(keys: String, does: String)] = []
  /// More short words, such as "mouse" or "follow".
  public var marks: [String] = []

  /// Nothing to say yet.
  public init() {}

  public static func == (left: StatusLine, right: StatusLine) -> Bool {
    left.connection == right.connection && left.message == right.message && left.weight == right.weight
      && left.session == right.session && left.account == right.account && left.marks == right.marks
      && left.hints.elementsEqual(right.hints) { $0 == $1 }
  }
}
