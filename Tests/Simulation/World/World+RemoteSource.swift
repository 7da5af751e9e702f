import Posts
import Store

extension World {
  /// Checks that the store agrees with the remote source, except for refused commands, and that no command is pending.
  func checkRemoteSource(_ reader: StoreReader) throws {
    let accounts = try reader.accounts()
    for account in accounts {
      let wanted = try reader.outbox(of: account.id)
      // Commands for a refused post wait with it, and so do replies to it.
      var refused = Set(wanted.filter { $0.entry.operation == .post && $0.entry.isFailed }.map(\.id))
      for entry in wanted {
        if entry.entry.operation == .post, let parent = entry.post?.inReplyTo, refused.contains(parent) {
          refused.insert(entry.id)
        }
      }
      for entry in wanted where !entry.entry.isFailed && !refused.contains(entry.id) {
        violation("post \(entry.id.rawValue): \(entry.entry.operation) of \(account.name) is still pending")
      }
    }
    var entries: [AccountID: [StoredPost]] = [:]
    for account in accounts {
      entries[account.id] = try reader.page(of: .home(account.id), for: account.id, limit: .max)?.posts.filter {
        $0.owner == account.id
      }
    }
    for post in remoteSource.posts {
      if remoteSource.posts.count(where: { $0.text == post.text }) > 1 {
        violation("the source has \(post.text) twice")
      }
      for account in accounts {
        guard let id = try reader.resolve(reference: "\(RemoteSource.name):\(post.nativeID)", visibleTo: account.id),
          let found = try reader.post(id, visibleTo: account.id)
        else {
          violation("the source has \(post.text), but \(account.name) does not see it")
          continue
        }
        let mark = found.mark(of: account.id)
        check(post, found, account, entries[account.id] ?? [])
        let favourites = remoteSource.favourites.filter { $0.nativeID == post.nativeID }
        if mark.contains(.favourited) != favourites.contains(where: { $0.account == account.name }) {
          violation("\(post.text): the favourite of \(account.name) differs from the source")
        }
        if mark.contains(.pending) { violation("\(post.text) is marked as pending") }
        if found.marks.counts(beside: Counts()).favourites != UInt32(favourites.count) {
          violation("\(post.text): wrong count of favourites")
        }
      }
    }
    for sent in ledger.sent where !ledger.deleted.contains(sent.id) {
      guard let owner = accounts.first(where: { $0.uid == sent.userID }),
        let post = try reader.post(PostID(Int64(sent.id)), visibleTo: owner.id)
      else {
        violation("post \(sent.id) was acknowledged, but is gone")
        continue
      }
      let isThere = remoteSource.posts.contains { $0.text == sent.text }
      if isThere != (post.audience == .everyone) {
        violation("post \(sent.id) differs from the source")
      }
    }
  }

  /// Checks that an account's repost exists exactly if the source has it, once, and is counted.
  private func check(_ post: RemoteSource.Post, _ found: StoredPost, _ account: Account, _ own: [StoredPost]) {
    let reposts = remoteSource.reposts.filter { $0.nativeID == post.nativeID }
    let isReposted = reposts.contains { $0.account == account.name }
    if found.mark(of: account.id).contains(.reposted) != isReposted {
      violation("\(post.text): the repost of \(account.name) differs from the source")
    }
    let entries = own.count { $0.subject == found.id && $0.id != found.id }
    if entries != (isReposted ? 1 : 0) { violation("\(post.text): \(account.name) has \(entries) reposts of it") }
    if found.marks.counts(beside: Counts()).reposts != UInt32(reposts.count) {
      violation("\(post.text): wrong count of reposts")
    }
  }
}
