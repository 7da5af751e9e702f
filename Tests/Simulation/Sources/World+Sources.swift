import ClientCore
import Dates
import Messages
import Posts
import RPC
import Services
import Store
import ViewState

extension World {
  /// Adds sources to some worlds whose programs bring posts, and clients that follow feeds and mark posts.
  func addSources() {
    var random = generator("sources")
    guard Int.random(in: 0..<4, using: &random) == 0 || options.hasSources else { return }
    limitsSources = Int.random(in: 0..<2, using: &random) == 0
    sources = [ScriptedSource(self, isFeed: false), ScriptedSource(self, isFeed: true)]
    for userID in SimulatedSystem.users {
      let client = ClientProcess(self, name: "subscriber \(userID)", userID: userID)
      clients.append(client)
      client.add(Subscriber(client, name: "subscriber"))
    }
  }

  /// The clients that follow feeds.
  var subscribers: [Subscriber] { clients.flatMap { $0.behaviours.compactMap { $0 as? Subscriber } } }

  /// Checks that batches of sources are stored in the order in which they were sent.
  func recordBatches(_ jobs: [WriteJob], _ outcomes: [WriteOutcome]) {
    for (job, outcome) in zip(jobs, outcomes) {
      guard case .write(.takeBatches(let name, let batches)) = job, case .success = outcome.result,
        let source = sources.first(where: { $0.name == name })
      else { continue }
      for batch in batches { source.recordWritten(batch.number) }
    }
  }

  // MARK: The disk

  /// Checks the disk before a new process starts: no cursor is ahead of its posts.
  func checkSourcesAfterRestart() {
    guard !sources.isEmpty else { return }
    do throws(DatabaseCopy.Failure) {
      guard let contents = try SourceContents(disk) else { return }
      for source in sources { check(source, contents) }
    } catch {
      violation("cannot inspect the store: \(error)")
    }
  }

  /// True if a limit may have removed a post, as clients name it: nothing that an account has marked ever goes.
  private func mayBeRemoved(_ post: String) -> Bool { limitsSources && !subscribers.contains { $0.keeps(post) } }

  /// Checks that the posts of a source are what its cursors say, or newer, and there once.
  private func check(_ source: ScriptedSource, _ contents: SourceContents) {
    for (name, log) in source.logs.sorted(by: { $0.key < $1.key }) {
      let cursor = contents.cursors["\(source.name) \(name)"] ?? 0
      for post in log.posts.indices {
        let texts = contents.posts["\(source.name) \(log.storedID(of: post))"] ?? []
        var possible = log.states(of: post, at: cursor)
        if mayBeRemoved("\(source.name):\(log.storedID(of: post))") { possible.insert(.absent) }
        let state = texts.first.map { text in
          (1...log.posts[post].versions).first { SafeText(log.text(of: post, version: $0)).string == text }
        }
        let isRight = state.map { $0.map { possible.contains(.version($0)) } ?? false } ?? possible.contains(.absent)
        if texts.count > 1 || !isRight {
          violation("\(name) is brought to \(cursor), and its post \(post) is \(texts), expected \(possible)")
        }
      }
    }
  }

  // MARK: At rest

  /// Checks what sources have brought to a settled world: all of it, once, and to those alone whom it concerns.
  func checkSources() {
    guard !sources.isEmpty else { return }
    // A removal begins within two seconds after its limit was set.
    if limitsSources { run(until: now + .seconds(5)) }
    checkSourcesAfterRestart()
    do {
      let reader = try StoreReader(path: "posts.db", vfs: vfs.name)
      let contents = try SourceContents(disk)
      for source in sources {
        for (name, log) in source.logs.sorted(by: { $0.key < $1.key }) where isWanted(log) {
          let brought = source.progress[name]?.stored
          if brought != log.events.count {
            violation("\(name) is brought to \(brought ?? -1) of \(log.events.count) events")
          }
          let author = contents?.names["\(source.name) \(log.author)"]
          if log.names > 0, author != log.authorName(log.names) {
            violation("the author of \(name) is \(author ?? "nobody"), expected \(log.authorName(log.names))")
          }
        }
      }
      for account in try reader.accounts() { try checkPosts(reader, account) }
      for subscriber in subscribers { try checkWatch(subscriber) }
    } catch {
      violation("cannot read the store: \(error)")
    }
  }

  /// True if somebody wants the posts of a login or feed.
  private func isWanted(_ log: SourceLog) -> Bool {
    !log.isFeed || subscribers.contains { $0.feeds.contains(log.feedID) }
  }

