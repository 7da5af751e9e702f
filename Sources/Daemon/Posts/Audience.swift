/// The accounts that may see a post. Every query uses it, so that none has to derive it from visibility and owner.
///
/// A public or unlisted post is for everyone. A followers-only or direct post written here is for an audience group. An
/// imported post of that kind is for its owner alone, because the daemon does not know who followed whom at the source.
/// A repost is for the accounts that may see both it and its original; where that depends on the members of an audience
/// group, it is for nobody.
public enum Audience: Hashable, Sendable {
  case everyone
  case only(AccountID)
  /// The current members of an audience group, which the store and ``Members`` know.
  case group(AudienceGroupID)
  case nobody

  /// Creates the audience of an imported post that is not a repost.
  public init(visibility: Visibility, owner: AccountID) {
    switch visibility {
    case .public, .unlisted: self = .everyone
    case .followers, .direct: self = .only(owner)
    }
  }

  /// True if `account` may see the post; nil stands for a client that is not signed in. A group missing from `members`
  /// includes nobody, since unknown posts stay hidden.
  public func includes(_ account: AccountID?, _ members: Members = [:]) -> Bool {
    switch self {
    case .everyone: true
    case .only(let owner): owner == account
    case .group(let group): account.map { members[group]?.contains($0) ?? false } ?? false
    case .nobody: false
    }
  }

  /// Returns the accounts known to be in both audiences, whoever is in an audience group.
  public func intersection(_ other: Audience) -> Audience {
    switch (self, other) {
    case (.everyone, _): other
    case (_, .everyone): self
    default: self == other ? self : .nobody
    }
  }
}

extension Audience {
  /// The audience as one number: 0 for everyone, n for account n alone, -1 for nobody, -1 - n for audience group n.
  /// Used in the column `audience` and in packed posts.
  public var number: Int64 {
    switch self {
    case .everyone: 0
    case .only(let account): account.rawValue
    case .group(let group): -1 - group.rawValue
    case .nobody: -1
    }
  }

  /// Creates the audience with a ``number``; every number is valid.
  public init(number: Int64) {
    switch number {
    case 0: self = .everyone
    case 1...: self = .only(AccountID(number))
    case -1: self = .nobody
    default: self = .group(AudienceGroupID(-1 - number))
    }
  }
}

/// The store's number of an audience group, from 1: a set of accounts that posts are written for.
///
/// A group is either an account with its followers, and changes with them, or the participants of a direct
/// conversation, and never changes.
public struct AudienceGroupID: Hashable, Sendable {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// The members of audience groups, for code that decides in memory about posts that it received along with them.
public typealias Members = [AudienceGroupID: Set<AccountID>]
