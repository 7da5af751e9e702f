/// Which accounts may see a post: what every query asks, so that no place has to work it out from visibility and owner.
///
/// A public or unlisted post is for everyone. A post written here for followers, or direct, is for a circle. An
/// imported one is for its owner alone, because nobody here knows who followed whom there. A repost is for those who
/// may see both it and its original; where that cannot be told without asking who is in a circle it is nobody.
public enum Audience: Hashable, Sendable {
  case everyone
  case only(AccountID)
  /// The accounts that are in a circle now: the store and ``Members`` know which.
  case circle(CircleID)
  case nobody

  /// The audience of an imported post that is no repost.
  public init(visibility: Visibility, owner: AccountID) {
    switch visibility {
    case .public, .unlisted: self = .everyone
    case .followers, .direct: self = .only(owner)
    }
  }

  /// Whether `account` may see it. A circle that `members` does not have includes nobody: what is not known is not
  /// shown.
  public func includes(_ account: AccountID, _ members: Members = [:]) -> Bool {
    switch self {
    case .everyone: true
    case .only(let owner): owner == account
    case .circle(let circle): members[circle]?.contains(account) ?? false
    case .nobody: false
    }
  }

  /// Those who are known to be in both audiences, whoever is in a circle.
  public func intersection(_ other: Audience) -> Audience {
    switch (self, other) {
    case (.everyone, _): other
    case (_, .everyone): self
    default: self == other ? self : .nobody
    }
  }
}

extension Audience {
  /// As one number: 0 everyone, n account n alone, -1 nobody, -1 - n circle n. So the column `audience` and packed
  /// posts have it.
  public var number: Int64 {
    switch self {
    case .everyone: 0
    case .only(let account): account.rawValue
    case .circle(let circle): -1 - circle.rawValue
    case .nobody: -1
    }
  }

  /// From its ``number``: every number is one's.
  public init(number: Int64) {
    switch number {
    case 0: self = .everyone
    case 1...: self = .only(AccountID(number))
    case -1: self = .nobody
    default: self = .circle(CircleID(-1 - number))
    }
  }
}

/// The store's number of a circle, from 1: a set of accounts for which posts are written. Either an account with those
/// who follow it, which changes as they do, or the people of a direct conversation, which never change.
public struct CircleID: Hashable, Sendable {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// Who is in which circle, for those who decide in memory about posts that were handed to them with it.
public typealias Members = [CircleID: Set<AccountID>]
