internal import Posts

/// What an account wrote for the followers of another, before it leaves their circle, stays its own to see.
struct KeptPosts {
  private let transaction: Transaction
  private let circles: Circles
  private let lists: ListLookup
  private let listed: ListedPosts
  private let rows: PostRows

  init(_ transaction: Transaction, circles: Circles, lists: ListLookup, listed: ListedPosts, rows: PostRows) {
    (self.transaction, self.circles, self.lists) = (transaction, circles, lists)
    (self.listed, self.rows) = (listed, rows)
  }

  /// Moves it to the circle that has its writer in it whatever comes. A circle and a pass over the posts of the old
  /// one, only for those who answered there.
  func keepOwn(of keeper: AccountID, from circle: CircleID, of leader: Account) throws(StoreError) {
    let own = try listed.listed(for: circle).filter { $0.owner == keeper }
    guard let author = own.first?.author else { return }
    let kept = try circles.followers(of: leader, with: keeper)
    for post in own { try rows.change(post, to: .circle(kept)) }
    // Whoever holds lists in memory takes what is for the old circle out of all of the account's.
    for place in try lists.places(of: author) where place.account == keeper { transaction.reload(place.name) }
  }
}
