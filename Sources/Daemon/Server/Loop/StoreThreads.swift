internal import Dates
internal import Engine
internal import Ingest
internal import Posts
internal import Store
internal import UV

/// The two threads of the store: one that writes, one that reads beside it. Jobs go in as values, outcomes come back on the
/// loop in the order of their jobs.
final class StoreThreads {
  /// Writes and reads that may wait; a client whose command finds no place is told RESOURCE_EXHAUSTED.
  static let queueLimit = 4096
  /// Posts an export reads at a time.
  static let exportPage = 32
  /// Bytes of a page above which it is read again post by post, so that a message stays below what gRPC libraries take.
  static let exportBytes = 1 << 20
  /// Posts of imports in one transaction, unless a single write has more.
  static let postsPerTransaction = 1000

  private var writer: SerialWorker<WriteJob, WriteOutcome>?
  private var reader: SerialWorker<ReadJob, ReadOutcome>?
  private var writes: [(WriteOutcome) -> Void] = []
  private var reads: [(ReadOutcome) -> Void] = []
  /// Told of the outcomes of each batch before those who wait for them.
  private let onWritten: ([WriteOutcome]) -> Void

  /// Starts both threads on the store at `path`. `store` was opened on this thread to find mistakes before anybody connects; it
  /// moves to the writing thread and is not touched here again.
  init(loop: Loop, path: String, epoch: UInt64, onWritten: @escaping ([WriteOutcome]) -> Void) throws {
    self.onWritten = onWritten
    writer = try SerialWorker<WriteJob, WriteOutcome>(loop: loop, limit: Self.queueLimit, niceness: 5) {
      var store = StoreOpener(path: path, epoch: epoch)
      return { batch in store.perform(batch) }
    } deliver: { [weak self] outcomes in
      self?.wrote(outcomes)
    }
    reader = try SerialWorker<ReadJob, ReadOutcome>(loop: loop, limit: Self.queueLimit) {
      var opener = ReaderOpener(path: path)
      return { batch in batch.map { opener.perform($0) } }
    } deliver: { [weak self] outcomes in
      self?.read(outcomes)
    }
  }

  /// Has `write` done; `completion` is called with its outcome after `onWritten`. False where too many wait.
  func submit(_ write: Write, _ completion: @escaping (WriteOutcome) -> Void) -> Bool {
    guard writer?.submit(.write(write)) ?? false else { return false }
    writes.append(completion)
    return true
  }

  /// Has `job` read. False where too many wait.
  func submit(_ job: ReadJob, _ completion: @escaping (ReadOutcome) -> Void) -> Bool {
    guard reader?.submit(job) ?? false else { return false }
    reads.append(completion)
    return true
  }

  /// Lets both threads finish what they were given and ends them; the last writes are on the disk then.
  func close() {
    reader?.close()
    if writer?.submit(.close) == true { writes.append { _ in } }
    writer?.close()
    reader = nil
    writer = nil
  }

  private func wrote(_ outcomes: [WriteOutcome]) {
    onWritten(outcomes)
    let completions = Array(writes.prefix(outcomes.count))
    writes.removeFirst(outcomes.count)
    for (completion, outcome) in zip(completions, outcomes) { completion(outcome) }
  }

  private func read(_ outcomes: [ReadOutcome]) {
    let completions = Array(reads.prefix(outcomes.count))
    reads.removeFirst(outcomes.count)
    for (completion, outcome) in zip(completions, outcomes) { completion(outcome) }
  }
}

/// The writing thread's store, opened when it is first needed and again after it could not be.
private struct StoreOpener {
  let path: String
  let epoch: UInt64
  private var store: PostStore?

  init(path: String, epoch: UInt64) {
    self.path = path
    self.epoch = epoch
  }

  /// Does a batch in one transaction: a command's write waits for one flush of the disk, whatever came with it.
  mutating func perform(_ batch: [WriteJob]) -> [WriteOutcome] {
    let writes = batch.compactMap { job in
      if case .write(let write) = job { write } else { nil }
    }
    var outcomes = pieces(of: writes).flatMap { perform($0) }
    if writes.count < batch.count { outcomes.append(close()) }
    return outcomes
  }

  /// One transaction is one input of the engine, and that is handled in one go: imported posts are kept to what takes a few
  /// milliseconds. Commands are small, and all that wait share a flush.
  private func pieces(of writes: [Write]) -> [ArraySlice<Write>] {
    var pieces: [ArraySlice<Write>] = []
    var start = 0
    var posts = 0
    for (index, write) in writes.enumerated() {
      guard case .importBatch(let batch, _) = write else { continue }
      if posts > 0 && posts + batch.count > StoreThreads.postsPerTransaction {
        pieces.append(writes[start..<index])
        start = index
        posts = 0
      }
      posts += batch.count
    }
    pieces.append(writes[start...])
    return pieces
  }

