internal import ViewState

/// The setting `follows` of the store.
struct FollowSetting {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the policy; of an unknown number, the one that shows less.
  func policy() throws(StoreError) -> FollowPolicy {
    let number = try connection.number(MetaQuery.follows) ?? 0
    return FollowPolicy(rawValue: UInt8(truncatingIfNeeded: number)) ?? .ask
  }

  /// Changes the policy.
  func set(_ policy: FollowPolicy) throws(StoreError) {
    try connection.run(MetaQuery.setFollows, Int64(policy.rawValue))
  }
}
