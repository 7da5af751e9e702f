internal import Posts

/// Lets an account that unfollows another keep seeing the posts that it wrote for the other's followers.
final class RetainedPosts {
  private let transaction: Transaction
  private let groups: AudienceGroups
  private let lists: ListLookup
  private let listed: ListedPosts
  private let rows: PostRows

  init(_ transaction: Transaction, groups: AudienceGroups, lists: ListLookup, listed: ListedPosts, rows: PostRows) {
    (self.transaction, self.groups, self.lists) = (transaction, groups, lists)
    (self.listed, self.rows) = (listed, rows)
  }

  /// Moves the posts that `writer` wrote in a group to the group that always includes the writer. Only a writer of such
  /// posts costs a group and a pass over the old group's posts.
  func retainPosts(by writer: AccountID, in group: AudienceGroupID, of leader: Account) throws(StoreError) {
    let own = try listed.listed(for: group).filter { $0.owner == writer }
    guard let author = own.first?.author else { return }
    let kept = try groups.followers(of: leader, with: writer)
    for post in own { try rows.changeAudience(of: post, to: .group(kept)) }
    // Lists in memory drop everything for the old group, so they are reloaded.
    for place in try lists.places(of: author) where place.account == writer { transaction.reload(place.name) }
  }
}
