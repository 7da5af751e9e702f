internal import Posts

/// An audience, with the members of the circle that it may be.
struct Readers {
  let audience: Audience
  var members: Members = [:]

  /// Whether `account` is one of them.
  func includes(_ account: AccountID) -> Bool { audience.includes(account, members) }
}
