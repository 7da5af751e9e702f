/// What the program that speaks for a source is told to do there (docs/UPSTREAM.md).
public struct UpstreamCommand: Equatable, Sendable {
  /// What is to be done.
  public enum Action: String, Sendable, CaseIterable {
    case post, delete, favourite, unfavourite, repost, unrepost
  }
  /// The same one, however often it is told, is to be done once.
  public var id: String
  /// The name of the account that does it.
  public var account: String
  /// See ``Action``.
  public var action: Action
  /// The source's id of the post it is about; empty for a post that is to be written.
  public var post: String
  /// What a new post says, whom it is for, and the source's id of the post that it answers (empty for none). Nil but
  /// for ``Action/post``.
  public var writing: Writing?

  /// What a new post says.
  public struct Writing: Equatable, Sendable {
    public var text: SafeText
    public var visibility: Visibility
    public var inReplyTo: String

    /// Puts the parts together.
    public init(text: SafeText, visibility: Visibility, inReplyTo: String) {
      (self.text, self.visibility, self.inReplyTo) = (text, visibility, inReplyTo)
    }
  }

  /// Puts the parts together.
  public init(id: String, account: String, action: Action, post: String = "", writing: Writing? = nil) {
    (self.id, self.account, self.action, self.post, self.writing) = (id, account, action, post, writing)
  }
}

extension UpstreamCommand.Action {
  /// What a source is told to do of an errand, one way or the other.
  public init(_ errand: OutboxEntry.Errand, _ isOn: Bool) {
    self =
      switch errand {
      case .post: .post
      case .delete: .delete
      case .favourite: isOn ? .favourite : .unfavourite
      case .repost: isOn ? .repost : .unrepost
      }
  }
}

/// What a source's program answers to a command.
public struct UpstreamAnswer: Equatable, Sendable {
  /// What became of it.
  public enum Result: Equatable, Sendable {
    /// It is done. The source's id of the post or the repost that was made, and where that stands on the web; both
    /// empty where the program does not say.
    case done(nativeID: String, permalink: SafeText)
    /// It is not done and will not be; one short line that says why.
    case refused(SafeText)
    /// It is not done now: it is to be asked again later.
    case later(SafeText)
  }

  /// The command's.
  public var id: String
  /// What became of it.
  public var result: Result

  /// Puts the parts together.
  public init(id: String, _ result: Result) { (self.id, self.result) = (id, result) }
}
