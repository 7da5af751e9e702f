internal import Posts

/// An audience together with the members of its group, if it is one.
struct ResolvedAudience {
  let audience: Audience
  var members: Members = [:]

  /// Returns true if `account` belongs to the audience.
  func includes(_ account: AccountID) -> Bool { audience.includes(account, members) }
}
