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
}

/// The first line of a program that speaks protocol 2.
public struct UpstreamHello: Equatable, Sendable {
  /// The commands that the program carries out; the others take effect here alone.
  public var commands: Set<UpstreamCommand.Action>
  /// True if it reads feeds.
  public var readsFeeds: Bool

  public init(commands: Set<UpstreamCommand.Action> = [], readsFeeds: Bool = false) {
    (self.commands, self.readsFeeds) = (commands, readsFeeds)
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

  public init(
    subject: UpstreamSubject, state: State, since: Instant? = nil, next: Instant? = nil, reason: SafeText = .empty
  ) {
    (self.subject, self.state, self.since, self.next, self.reason) = (subject, state, since, next, reason)
  }
}

/// A line to a program that speaks protocol 2, beside commands.
public enum UpstreamNotice: Equatable, Sendable {
  /// A login that the program speaks for, the name of its account here, and its cursors.
  case login(String, account: String, cursors: [String: String])
  /// Everything that was there at the start has been told; `now` is the daemon's time.
  case ready(now: Instant, credit: Int)
  /// The answer to a batch, by its number.
  case batchDone(String, UpstreamBatchResult)
}
