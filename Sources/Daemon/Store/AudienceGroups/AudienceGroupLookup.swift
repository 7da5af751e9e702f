internal import Posts

/// Caches the members of audience groups across the writer's transactions, because every post needs them.
final class AudienceGroupLookup {
  /// A cached audience group.
  private struct Known {
    var members: Set<AccountID>
    /// The list of a direct conversation; nil for a group of followers.
    var list: Int64?
  }

  private let reader: AudienceGroupReader
  private var known: [AudienceGroupID: Known] = [:]

  /// The maximum number of cached groups; beyond it the cache is emptied.
  private static let limit = 10_000

  init(_ connection: Connection) { reader = AudienceGroupReader(connection) }

  /// Returns the members of an audience group.
  func members(of group: AudienceGroupID) throws(StoreError) -> Set<AccountID> { try look(group).members }

  /// Returns the list of a direct conversation; nil for a group of followers.
  func place(of group: AudienceGroupID) throws(StoreError) -> Place? {
    try look(group).list.map { Place(list: $0, name: .direct(group), account: nil, reason: []) }
  }

  /// Returns an audience with the members of its group, if it is one.
  func resolve(_ audience: Audience) throws(StoreError) -> ResolvedAudience {
    guard case .group(let group) = audience else { return ResolvedAudience(audience: audience) }
    return ResolvedAudience(audience: audience, members: [group: try members(of: group)])
  }

  /// Drops a group from the cache.
  func forget(_ group: AudienceGroupID) { known[group] = nil }

  private func look(_ group: AudienceGroupID) throws(StoreError) -> Known {
    if let found = known[group] { return found }
    let found = Known(members: try reader.members(of: group), list: try reader.conversation(of: group))
    if known.count >= Self.limit { known.removeAll() }
    known[group] = found
    return found
  }
}
