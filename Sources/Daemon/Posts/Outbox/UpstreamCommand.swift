public import Dates

/// A command to the program that acts for a source (docs/UPSTREAM.md).
public struct UpstreamCommand: Equatable, Sendable {
  /// The action to perform.
  public enum Action: String, Sendable, CaseIterable {
    case post, delete, edit, favourite, unfavourite, repost, unrepost, save, unsave
  }
  /// The command's ID. A command that is sent repeatedly is to be performed once.
  public var id: String
  /// The name of the account on whose behalf it is performed.
  public var account: String
  /// The account's login there that it is for; empty if the account has none.
  public var login = ""
  public var action: Action
  /// The source's ID of the affected post; empty for a new post.
  public var post: String
  /// The source's other names of that post, at most ``aliasCount`` of ``aliasLimit`` bytes each.
  public var aliases: [String] = []
  /// The content of a new or edited post; nil except for ``Action/post`` and ``Action/edit``.
  public var writing: Writing?
  /// True if the program, or an earlier process of it, may have been sent it before.
  public var isAgain = false

  /// The maximum length of an alias in bytes; longer ones are left out.
  public static let aliasLimit = 512
  /// Maximum number of other names of a post.
  public static let aliasCount = 16

  /// The content of a post.
  public struct Writing: Equatable, Sendable {
    /// The source's other names of the post it replies to, at most ``UpstreamCommand/aliasLimit`` bytes each.
    public var parentAliases: [String] = []
    public var text: SafeText
    /// A line that is shown in place of the text; empty for none.
    public var contentWarning: SafeText
    /// BCP 47 tag of the text's language; empty if unknown.
    public var language: SafeText
    public var visibility: Visibility
    /// The source's ID of the post it replies to; empty if it is not a reply.
    public var inReplyTo: String
    public var writtenAt: Instant
    /// The source's IDs of the files of a new post, which it has.
    public var media: [String] = []

    public init(
      text: SafeText, contentWarning: SafeText = .empty, language: SafeText = .empty, visibility: Visibility,
      inReplyTo: String, writtenAt: Instant
    ) {
      (self.text, self.contentWarning, self.language) = (text, contentWarning, language)
      (self.visibility, self.inReplyTo, self.writtenAt) = (visibility, inReplyTo, writtenAt)
    }
  }

  public init(id: String, account: String, action: Action, post: String = "", writing: Writing? = nil) {
    self.id = id
    self.account = account
    self.action = action
    self.post = post
    self.writing = writing
  }
}

extension UpstreamCommand.Action {
  /// The action that performs or reverts an operation.
  public init(_ operation: OutboxEntry.Operation, _ isOn: Bool) {
    self =
      switch operation {
      case .post: .post
      case .delete: .delete
      case .edit: .edit
      case .favourite: isOn ? .favourite : .unfavourite
      case .repost: isOn ? .repost : .unrepost
      case .save: isOn ? .save : .unsave
      }
  }
}

/// The reply of a source's program to a command.
public struct UpstreamAnswer: Equatable, Sendable {
  /// The outcome of the command.
  public enum Result: Equatable, Sendable {
    /// Done. Has the source's ID of the new post or repost and its web address; both empty if the program does not
    /// report them.
    case done(nativeID: String, permalink: SafeText)
    /// Refused for good, with one short line that gives the reason.
    case refused(SafeText)
    /// Not done now; the command is to be repeated later.
    case later(SafeText)
  }

  /// The ID of the command or want.
  public var id: String
  public var result: Result
  /// Only of a want.
  public var reply = UpstreamReply()

  public init(id: String, _ result: Result) {
    self.id = id
    self.result = result
  }
}
