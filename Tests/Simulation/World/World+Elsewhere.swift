import Posts
import Store

extension World {
  /// In the end it is here as it is elsewhere, but for what was refused, and nothing is on its way.
  func checkElsewhere(_ reader: StoreReader) throws {
    let accounts = try reader.accounts()
    for account in accounts {
      let wanted = try reader.outbox(of: account.id)
      // What is wanted of a post that was refused waits with it, and so does what answers it.
      var refused = Set(wanted.filter { $0.entry.errand == .post && $0.entry.isFailed }.map(\.id))
      for entry in wanted {
        if entry.entry.errand == .post, let parent = entry.post?.inReplyTo, refused.contains(parent) {
          refused.insert(entry.id)
        }
      }
      for entry in wanted where !entry.entry.isFailed && !refused.contains(entry.id) {
        violation("post \(entry.id.rawValue): \(entry.entry.errand) of \(account.name) still waits")
      }
    }
    var entries: [AccountID: [StoredPost]] = [:]
    for account in accounts {
      entries[account.id] = try reader.page(of: .home(account.id), for: account.id, limit: .max)?.posts.filter {
        $0.owner == account.id
      }
    }
    for post in elsewhere.posts {
      if elsewhere.posts.count(where: { $0.text == post.text }) > 1 { violation("\(post.text) is elsewhere twice") }
      for account in accounts {
        guard let id = try reader.resolve(reference: "\(Elsewhere.name):\(post.nativeID)", visibleTo: account.id),
          let found = try reader.post(id, visibleTo: account.id)
        else {
          violation("\(post.text) is elsewhere, and \(account.name) does not see it here")
          continue
        }
        let mark = found.mark(of: account.id)
        check(post, found, account, entries[account.id] ?? [])
        let favourites = elsewhere.favourites.filter { $0.nativeID == post.nativeID }
        if mark.contains(.favourited) != favourites.contains(where: { $0.account == account.name }) {
          violation("\(post.text): the favourite of \(account.name) is otherwise elsewhere")
        }
        if mark.contains(.pending) { violation("\(post.text): it says that something waits") }
        if found.marks.counts(beside: Counts()).favourites != UInt32(favourites.count) {
          violation("\(post.text): its count drifted")
        }
      }
    }
    for sent in ledger.sent where !ledger.withdrawn.contains(sent.id) {
      guard let owner = accounts.first(where: { $0.uid == sent.userID }),
        let post = try reader.post(PostID(Int64(sent.id)), visibleTo: owner.id)
      else {
        violation("post \(sent.id) was promised to be sent, and is gone")
        continue
      }
      let isThere = elsewhere.posts.contains { $0.text == sent.text }
      if isThere != (post.audience == .everyone) {
        violation("post \(sent.id) is here otherwise than elsewhere")
      }
    }
  }

  /// An account's repost is there once where it is elsewhere, and otherwise not, and is counted.
  private func check(_ post: Elsewhere.Post, _ found: StoredPost, _ account: Account, _ own: [StoredPost]) {
    let reposts = elsewhere.reposts.filter { $0.nativeID == post.nativeID }
    let isReposted = reposts.contains { $0.account == account.name }
    if found.mark(of: account.id).contains(.reposted) != isReposted {
      violation("\(post.text): the repost of \(account.name) is otherwise elsewhere")
    }
    let entries = own.count { $0.subject == found.id && $0.id != found.id }
    if entries != (isReposted ? 1 : 0) { violation("\(post.text): \(account.name) has \(entries) reposts of it") }
    if found.marks.counts(beside: Counts()).reposts != UInt32(reposts.count) {
      violation("\(post.text): its reposts are not counted")
    }
  }
}
