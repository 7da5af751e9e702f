internal import Posts

/// Applies the consequences of outbox changes to posts (docs/adr/0021).
final class OutboxResolver {
  private let transaction: Transaction
  private let posts: PostReader
  private let accounts: AccountReader
  private let requests: RequestLog
  private let outbox: Outbox
  private let listed: ListedPosts
  private let removal: Removal
  private let reposts: Reposts
  private let confirmation: OutboxConfirmation
  private let rows: PostRows

  init(
    _ connection: Connection, _ transaction: Transaction, outbox: Outbox, listed: ListedPosts, removal: Removal,
    reposts: Reposts, confirmation: OutboxConfirmation, rows: PostRows
  ) {
    self.transaction = transaction
    posts = PostReader(connection)
    accounts = AccountReader(connection)
    requests = RequestLog(connection)
    (self.outbox, self.listed, self.removal) = (outbox, listed, removal)
    (self.reposts, self.confirmation, self.rows) = (reposts, confirmation, rows)
  }

  /// Retries the account's actions on a post that its source refused.
  func retry(_ account: AccountID, _ post: PostID, _ requestID: String) throws -> [ComposedPost] {
    try changeOutbox(account, post, requestID) { $0.retry(by: account) }
  }

  /// Discards the account's actions on a post that its source refused; with `givingUp`, also those that wait for it.
  func discard(
    _ account: AccountID, _ post: PostID, givingUp: Bool, _ requestID: String
  ) throws -> [ComposedPost] {
    try changeOutbox(account, post, requestID) { outbox in
      guard let consequences = outbox.discard(by: account, givingUp: givingUp) else {
        throw givingUp ? Refusal.nothingWaits(post) : Refusal.nothingFailed(post)
      }
      return consequences
    }
  }

  private func changeOutbox(
    _ id: AccountID, _ named: PostID, _ requestID: String,
    _ change: (inout PostOutbox) throws -> [PostOutbox.Consequence]
  ) throws -> [ComposedPost] {
    _ = try accounts.existing(id)
    try requests.check(requestID)
    if try requests.record(for: requestID, id) != nil { return [] }
    // A post that the account is deleting is hidden from it, but not what it asked for.
    let isOwn = try !outbox.entries(of: named).entries.filter { $0.account == id }.isEmpty
    guard let post = try posts.post(named, visibleTo: id)?.subject ?? (isOwn ? named : nil) else {
      throw Refusal.noSuchPost(named)
    }
    let before = try outbox.entries(of: post)
    var after = before
    let consequences = try change(&after)
    guard after != before else { throw Refusal.nothingFailed(post) }
    try requests.remember(requestID, id, .post(post))
    if let source = try posts.name(of: post)?.source {
      for entry in before.entries where entry.asked != nil {
        guard !after.entries.contains(where: { $0.request == entry.request }) else { continue }
        transaction.noteWithdrawn(entry.request, from: source)
      }
    }
    return try resolveOutbox(of: post, after, insteadOf: before, consequences)
  }

  /// Applies consequences to a post and saves its outbox. Returns the reposts that came back.
  func resolveOutbox(
    of post: PostID, _ after: PostOutbox, insteadOf before: PostOutbox, _ consequences: [PostOutbox.Consequence],
    called name: UpstreamName? = nil
  ) throws(StoreError) -> [ComposedPost] {
    var returned: [ComposedPost] = []
    for consequence in consequences {
      switch consequence {
      case .mark(let operation, let account, let isOn, let instant):
        if let repost = try reposts.setMark(operation, isOn, of: account, on: post, madeAt: instant) {
          returned.append(repost)
        }
      case .told(let operation, let account, let isOn):
        try reposts.recordUpstreamMark(operation, of: account, on: post)
        if operation == .repost, isOn, let name, !name.nativeID.isEmpty {
          try confirmation.adoptRepost(of: post, by: account, name)
        }
      case .confirmed(let audience, let isHidden):
        try confirmation.confirm(
          post, called: name ?? ("", .empty), for: Audience(number: audience), isHidden: isHidden)
      case .hidden: try confirmation.setAudience(of: post, to: .nobody)
      case .restored(let audience): try confirmation.setAudience(of: post, to: Audience(number: audience))
      case .text(let text):
        guard let row = try listed.listed(post), let body = try posts.post(post)?.body.unpacked() else { break }
        try rows.rewrite(row, as: PackedBody(text.replacing(in: body)))
      case .removed:
        // Replies to the post no longer wait for it.
        if let name = try posts.name(of: post)?.source { transaction.noteOutgoing(to: name) }
        if let row = try listed.listed(post) { try removal.remove(row) }
        return returned
      }
    }
    try outbox.save(after, insteadOf: before, of: post)
    return returned
  }
}
