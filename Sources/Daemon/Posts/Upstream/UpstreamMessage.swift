public import Dates

/// A line from the program that speaks for a source (docs/UPSTREAM.md).
public enum UpstreamMessage: Equatable, Sendable {
  /// The answer to a command.
  case answer(UpstreamAnswer)
  /// The program speaks protocol 2.
  case hello(UpstreamHello)
  case batch(UpstreamBatch)
  /// A batch that breaks a rule, by its number.
  case brokenBatch(String, reason: String)
  case status(UpstreamStatus)
  /// The program takes so many more parts of the file of a want.
  case more(want: String, parts: Int)
}

/// The first line of a program that speaks protocol 2.
public struct UpstreamHello: Equatable, Sendable {
  /// The commands that the program carries out; the others take effect here alone.
  public var commands: Set<UpstreamCommand.Action>
  /// True if it reads feeds.
  public var readsFeeds: Bool
  /// True if it brings posts when it is asked for them (``UpstreamFetch``).
  public var fetches: Bool
  /// True if people sign in by it; its logins are theirs.
  public var signsIn: Bool
  /// True if it also takes direct posts.
  public var takesDirectPosts = false
  /// True if it takes files for posts.
  public var takesMedia = false
  /// True if it keeps reading positions (``UpstreamMarker``).
  public var keepsMarkers: Bool

  public init(
    commands: Set<UpstreamCommand.Action> = [], readsFeeds: Bool = false, fetches: Bool = false, signsIn: Bool = false,
    keepsMarkers: Bool = false
  ) {
    (self.commands, self.readsFeeds, self.fetches) = (commands, readsFeeds, fetches)
    (self.signsIn, self.keepsMarkers) = (signsIn, keepsMarkers)
  }
}

/// How a login or a feed fares at its source, as its program says. Shown, and not stored.
public struct UpstreamStatus: Equatable, Sendable {
  /// The words of the protocol.
  public enum State: String, Sendable, CaseIterable {
    case connecting, live, polling, waiting
    case signedOut = "signed_out"
    case failing, off
  }

  public var subject: UpstreamSubject
  public var state: State
  /// When it began; nil if unknown.
  public var since: Instant?
  /// When the program tries again, or asks next; nil if unknown.
  public var next: Instant?
  /// A line for the user; may be empty.
  public var reason: SafeText
  /// Lines about the last times that the source was asked, the newest last.
  public var history: [SafeText]

  /// Maximum number of lines of ``history``.
  public static let historyLimit = 10

  public init(
    subject: UpstreamSubject, state: State, since: Instant? = nil, next: Instant? = nil, reason: SafeText = .empty,
    history: [SafeText] = []
  ) {
    (self.subject, self.state, self.since, self.next, self.reason) = (subject, state, since, next, reason)
    self.history = history
  }
}

/// A line to a program that speaks protocol 2, beside commands.
public enum UpstreamNotice: Equatable, Sendable {
  /// A login that the program speaks for, the name of its account here, its cursors, and whether its bookmarks are what
  /// the account saves.
  case login(String, account: String, cursors: [String: String], keepsBookmarks: Bool = false)
  /// A feed that is to be read. `cursors` is nil if they are as the program has them.
  case feed(UpstreamFeed, cursors: [String: String]?)
  /// A feed that nobody follows any more.
  case gone(feed: String)
  /// A login that it no longer speaks for.
  case signedOut(login: String)
  /// A person wants something; `id` names the request.
  case want(id: String, UpstreamWant)
  /// The account of a login has read a list up to the first of these posts, the newest first: a post's ID, then its other
  /// names.
  case read(login: String, UpstreamLists, posts: [String])
  /// A view of the login's account is open.
  case looking(login: String)
  /// Nobody wants that any more.
  case unwanted(id: String)
  /// The next bytes of the file of a want.
  case part(want: String, [UInt8])
  /// Everything that was there at the start has been told; `now` is the daemon's time.
  case ready(now: Instant, credit: Int)
  /// The answer to a batch, by its number.
  case batchDone(String, UpstreamBatchResult)
}
