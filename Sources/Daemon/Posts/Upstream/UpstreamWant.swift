public import Dates

/// What a person wants the program of a source to bring (docs/UPSTREAM.md, "Wants").
public enum UpstreamWant: Equatable, Sendable {
  /// What is new in a feed.
  case refresh(feed: String)
  /// Posts that a login can reach.
  case fetch(UpstreamFetch, login: String)
  /// To sign the person of an account in at a server, which may send the browser to a port of its own machine (0 for
  /// none), or with the token that a command prints (empty for none).
  case signIn(server: String, account: String, redirectPort: Int, isReadOnly: Bool, secretCommand: String = "")
  /// To end signing in, by the number that the program has given it, with the code that the server has shown.
  case finishSignIn(number: String, code: String)
  /// To sign a login out.
  case signOut(login: String)
}

extension UpstreamWant {
  /// True if no person waits for it: others come first.
  public var isUnasked: Bool { if case .fetch(.conversation(_, _, isUnasked: true), _) = self { true } else { false } }
}

/// What a program's answer to a want says of signing in.
public struct UpstreamSignIn: Equatable, Sendable {
  /// The number under which it goes on; empty for none.
  public var number = ""
  /// The page that the person has to open; empty for none.
  public var url = SafeText.empty
  /// The name of the login that was signed in; empty for none.
  public var login = ""
  /// The author whom the login is there; nil if the program does not say.
  public var identity: ImportedAuthor?
  /// True if the server did not confirm that a token is revoked.
  public var isUnconfirmed = false

  public init() {}
}

/// Posts that a program can bring when it is asked for them; IDs are the source's.
public enum UpstreamFetch: Equatable, Sendable {
  /// The conversation of a post, by its ID and its other names; unasked if a person has only opened it.
  case conversation(post: String, aliases: [String] = [], isUnasked: Bool = false)
  /// Posts of an author.
  case author(String)
  /// Posts and people that match a text.
  case search(String)
  /// Posts of a gap: its ends, and the IDs of the posts next to it, empty where there is none.
  case gap(newer: Instant, older: Instant, above: String, below: String)
}
