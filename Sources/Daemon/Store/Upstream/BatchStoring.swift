internal import Posts

/// Stores what a source's program brings: each batch with its cursors, or nothing of it.
final class BatchStoring {
  private let connection: Connection
  private let sources: Sources
  private let authors: Authors
  private let importing: Importing
  private let rows: PostRows
  private let listed: ListedPosts
  private let removal: Removal
  private let gaps: Gaps
  private let cursors: Cursors
  private let feeds: Feeds
  private let feedReader: FeedReader
  private let servers: Servers
  private let logins: LoginPosts
  private let ownership: ImportOwnership
  private let markers: MarkerReader
  private let reading: TimelineReading?

  init(
    _ connection: Connection, sources: Sources, authors: Authors, importing: Importing, rows: PostRows,
    listed: ListedPosts, removal: Removal, gaps: Gaps, feeds: Feeds, logins: LoginPosts, ownership: ImportOwnership,
    reading: TimelineReading?
  ) {
    self.connection = connection
    (self.sources, self.authors, self.importing, self.rows) = (sources, authors, importing, rows)
    (self.listed, self.removal, self.gaps) = (listed, removal, gaps)
    cursors = Cursors(connection)
    self.feeds = feeds
    feedReader = FeedReader(connection)
    servers = Servers(connection)
    (self.logins, self.ownership) = (logins, ownership)
    markers = MarkerReader(connection)
    self.reading = reading
  }

  /// A batch while it is being stored.
  private struct Pass {
    let source: Int64
    let subject: UpstreamSubject
    let account: AccountID
    /// The feed that it is about; nil for a login.
    let feed: StoredFeed?
    let word: ImportWord
    var report = ImportReport()
    var answer = UpstreamBatchReport()
    var markers: [TakenMarker] = []
    /// The IDs of new posts of the account's timeline that arrived late.
    var late: [String] = []
    /// Posts that are not stored yet, with their items.
    var posts: [(index: Int, post: ImportedPost, lists: UpstreamLists)] = []

    mutating func refuse(_ index: Int, _ reason: String) {
      answer.refused.append(UpstreamBatchReport.RefusedItem(index: index, reason: SafeText(line: reason)))
    }
  }

  /// Stores batches of a source in order.
  func store(_ batches: [UpstreamBatch], from source: String) throws(StoreError) -> [TakenBatch] {
    var taken: [TakenBatch] = []
    for batch in batches {
      do {
        taken.append(try store(batch, from: try sources.number(of: source)))
      } catch let refusal as Refusal {
        taken.append(TakenBatch(result: .refused(SafeText(line: "\(refusal)"))))
      } catch let error as StoreError {
        throw error
      } catch {
        throw StoreError(kind: .other, message: "the store \(connection.path) failed: \(error)")
      }
    }
    return taken
  }

  private func store(_ batch: UpstreamBatch, from source: Int64) throws -> TakenBatch {
    let feed = try self.feed(of: batch.subject, at: source)
    let account = if let feed { feed.account } else { try self.account(of: batch.subject, at: source) }
    let word =
      if feed != nil { ImportWord.feed } else {
        ImportWord.server(try servers.server(of: batch.subject.name, at: source))
      }
    var pass = Pass(source: source, subject: batch.subject, account: account, feed: feed, word: word)
    try cursors.check(batch, at: source)
    for (index, item) in batch.items.enumerated() {
      if case .post(let post, let lists, let unfiled) = item {
        pass.posts.append((index, post, lists))
        for list in unfiled { pass.refuse(index, "in \(list): not kept by this daemon") }
      } else {
        try storePosts(&pass)
        try store(item, at: index, &pass)
      }
    }
    try storePosts(&pass)
    try markUnread(pass)
    try cursors.save(batch, at: source)
    var taken = TakenBatch(report: pass.report, result: .stored(pass.answer))
    taken.markers = pass.markers
    return taken
  }

  private func feed(of subject: UpstreamSubject, at source: Int64) throws -> StoredFeed? {
    guard case .feed(let name) = subject else { return nil }
    guard try sources.name(of: source) == StoredFeed.source, let number = StoredFeed.number(in: name),
      let feed = try feedReader.feed(number)
    else { throw Refusal.unknownSubject(subject) }
    return feed
  }

  private func account(of subject: UpstreamSubject, at source: Int64) throws -> AccountID {
    guard case .login(let name) = subject,
      let account = try connection.number(UpstreamQuery.login, source, name)
    else { throw Refusal.unknownSubject(subject) }
    return AccountID(account)
  }

