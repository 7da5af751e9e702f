/// What an account wants of a source for one post, until the source has said that it is so (behaviour.md, rules 42 and
/// 44).
public struct OutboxEntry: Equatable, Sendable {
  /// What is wanted.
  public enum Errand: Int64, Sendable, CaseIterable {
    /// The post is to be written there.
    case post = 1
    /// It is to be a favourite of the account's, or none.
    case favourite = 2
    /// It is to be reposted by the account, or not.
    case repost = 3
    /// It is to be deleted there.
    case delete = 4
  }

  /// Its place among all that is wanted; another, and the last, whenever something new is asked. Never given twice.
  public var sequence: Int64
  /// The name under which the source is asked, and asked again, for what is wanted now.
  public var request: String
  /// Who wants it.
  public let account: AccountID
  /// What.
  public let errand: Errand
  /// What the source has, as far as it has said; of a post or a deletion, that it has it not.
  public var truth: Bool
  /// What the account wanted last.
  public var wanted: Bool
  /// What the source is being asked for; nil while nothing has been sent of it.
  public var asked: Bool?
  /// Why the source does not do it; nil unless it refused.
  public var failure: SafeText?
  /// What is needed if it turns out otherwise: of a post and a deletion, who may see the post where it is
  /// (``Audience/number``); of a repost, when that was or is made, in milliseconds.
  public var kept: Int64

  /// Whether the source refused it.
  public var isFailed: Bool { failure != nil }
  /// What is shown here: what is wanted, or what is true where that was refused.
  public var shown: Bool { isFailed ? truth : wanted }

  /// Something that was not wanted before.
  public init(
    sequence: Int64, request: String, account: AccountID, _ errand: Errand, wanted: Bool = true, kept: Int64 = 0
  ) {
    (self.sequence, self.request, self.account, self.errand) = (sequence, request, account, errand)
    (truth, self.wanted, self.kept) = (!wanted, wanted, kept)
  }
}
