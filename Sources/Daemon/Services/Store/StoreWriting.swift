internal import Engine
internal import Posts
internal import Store
internal import ViewState

/// The writing worker's store, opened on first use and again after a failure.
struct StoreWriting {
  let place: StorePlace
  private var store: PostStore?

  /// The store at `place`.
  init(place: StorePlace) { self.place = place }

  /// Performs a batch in one transaction: a command's write waits for one flush of the disk, whatever else is in the
  /// batch.
  mutating func perform(_ batch: [WriteJob]) -> [WriteOutcome] {
    let writes = batch.compactMap { job in
      if case .write(let write) = job { write } else { nil }
    }
    var outcomes = pieces(of: writes).flatMap { perform($0) }
    if writes.count < batch.count { outcomes.append(close()) }
    return outcomes
  }

  /// Splits writes into transactions. The engine handles a transaction as one input, in one go, so imported posts and
  /// posts marked read in bulk are limited to what takes a few milliseconds. Other commands are small, and all that
  /// wait share a flush.
  private func pieces(of writes: [Write]) -> [ArraySlice<Write>] {
    var pieces: [ArraySlice<Write>] = []
    var start = 0
    var posts = 0
    for (index, write) in writes.enumerated() {
      let count: Int
      switch write {
      case .importBatch(let batch, _, _, _): count = batch.count
      case .takeBatches(_, let batches): count = batches.reduce(0) { $0 + $1.items.count }
      case .markRead(let marking): count = marking.posts.count
      default: continue
      }
      if posts > 0 && posts + count > StoreBatches.postsPerTransaction {
        pieces.append(writes[start..<index])
        start = index
        posts = 0
      }
      posts += count
    }
    pieces.append(writes[start...])
    return pieces
  }

  private mutating func perform(_ writes: ArraySlice<Write>) -> [WriteOutcome] {
    guard !writes.isEmpty else { return [] }
    do throws(StoreError) {
      let store = try opened()
      let commit = try store.commit(Array(writes))
      var outcomes = commit.outcomes.map { outcome in
        WriteOutcome(
          result: .success(store.withAuthors(outcome)), revision: commit.revision, firstNewPost: commit.firstNewPost)
      }
      outcomes[0].changes = commit.changes
      outcomes[0].feeds = commit.feeds
      outcomes[0].changedAuthors =
        store.knownAuthors(of: commit.changes.changed + commit.changes.originals)
        + commit.outcomes.flatMap { store.renamedAuthors(by: $0) }
      return outcomes
    } catch {
      // The full-text index keeps state of its own beside the file: after a failure the next write starts from what is
      // in the file.
      store = nil
      return writes.map { _ in WriteOutcome(error) }
    }
  }

  private mutating func close() -> WriteOutcome {
    do throws(StoreError) {
      try store?.close()
      store = nil
      return WriteOutcome(result: .success(.sessionDeleted), revision: 0, firstNewPost: PostID(.max))
    } catch {
      return WriteOutcome(error)
    }
  }

  private mutating func opened() throws(StoreError) -> PostStore {
    if let store { return store }
    let opened = try PostStore(
      path: place.path, epoch: place.epoch, follows: place.follows, vfs: place.vfs, durability: place.durability)
    opened.upstreams = place.upstreams
    opened.reading = TimelineReading(session: SessionKey.mainName) { SavedPlaces.readings(in: $0)[.timeline] }
    store = opened
    return opened
  }
}

extension WriteOutcome {
  /// The outcome of a write whose transaction failed.
  fileprivate init(_ error: StoreError) { self.init(result: .failure(error), revision: 0, firstNewPost: PostID(.max)) }
}

extension PostStore {
  /// Adds the authors of all the outcome's posts: unchanged authors may be new to the engine. The changed ones are read
  /// as they now are, with their source and its relation to the accounts.
  fileprivate func withAuthors(_ outcome: Outcome) -> Outcome {
    switch outcome {
    case .imported(let report): .imported(withAuthors(report))
    case .batchesTaken(let batches):
      .batchesTaken(
        batches.map {
          var batch = $0
          batch.report = withAuthors(batch.report)
          return batch
        })
    default: outcome
    }
  }

  private func withAuthors(_ report: ImportReport) -> ImportReport {
    var report = report
    let changed = report.authors.map(\.id)
    let others = knownAuthors(of: report.entries + report.originals).filter { !changed.contains($0.id) }
    report.authors = ((try? authors(changed)) ?? report.authors) + others
    return report
  }

  /// Returns the authors that an outcome makes read differently: a claimed one, and those with the name of an account
  /// that is new.
  fileprivate func renamedAuthors(by outcome: Outcome) -> [Author] {
    switch outcome {
    case .identityClaimed(let author), .loginOpened(_, let author?): (try? authors([author.id])) ?? []
    case .accountOpened(let account): (try? authors(called: account.name)) ?? []
    default: []
    }
  }

  /// Returns the authors of posts; empty if they cannot be read. The posts are on the disk by then, so their write must
  /// not be reported as failed.
  fileprivate func knownAuthors(of posts: [StoredPost]) -> [Author] { (try? authors(of: posts)) ?? [] }
}
