internal import Posts

/// What a source elsewhere is told of a post, as far as it is stored.
struct ToldPost {
  var source: Int64
  var nativeID: String
  var body: PackedBody
  var replyKey: String?
  var parent: PostID?
  var owner: AccountID
}

/// How posts that were written or deleted here stand once their source has said so.
extension PostStore {
  /// See ``ToldPost``; nil where there is no such post.
  func told(_ post: PostID) throws(StoreError) -> ToldPost? {
    let statement = try connection.statement(.toldPost)
    defer { statement.reset() }
    statement.bind(1, post.rawValue)
    guard try statement.step() else { return nil }
    return ToldPost(
      source: statement.integer(0), nativeID: statement.text(1), body: PackedBody(trusted: statement.bytes(2)),
      replyKey: statement.optionalText(3), parent: statement.optionalInteger(4).map { PostID($0) },
      owner: AccountID(statement.integer(5)))
  }

  /// Has those see a post that may, with its reposts.
  func show(_ post: PostID, to audience: Audience) throws(StoreError) {
    guard let row = try listed(post), row.audience != audience else { return }
    try change(row, to: audience)
    try narrowReposts(of: post, to: audience)
  }

  private func narrowReposts(of post: PostID, to audience: Audience) throws(StoreError) {
    for repost in try reposts(of: post) {
      let own = Audience(visibility: repost.visibility, owner: repost.owner)
      try change(repost, to: own.intersection(audience))
      transaction!.touch(repost.id)
      try narrowReposts(of: repost.id, to: own.intersection(audience))
    }
  }

  /// The source has a post that was written here: it is called as the source calls it, and seen by whom it is for.
  func confirm(
    _ post: PostID, called name: (nativeID: String, permalink: SafeText), for audience: Audience, isHidden: Bool
  ) throws(StoreError) {
    guard let row = try told(post) else { return }
    let nativeID = name.nativeID.isEmpty ? row.nativeID : name.nativeID
    let scope = audience == .everyone ? 0 : row.owner.rawValue
    let others = try removeEchoes(of: post, row, called: nativeID)
    try adopt(post, row, called: nativeID, permalink: name.permalink, scope: scope)
    if !isHidden { try show(post, to: audience) }
    guard let shown = try listed(post) else { return }
    for other in others { _ = try fileImported(shown.orderKey, audience: shown.audience, by: other) }
    let source = try self.name(of: post)!.source
    for reply in try repliesWaiting(for: nativeID, source: row.source, audience: shown.audience)
      + localRepliesWaiting(for: nativeID, source: source, audience: shown.audience) where reply != post
    {
      try connect(reply, to: post)
      transaction!.touch(reply)
    }
  }

  /// The source has an account's repost, which was made here.
  func adoptRepost(
    of post: PostID, by account: AccountID, _ name: (nativeID: String, permalink: SafeText)
  ) throws(StoreError) {
    guard let repost = try ownReposts(of: post, account).first, let row = try told(repost.id),
      let source = try told(post)?.source,
      row.source == (try local())
    else { return }
    var moved = row
    moved.source = source
    let others = try removeEchoes(of: repost.id, moved, called: name.nativeID)
    let statement = try connection.statement(.moveRepost)
    defer { statement.reset() }
    statement.bind(1, repost.id.rawValue)
    statement.bind(2, source)
    statement.bind(3, text: name.nativeID)
    _ = try statement.step()
    noteChange()
    for other in others { _ = try fileImported(repost.orderKey, audience: repost.audience, by: other) }
  }

  /// Takes away what an import has brought of a post meanwhile, and returns who imported that.
  private func removeEchoes(of post: PostID, _ row: ToldPost, called nativeID: String) throws(StoreError) -> [AccountID]
  {
    var echoes: [PostID] = []
    do {
      let statement = try connection.statement(.findPost)
      defer { statement.reset() }
      statement.bind(1, row.source)
      statement.bind(2, text: nativeID)
      while try statement.step() {
        let scope = statement.integer(1)
        if scope == 0 || scope == row.owner.rawValue { echoes.append(PostID(statement.integer(0))) }
      }
    }
    var owners: [AccountID] = []
    for echo in echoes where echo != post {
      guard let gone = try listed(echo) else { continue }
      try remove(gone)
      if gone.owner != row.owner { owners.append(gone.owner) }
    }
    return owners
  }

  private func adopt(
    _ post: PostID, _ row: ToldPost, called nativeID: String, permalink: SafeText, scope: Int64
  ) throws(StoreError) {
    var body = row.body
    if !permalink.isEmpty, var unpacked = body.unpacked() {
      unpacked.permalink = permalink
      body = PackedBody(unpacked)
    }
    let statement = try connection.statement(.adoptPost)
    defer { statement.reset() }
    statement.bind(1, post.rawValue)
    statement.bind(2, text: nativeID)
    statement.bind(3, scope)
    statement.bind(4, blob: body.bytes)
    _ = try statement.step()
    let replies = try connection.statement(.adoptReplies)
    defer { replies.reset() }
    replies.bind(1, post.rawValue)
    replies.bind(2, row.source)
    replies.bind(3, text: nativeID)
    replies.bind(4, text: "\(try name(of: post)!.source):\(nativeID)")
    _ = try replies.step()
    noteChange()
    transaction!.touch(post)
  }

  /// Takes in that the source has told the counts of a post anew.
  func noteCounts(of post: PostID) throws(StoreError) {
    guard var stored = try self.post(post) else { return }
    let entries = try outbox(of: post).entries
    let known = stored
    stored.marks.noteCounts { account, mark in
      let errand: OutboxEntry.Errand = mark == .reposted ? .repost : .favourite
      return entries.first { $0.account == account && $0.errand == errand }?.truth
        ?? known.mark(of: account).contains(mark)
    }
    try save(stored.marks, of: post)
  }
}