  private func storePosts(_ pass: inout Pass) throws {
    guard !pass.posts.isEmpty else { return }
    var posts = pass.posts
    pass.posts = []
    if pass.feed?.isPrivate == true {
      for index in posts.indices { posts[index].post.body.visibility = .followers }
    }
    if pass.feed == nil {
      for index in posts.indices where posts[index].post.body.flags.remove(.unread) != nil {
        let id = posts[index].post.nativeID
        if posts[index].lists.contains(.home), try named(id, pass).isEmpty { pass.late.append(id) }
      }
    }
    let report = try importing.importPosts(
      posts.map { ($0.post, $0.lists) }, owner: pass.account, word: pass.word)
    for refused in report.refused { pass.refuse(posts[refused.index].index, "\(refused.reason)") }
    pass.report.add(report)
  }

  private func store(_ item: UpstreamItem, at index: Int, _ pass: inout Pass) throws {
    switch item {
    case .post: break
    case .unusable(let reason): pass.refuse(index, reason)
    case .gone(let nativeID): try removePosts(nativeID, pass)
    case .left(let nativeID, let lists):
      for row in try named(nativeID, pass) {
        if let post = try listed.listed(row.id) { try logins.remove(post, from: lists, of: pass.account) }
      }
    case .doubt(let nativeID):
      if try !named(nativeID, pass).isEmpty { pass.answer.present.append(pass.subject.ownID(nativeID)) }
    case .gap(let note):
      do {
        _ = try gaps.applyNote(note, of: pass.account, login: pass.subject.name)
      } catch let refusal as Refusal {
        pass.refuse(index, "\(refusal)")
      }
    case .limits(let limits): try LoginLimits(connection).save(limits, of: pass.subject.name, at: pass.source)
    case .marker(let marker): pass.markers.append(try taken(marker, pass))
    case .moved(let url):
      guard let feed = pass.feed else { return }
      do {
        try feeds.move(feed, to: url)
      } catch let refusal as Refusal {
        pass.refuse(index, "\(refusal)")
      }
    case .person(var author, let unkept):
      if let title = pass.feed?.title, !title.isEmpty { author.displayName = title }
      guard author.isStorable else { return pass.refuse(index, "\(RefusedPost.Reason.unusableName)") }
      if case .server(let server) = pass.word,
        try servers.isNamedElsewhere(author, at: pass.source, than: server)
      {
        return
      }
      let stored = try authors.upsert(author, source: pass.source, by: pass.account)
      if stored.isChanged { pass.report.authors.append(stored.author) }
      for fact in unkept { pass.refuse(index, "\(fact): not kept by this daemon") }
    }
  }

  /// Marks posts that arrived late as unread if they would count as read: they lie below what the account has read.
  private func markUnread(_ pass: Pass) throws(StoreError) {
    guard !pass.late.isEmpty, let reading,
      let places = try SessionReader(connection).session(pass.account, reading.session)?.places,
      let position = reading.position(places)
    else { return }
    for id in pass.late {
      guard let row = try named(id, pass).first, let post = try listed.listed(row.id), post.orderKey <= position else {
        continue
      }
      try logins.markUnread(row.id, for: pass.account)
    }
  }

  /// Returns a marker as a place in the account's list.
  private func taken(_ marker: UpstreamMarker, _ pass: Pass) throws(StoreError) -> TakenMarker {
    var place = marker.createdAt.map { OrderKey(createdAt: $0, id: PostID(.max)) }
    if !marker.post.isEmpty, let row = try named(marker.post, pass).first, let post = try listed.listed(row.id) {
      place = post.orderKey
    }
    var taken = TakenMarker(
      account: pass.account, login: pass.subject.name, list: marker.list, place: place, isTaken: marker.isTaken)
    if place == nil, !marker.post.isEmpty {
      // At an unknown place: what is read here may be earlier, and is not told.
      taken.place = .highest
    }
    if let place { taken.post = try markers.newest(of: marker.list, notAbove: place, for: pass.account) }
    return taken
  }

  /// Removes a deleted post for everybody. Where another server's word counts, it leaves the login's lists.
  private func removePosts(_ nativeID: String, _ pass: Pass) throws(StoreError) {
    for row in try named(nativeID, pass) {
      guard let post = try listed.listed(row.id) else { continue }
      if case .server(let server) = pass.word,
        try !ownership.isWord(of: server, row, called: nativeID, at: pass.source, for: pass.account)
      {
        try logins.remove(post, from: .timelines, of: pass.account)
      } else {
        try removal.remove(post)
      }
    }
  }

  /// Returns the shared post with an ID of the source, and the account's own copy.
  private func named(_ nativeID: String, _ pass: Pass) throws(StoreError) -> [NamedRow] {
    try rows.namedOrAliased(nativeID, in: pass.source).filter { [0, pass.account.rawValue].contains($0.scope) }
  }
}

extension UpstreamSubject {
  /// Returns an ID as the program knows it: a feed's posts are stored under the feed's name.
  fileprivate func ownID(_ nativeID: String) -> String {
    guard case .feed(let feed) = self else { return nativeID }
    return String(nativeID.dropFirst(feed.count + 1))
  }
}