  /// Checks which posts of sources an account sees, which of them are in its timeline, and its marks.
  private func checkPosts(_ reader: StoreReader, _ account: Account) throws {
    let isOwner = account.uid == SimulatedSystem.users[0]
    let subscriber = subscribers.first { $0.client.userID == account.uid }
    let home = Set(try reader.page(of: .home(account.id), for: account.id, limit: .max)?.posts.map(\.id) ?? [])
    let mentions = Set(try reader.page(of: .mentions(account.id), for: account.id, limit: .max)?.posts.map(\.id) ?? [])
    for source in sources {
      for (name, log) in source.logs.sorted(by: { $0.key < $1.key }) where isWanted(log) {
        let isPrivate = subscribers.contains { $0.privateFeeds.contains(log.feedID) }
        let maySee = !log.isFeed || !isPrivate || subscriber?.privateFeeds.contains(log.feedID) == true
        for (number, post) in log.posts.enumerated() {
          let reference = "\(source.name):\(log.storedID(of: number))"
          let isExpected = !post.isGone && maySee && (isOwner || !post.isPrivate)
          let id = try reader.resolve(reference: reference, visibleTo: account.id)
          let found = try id.flatMap { try reader.post($0, visibleTo: account.id) }
          if found == nil, isExpected, mayBeRemoved(reference) {
            count(.postRemoved)
            continue
          }
          guard (found != nil) == isExpected else {
            violation("\(account.name) \(found == nil ? "does not see" : "sees") \(reference)")
            continue
          }
          guard let found else { continue }
          let isHome = log.isFeed ? subscriber?.feeds.contains(log.feedID) == true : isOwner && post.isHome
          if home.contains(found.id) != isHome {
            violation("\(reference) is \(isHome ? "missing from" : "in") the timeline of \(account.name)")
          }
          if mentions.contains(found.id) != (isOwner && post.isMention) {
            violation("\(reference) is \(post.isMention ? "missing from" : "in") the mentions of \(account.name)")
          }
          if let subscriber { checkMarks(found, reference, subscriber, account) }
          let there = source.favourites.contains(.init(account: account.name, nativeID: log.id(of: number)))
          if source.doesFavourites, found.mark(of: account.id).contains(.favourited) != there {
            violation("\(reference): the favourite of \(account.name) differs from the source")
          }
          if found.body.unpacked()?.text != SafeText(log.text(of: number, version: post.versions)) {
            violation("\(reference) does not have its newest text")
          }
        }
        if isOwner, !log.isFeed { try checkGaps(log, reader.gaps(of: account.id).filter { $0.source == name }) }
      }
    }
  }

  /// Checks that a client that watches its sources has what the daemon lists, and that this is what programs say.
  private func checkWatch(_ subscriber: Subscriber) throws {
    var result: Result<[UInt8], Status>?
    subscriber.client.loop.post {
      subscriber.client.unary(Method.listSources, PageRequest().encoded()) { result = $0 }
    }
    run(until: now + .seconds(30), or: { result != nil })
    guard case .success(let bytes) = result else { return violation("\(subscriber.name) cannot list its sources") }
    var listed = try ListSourcesResponse(decoding: bytes).sources
    if subscriber.mirror.sources != listed {
      violation("\(subscriber.name) holds the sources \(subscriber.mirror.sources), listed are \(listed)")
    }
    let isOwner = subscriber.client.userID == SimulatedSystem.users[0]
    // Who administers the daemon is also told of a program that does not start.
    listed.removeAll { isOwner && $0.login == RemoteSource.name && $0.status.state == .failing }
    let names = Set(listed.map { $0.feedID == 0 ? $0.login : "" }.filter { !$0.isEmpty })
    if names != (isOwner ? [ScriptedSource.login] : []) { violation("\(subscriber.name) has the logins \(names)") }
    if Set(listed.map(\.feedID).filter { $0 != 0 }) != subscriber.feeds {
      violation("\(subscriber.name) follows \(subscriber.feeds.sorted()), and \(listed) is listed")
    }
    for source in listed where source.status.state != .live || source.status.reason.utf8.contains(0x1B) {
      violation("\(source.name) is \(source.status), expected live and harmless")
    }
  }

  private func checkMarks(
    _ post: StoredPost, _ reference: String, _ subscriber: Subscriber, _ account: Account
  ) {
    let mark = post.mark(of: account.id)
    for (kind, flag) in [(MarkKind.favourite, Mark.favourited), (.save, .saved)] {
      let isMarked = subscriber.marks.contains(Subscriber.Mark(kind: kind, post: reference))
      if mark.contains(flag) != isMarked { violation("\(account.name) has \(kind) of \(reference): \(!isMarked)") }
    }
  }

  private func checkGaps(_ log: SourceLog, _ gaps: [Gap]) {
    let expected = log.gaps.filter(\.isOpen).map { SourceLog.gapEnd($0.number) }.sorted()
    let found = gaps.map { Int($0.newer.milliseconds) }.sorted()
    if found != expected { violation("\(log.name) has gaps \(found), expected \(expected)") }
    let lost = log.gaps.filter { $0.isOpen && SourceLog.isLost($0.number) }.map { SourceLog.gapEnd($0.number) }
    let foundLost = gaps.filter(\.isLost).map { Int($0.newer.milliseconds) }.sorted()
    if foundLost != lost.sorted() { violation("\(log.name) has lost gaps \(foundLost), expected \(lost)") }
  }
}

extension SourceLog {
  /// The feed's ID; 0 for a login.
  var feedID: UInt64 { isFeed ? UInt64(name.dropFirst()) ?? 0 : 0 }
}