  private mutating func perform(_ writes: ArraySlice<Write>) -> [WriteOutcome] {
    guard !writes.isEmpty else { return [] }
    do throws(StoreError) {
      let store = try opened()
      let commit = try store.commit(Array(writes))
      return try commit.outcomes.map { outcome throws(StoreError) in
        WriteOutcome(
          result: .success(try store.withAuthors(outcome)), revision: commit.revision, firstNewPost: commit.firstNewPost)
      }
    } catch {
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
    let opened = try PostStore(path: path, epoch: epoch)
    store = opened
    return opened
  }
}

extension WriteOutcome {
  /// The disk did nothing.
  fileprivate init(_ error: StoreError) { self.init(result: .failure(error), revision: 0, firstNewPost: PostID(.max)) }
}

/// The reading thread's store.
private struct ReaderOpener {
  let path: String
  private var reader: StoreReader?

  init(path: String) { self.path = path }

  mutating func perform(_ job: ReadJob) -> ReadOutcome {
    switch job {
    case .load(let load):
      do throws(StoreError) {
        return .loaded(try read(load))
      } catch {
        return .loaded(.failed(EngineError(error)))
      }
    case .export(let id, let account, let publicOnly):
      do throws(StoreError) {
        var exported = try export(after: id, account, publicOnly, limit: StoreThreads.exportPage)
        // Long posts: fewer of them fit into a message.
        if exported.lines.count > StoreThreads.exportBytes {
          exported = try export(after: id, account, publicOnly, limit: 1)
        }
        return .exported(.success(exported))
      } catch {
        return .exported(.failure(EngineError(error)))
      }
    }
  }

  private mutating func export(
    after id: PostID?, _ account: AccountID, _ publicOnly: Bool, limit: Int
  ) throws(StoreError) -> ExportedLines {
    let page = try opened().exportPage(after: id, limit: limit, visibleTo: account, publicOnly: publicOnly)
    var lines: [UInt8] = []
    for post in page.posts { JSONLines.append(post, to: &lines) }
    return ExportedLines(lines: lines, count: page.posts.count, next: page.next)
  }

  private mutating func opened() throws(StoreError) -> StoreReader {
    if let reader { return reader }
    let opened = try StoreReader(path: path)
    reader = opened
    return opened
  }

  /// The revision is read first: what is read after it is of that revision or a later one, which is what the engine counts on.
  private mutating func read(_ load: Load) throws(StoreError) -> LoadResult {
    let reader = try opened()
    let revision = try reader.currentRevision()
    switch load {
    case .timeline(let account, let before, let limit):
      let cursor = before.map { TimelineCursor(createdAt: $0.createdAt, id: $0.id) }
      let posts = try reader.loadTimeline(visibleTo: account, before: cursor, limit: limit)
      return .timeline(
        posts: posts, authors: try reader.authors(of: posts), revision: revision,
        total: try reader.timelineCount(visibleTo: account), isLast: posts.count < limit)
    case .conversation(let account, let reference):
      guard let id = try reader.resolve(reference: reference, visibleTo: account) else { return .noPost(reference) }
      let posts = try reader.conversation(of: id, visibleTo: account)
      guard let subject = try reader.post(id, visibleTo: account)?.subject else { return .noPost(reference) }
      return .conversation(
        subject: subject, posts: posts, authors: try reader.authors(of: posts), revision: revision)
    case .post(let account, let reference):
      guard let id = try reader.resolve(reference: reference, visibleTo: account),
        let post = try reader.post(id, visibleTo: account)
      else { return .noPost(reference) }
      return .post(post, authors: try reader.authors(of: [post]), revision: revision)
    case .session(let key):
      let saved = try reader.session(key.account, key.name)
      return .session(bytes: saved?.bytes, revision: saved?.revision ?? 0)
    }
  }
}

extension PostStore {
  /// The outcome with the authors of all its posts: those that did not change may be new to the engine.
  fileprivate func withAuthors(_ outcome: Outcome) throws(StoreError) -> Outcome {
    guard case .imported(var report) = outcome else { return outcome }
    report.authors = try authors(of: report.entries + report.originals)
    return .imported(report)
  }
}

extension StoreReader {
  /// Everybody who wrote or reposted one of `posts`.
  fileprivate func authors(of posts: [StoredPost]) throws(StoreError) -> [Author] {
    var ids = Set(posts.map(\.author))
    ids.formUnion(posts.compactMap(\.repostedBy))
    return try authors(ids)
  }
}

extension LoadResult {
  fileprivate static func noPost(_ reference: String) -> LoadResult {
    let shown = reference.utf8.count <= 200 ? reference : String(reference.prefix(60)) + "…"
    return .failed(EngineError(.notFound, "there is no post \(shown); name one by its number or as source:id"))
  }
}
