internal import Engine
internal import Ingest
internal import Posts
internal import Store

/// A reading worker's store, opened on first use.
struct StoreReading {
  let place: StorePlace
  private var reader: StoreReader?

  /// The store at `place`.
  init(place: StorePlace) { self.place = place }

  /// Performs one read.
  mutating func perform(_ job: ReadJob) -> ReadOutcome {
    switch job {
    case .load(let load):
      do throws(StoreError) {
        return .loaded(try read(load))
      } catch {
        return .loaded(.failed(EngineError(error)))
      }
    case .ask(let question):
      do throws(EngineError) {
        return .answered(.success(try question(try openedToAsk())))
      } catch {
        return .answered(.failure(error))
      }
    case .export(let key, let account, let publicOnly):
      do throws(StoreError) {
        var exported = try export(after: key, account, publicOnly, limit: StoreBatches.exportPage)
        // Long posts: fewer of them fit into a message.
        if exported.lines.count > StoreBatches.exportBytes {
          exported = try export(after: key, account, publicOnly, limit: 1)
        }
        return .exported(.success(exported))
      } catch {
        return .exported(.failure(EngineError(error)))
      }
    }
  }

  private mutating func export(
    after key: OrderKey?, _ account: AccountID, _ publicOnly: Bool, limit: Int
  ) throws(StoreError) -> ExportedLines {
    let page = try opened().exportPage(after: key, limit: limit, visibleTo: account, publicOnly: publicOnly)
    var lines: [UInt8] = []
    for post in page.posts { JSONLines.append(post, to: &lines) }
    // Gap notes go last, and are private to the account.
    let gaps = page.next == nil && !publicOnly ? try opened().gaps(of: account) : []
    for gap in gaps { JSONLines.append(gap, to: &lines) }
    return ExportedLines(lines: lines, count: page.posts.count + gaps.count, next: page.next)
  }

  private mutating func openedToAsk() throws(EngineError) -> StoreReader {
    do throws(StoreError) {
      return try opened()
    } catch {
      throw EngineError(error)
    }
  }

  private mutating func opened() throws(StoreError) -> StoreReader {
    if let reader { return reader }
    let opened = try StoreReader(path: place.path, vfs: place.vfs)
    reader = opened
    return opened
  }

  /// Reads a load from one snapshot, at the store's current revision.
  private mutating func read(_ load: Load) throws(StoreError) -> LoadResult {
    let reader = try opened()
    return try reader.snapshot { () throws(StoreError) in try Self.read(load, reader, at: try reader.currentRevision())
    }
  }

  private static func read(_ load: Load, _ reader: StoreReader, at revision: UInt64) throws(StoreError) -> LoadResult {
    switch load {
    case .page(let list, let before, let limit):
      guard let account = list.account, let page = try reader.listPage(of: list, before: before, limit: limit) else {
        return .noList
      }
      var gaps: [Gap]?
      var requests: [PendingFollow]?
      switch list {
      case .home(let account) where before == nil: gaps = try reader.gaps(of: account)
      case .mentions(let account) where before == nil: requests = try reader.followRequests(to: account)
      default: break
      }
      return .page(
        ListPage(
          posts: page.posts, authors: page.authors, revision: revision, total: page.total, isLast: page.isLast,
          muteList: before == nil ? try reader.muteList(of: account) : nil, gaps: gaps,
          followRequests: requests))
    case .facts(let list):
      guard let found = try reader.facts(of: list) else { return .noList }
      return .facts(found.facts, authors: found.authors, revision: revision)
    case .navigation(let account, let seen):
      guard let found = try reader.navigation(of: account, seen: seen) else { return .noList }
      return .navigation(found.facts, found.author, revision: revision)
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
    case .session(let account, let name):
      let saved = try reader.session(account, name)
      // The number of sessions matters only for one that does not exist yet.
      let count = saved == nil ? try reader.sessionCount(of: account) : 1
      return .session(
        LoadedSession(
          bytes: saved?.bytes, revision: saved?.revision ?? 0, places: saved?.places,
          placesRevision: saved?.placesRevision ?? 0, sessionCount: count))
    case .sessions(let account):
      return .sessions(
        try reader.sessions(of: account).map { StoredSession(name: $0.name, bytes: $0.bytes, revision: $0.revision) })
    case .pane(let account, let subject):
      do throws(EngineError) {
        return .pane(try StoreLookup(reader: reader, account: account).pane(subject))
      } catch {
        return .failed(error)
      }
    }
  }
}

extension LoadResult {
  /// The list does not exist, or the account may not see it.
  fileprivate static let noList = LoadResult.failed(
    EngineError(.notFound, "it is gone or no longer visible"))

  fileprivate static func noPost(_ reference: String) -> LoadResult {
    .failed(StoreLookup.missing(post: reference))
  }
}
