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
  /// To have a file at the server of a login, for a new post. The program asks for its parts.
  case upload(UpstreamUpload, login: String)
}

extension UpstreamWant {
  /// True if no person waits for it: others come first.
  public var isUnasked: Bool { if case .fetch(.conversation(_, _, isUnasked: true), _) = self { true } else { false } }
}

/// A file for a new post.
public struct UpstreamUpload: Equatable, Sendable {
  /// The most bytes of a file: 16 MiB, as much as most servers take of a picture.
  public static let byteLimit = 16 << 20
  /// The most bytes of a part, so that it fits into a line.
  public static let partBytes = 32 << 10

  /// The MIME type.
  public var mediaType: String
  /// A description of its contents; may be empty.
  public var description: SafeText
  /// The number of its bytes.
  public var byteCount: Int

  public init(mediaType: String, description: SafeText, byteCount: Int) {
    (self.mediaType, self.description, self.byteCount) = (mediaType, description, byteCount)
  }
}

/// What a program's answer to a want says beside that it is done.
public struct UpstreamReply: Equatable, Sendable {
  /// The number under which signing in goes on; empty for none.
  public var number = ""
  /// The page that the person has to open; empty for none.
  public var url = SafeText.empty
  /// The name of the login that was signed in; empty for none.
  public var login = ""
  /// The author whom the login is there; nil if the program does not say.
  public var identity: ImportedAuthor?
  /// True if the server did not confirm that a token is revoked.
  public var isUnconfirmed = false
  /// The file that the server has; nil if it was not about one.
  public var media: Media?

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
