/// Which accounts may see a post: what every query asks, so that no place has to work it out from visibility and owner.
///
/// A public or unlisted post is for everyone, another for its owner alone. A repost is for those who may see both it and
/// its original; that may be nobody, when the original is private to another account.
public enum Audience: Hashable, Sendable {
  case everyone
  case only(AccountID)
  case nobody

  /// The audience of a post that is no repost.
  public init(visibility: Visibility, owner: AccountID) {
    switch visibility {
    case .public, .unlisted: self = .everyone
    case .followers, .direct: self = .only(owner)
    }
  }

  /// Whether `account` may see it.
  public func includes(_ account: AccountID) -> Bool {
    switch self {
    case .everyone: true
    case .only(let owner): owner == account
    case .nobody: false
    }
  }

  /// Those who are in both audiences.
  public func intersection(_ other: Audience) -> Audience {
    switch (self, other) {
    case (.everyone, _): other
    case (_, .everyone): self
    default: self == other ? self : .nobody
    }
  }
}
