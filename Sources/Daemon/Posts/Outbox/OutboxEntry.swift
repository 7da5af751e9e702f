/// An account's request to a source about one post, until the source has confirmed it (docs/BEHAVIOUR.md, rules 42 and
/// 44).
public struct OutboxEntry: Equatable, Sendable {
  /// The requested operation.
  public enum Operation: Int64, Sendable, CaseIterable {
    /// Write the post.
    case post = 1
    /// Add or remove the account's favourite.
    case favourite = 2
    /// Add or remove the account's repost.
    case repost = 3
    /// Delete the post.
    case delete = 4
    /// Change the post's text (``EditTexts``).
    case edit = 5
    /// Add or remove the account's bookmark, for a login that keeps them.
    case save = 6

    /// The mark that the operation adds or removes; nil if it is about the post itself.
    public var mark: Mark? {
      switch self {
      case .favourite: .favourited
      case .repost: .reposted
      case .save: .saved
      case .post, .delete, .edit: nil
      }
    }
  }

  /// The texts of a post that is being edited.
  public struct EditTexts: Equatable, Sendable {
    /// The one that the source has, as far as is known here.
    public var former: EditableText
    /// The one that its author wrote last.
    public var wanted: EditableText
    /// The one that the source was sent last; nil if none was sent since the edit began.
    public var sent: EditableText?

    public init(former: EditableText, wanted: EditableText, sent: EditableText? = nil) {
      (self.former, self.wanted, self.sent) = (former, wanted, sent)
    }
  }

  /// The position among all requests. A new request gets a new, last position. Never reused.
  public var sequence: Int64
  /// The request ID sent to the source, also when the request is repeated.
  public var request: String
  public let account: AccountID
  /// The account's login at the source that it is for, once one was there; it is sent by no other. Empty for none.
  public var login = ""
  public let operation: Operation
  /// The state at the source, as last reported. Always false for a post, a deletion or an edit.
  public var truth: Bool
  /// The state that the account requested last.
  public var wanted: Bool
  /// The state that the source is being asked for; nil while no request is in flight.
  public var asked: Bool?
  /// The source's reason for refusing; nil if it has not refused.
  public var failure: SafeText?
  /// Data for completing or undoing the operation: for a post or deletion, the post's audience at the source
  /// (``Audience/number``); for a repost, its instant in milliseconds.
  public var kept: Int64
  /// The texts of an edit; nil for other operations.
  public var texts: EditTexts?

  /// True if the source refused the request.
  public var isFailed: Bool { failure != nil }
  /// The state displayed here: the requested one, or the source's if it refused.
  public var shown: Bool { isFailed ? truth : wanted }

  /// Creates an entry for a new request.
  public init(
    sequence: Int64, request: String, account: AccountID, _ operation: Operation, wanted: Bool = true, kept: Int64 = 0
  ) {
    (self.sequence, self.request, self.account, self.operation) = (sequence, request, account, operation)
    (truth, self.wanted, self.kept) = (!wanted, wanted, kept)
  }
}
