internal import Posts

/// Whom an account follows is who its home list is of. Following an account's own author also means to be in the circle
/// that it writes for when it writes for its followers.
extension PostStore {
  /// Follows an author; to follow again changes nothing.
  func follow(_ id: AccountID, _ author: AuthorID) throws -> Outcome {
    let account = try existing(id)
    try checkAuthor(author, for: id)
    let leader = try self.account(writingAs: author)
    if leader?.id == id { throw Refusal.ownAuthor }
    let home = try homePlace(of: id)
    guard try !isAuthor(author, of: home.list) else { return .followed(author) }
    try checkBlocks(of: author, for: id)
    guard try authorCount(of: home.list) < StoreLimits.listAuthors else {
      throw Refusal.tooMany("followed authors", limit: StoreLimits.listAuthors)
    }
    try follow(account, author, leader, home)
    try record(.follow(author, isOn: true), of: id)
    return .followed(author)
  }

  /// Follows an author no longer; to follow nobody less changes nothing.
  func unfollow(_ id: AccountID, _ author: AuthorID) throws -> Outcome {
    _ = try existing(id)
    let home = try homePlace(of: id)
    guard try isAuthor(author, of: home.list) else { return .unfollowed(author) }
    try change(.deleteListAuthor, author, home.list)
    try unfile(author, from: home, .author)
    if let leader = try account(writingAs: author) {
      for (circle, keeper) in try followerCircles(of: leader.id) where keeper != id {
        if keeper == leader.id { try keepOwn(of: id, from: circle, of: leader) }
        try leave(id, circle)
        try refile(circle, for: id)
      }
    }
    try record(.follow(author, isOn: false), of: id)
    return .unfollowed(author)
  }

  /// Has a new account follow those that are here, and them follow it, as far as their lists have room.
  func introduce(_ new: Account) throws(StoreError) {
    let author = try localAuthor(new.name).id
    for other in try accounts() where other.id != new.id {
      let otherAuthor = try localAuthor(other.name).id
      for (follower, followed, leader) in [(new, otherAuthor, other), (other, author, new)] {
        let home = try homePlace(of: follower.id)
        guard try authorCount(of: home.list) < StoreLimits.listAuthors, try !isAuthor(followed, of: home.list) else {
          continue
        }
        try follow(follower, followed, leader, home)
      }
    }
  }

  private func follow(_ account: Account, _ author: AuthorID, _ leader: Account?, _ home: Place) throws(StoreError) {
    try change(.insertListAuthor, author, home.list)
    let circles = if let leader { try followerCircles(of: leader.id).map(\.circle) } else { [CircleID]() }
    for circle in circles { try join(account.id, circle) }
    try file(author, in: home, .author)
    for circle in circles { try refile(circle, for: account.id) }
  }

  /// Has what is for a circle filed again for an account that came into it or left it.
  private func refile(_ circle: CircleID, for account: AccountID) throws(StoreError) {
    guard let own = try ownLists()[account] else { return }
    let home = Place(list: own.home, name: .home(account), account: account, reason: [])
    let mentions = Place(list: own.mentions, name: .mentions(account), account: account, reason: [])
    for post in try listed(for: circle) {
      let made = try places(of: post.author).filter { $0.account == account && $0.list != own.home }
      try refile(post, from: post.orderKey, in: [home, mentions] + made)
    }
  }

  /// Refuses an author of whom the account can see nothing.
  func checkAuthor(_ author: AuthorID, for account: AccountID) throws {
    guard try isKnown(author, to: account) else { throw Refusal.noAuthor(author) }
  }

  private func homePlace(of account: AccountID) throws(StoreError) -> Place {
    Place(list: try ownLists()[account]!.home, name: .home(account), account: account, reason: .author)
  }
}
