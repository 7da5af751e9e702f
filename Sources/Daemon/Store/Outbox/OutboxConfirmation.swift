internal import Posts

/// The name that a source has given a post.
typealias UpstreamName = (nativeID: String, permalink: SafeText)

/// Updates posts that were written or deleted here once their source has confirmed that.
final class OutboxConfirmation {
  private let transaction: Transaction
  private let reader: OutboxReader
  private let posts: PostReader
  private let sources: Sources
  private let rows: PostRows
  private let listed: ListedPosts
  private let filing: Filing
  private let replies: ReplyTargets
  private let removal: Removal
  private let reposts: Reposts

  init(
    _ connection: Connection, _ transaction: Transaction, sources: Sources, rows: PostRows, listed: ListedPosts,
    filing: Filing, replies: ReplyTargets, removal: Removal, reposts: Reposts
  ) {
    self.transaction = transaction
    reader = OutboxReader(connection)
    posts = PostReader(connection)
    (self.sources, self.rows, self.listed, self.filing) = (sources, rows, listed, filing)
    (self.replies, self.removal, self.reposts) = (replies, removal, reposts)
  }

  /// Changes the audience of a post and of its reposts.
  func setAudience(of post: PostID, to audience: Audience) throws(StoreError) {
    guard let row = try listed.listed(post), row.audience != audience else { return }
    try rows.changeAudience(of: row, to: audience)
    try narrowReposts(of: post, to: audience)
  }

  private func narrowReposts(of post: PostID, to audience: Audience) throws(StoreError) {
    for repost in try posts.reposts(of: post) {
      let own = Audience(visibility: repost.visibility, owner: repost.owner)
      try rows.changeAudience(of: repost, to: own.intersection(audience))
      transaction.touch(repost.id)
      try narrowReposts(of: repost.id, to: own.intersection(audience))
    }
  }

  /// Confirms a local post: gives it the source's name and makes it visible to its audience.
  func confirm(_ post: PostID, called name: UpstreamName, for audience: Audience, isHidden: Bool) throws(StoreError) {
    guard let row = try reader.upstreamPost(post), let source = try posts.name(of: post)?.source else { return }
    let nativeID = name.nativeID.isEmpty ? row.nativeID : name.nativeID
    let scope = audience == .everyone ? 0 : row.owner.rawValue
    let others = try removeEchoes(of: post, row.source, row.owner, called: nativeID)
    try adopt(post, row, named: PostName(source: row.source, nativeID: nativeID, scope: scope), source, name.permalink)
    if !isHidden { try setAudience(of: post, to: audience) }
    guard let shown = try listed.listed(post) else { return }
    try file(shown.orderKey, shown.audience, others)
    for reply in try replies.waiting(for: nativeID, source: row.source, audience: shown.audience)
      + replies.localWaiting(for: nativeID, source: source, audience: shown.audience) where reply != post
    {
      try rows.connect(reply, to: post)
      transaction.touch(reply)
    }
  }

  private func adopt(
    _ post: PostID, _ row: UpstreamPost, named name: PostName, _ source: String, _ permalink: SafeText
  ) throws(StoreError) {
    var body = row.body
    if !permalink.isEmpty, var unpacked = body.unpacked() {
      unpacked.permalink = permalink
      body = PackedBody(unpacked)
    }
    try rows.adopt(post, named: name, body)
    try rows.adoptReplies(to: post, named: name, reference: "\(source):\(name.nativeID)")
  }

  /// Confirms an account's repost that was made here.
  func adoptRepost(of post: PostID, by account: AccountID, _ name: UpstreamName) throws(StoreError) {
    guard let repost = try reposts.own(of: post, account).first, let row = try reader.upstreamPost(repost.id),
      let source = try reader.upstreamPost(post)?.source,
      row.source == (try sources.local())
    else { return }
    let others = try removeEchoes(of: repost.id, source, row.owner, called: name.nativeID)
    try rows.moveRepost(repost.id, to: source, called: name.nativeID)
    try file(repost.orderKey, repost.audience, others)
  }

  private func file(
    _ key: OrderKey, _ audience: Audience, _ others: [(account: AccountID, kind: ListKind)]
  ) throws(StoreError) {
    for (account, kind) in others { _ = try filing.fileImported(key, audience: audience, by: account, in: kind) }
  }

  /// Deletes copies of a post that an import has brought meanwhile, of which it takes over the aliases; returns the lists
  /// that they were in by that.
  private func removeEchoes(
    of post: PostID, _ source: Int64, _ owner: AccountID, called nativeID: String
  ) throws(StoreError) -> [(account: AccountID, kind: ListKind)] {
    var others: [(account: AccountID, kind: ListKind)] = []
    for echo in try rows.named(nativeID, in: source) where [0, owner.rawValue].contains(echo.scope) {
      guard echo.id != post, let gone = try listed.listed(echo.id) else { continue }
      others += try filing.importers(of: gone.orderKey)
      // A server says in which lists a post is; a file's is in its importer's timeline.
      if echo.server == 0 { others.append((gone.owner, .home)) }
      let aliases = try reader.aliases(of: echo.id, in: source)
      try removal.remove(gone)
      for alias in aliases { _ = try rows.add(alias: alias, source: source, of: post) }
    }
    return others.filter { $0.account != owner }
  }
}
