internal import Dates
internal import Posts
internal import Store

/// Decides what happens to what an upstream program brings (docs/UPSTREAM.md, "Batches"). Pure: no clock, process or
/// store. Batches are stored in the order in which they came, and each is answered once it is synced. Where one cannot
/// be stored, it and all that follow it are to come again, in order, so no cursor gets ahead of its posts.
struct UpstreamIntake {
  /// Maximum number of batches that a program may have sent without an answer.
  static let credit = 8
  /// Maximum number of items that are stored in one transaction, unless a single batch has more.
  static let itemsPerWrite = 1_000
  /// Number of batches that break a rule after which the program is terminated.
  static let mistakeLimit = 100
  /// Maximum number of batches that are to come again.
  static let againLimit = 64
  /// Time for which an account's want waits for the program to say hello.
  static let helloPatience = Duration.seconds(30)
  /// Delay before the store is asked again after a failure.
  static let storePause = Duration.seconds(1)

  /// An action for the owner to carry out.
  enum Action: Equatable {
    /// Let the store greet the program.
    case greet(UpstreamHello)
    /// Read feeds, with the cursors of those that differ from these, by name.
    case readFeeds(FeedSelection, knowing: [String: UpstreamFeed])
    /// Report when the program has taken what it was sent.
    case awaitTaking
    /// Store these batches in one transaction.
    case store([UpstreamBatch])
    /// Send a line to the program.
    case send(UpstreamNotice)
    /// A want was not answered in time, by its number.
    case giveUp(Int)
    /// Terminate the program, for a reason.
    case end(String)
  }

  private enum Phase {
    /// The program has not said hello: it speaks protocol 1 so far.
    case silent
    /// The store is being asked, or will be again at a time.
    case greeting(UpstreamHello, again: Duration?)
    /// The program knows whom it speaks for.
    case speaking(UpstreamHello)
  }

  private var phase = Phase.silent
  /// Batches in the store, and those that wait for it, in the order in which they came.
  private var underWay: [UpstreamBatch] = []
  private var waiting: [UpstreamBatch] = []
  /// True if the batches under way came from a process that has ended.
  private var isOrphaned = false
  /// The numbers of the batches that are to come again, in this order; nothing else is stored before.
  private var awaited: [String] = []
  private var mistakes = 0
  /// The logins and feeds of which the program has been told, with what it has said about them.
  private var statuses: [UpstreamSubject: UpstreamStatus?] = [:]
  private var telling = FeedTelling()
  private var wants = UpstreamWants()

  /// The time to call ``timePassed(at:)`` next; nil for never.
  var nextDeadline: Duration? {
    let own: Duration? = if case .greeting(_, let again?) = phase { again } else { telling.again }
    return [own, wants.nextDeadline].compactMap(\.self).min()
  }

  /// The logins and feeds of the batches that the store has, in order.
  var storing: [UpstreamSubject] { underWay.map(\.subject) }

  /// Returns what the program says about a login or feed; nil if it has said nothing.
  func status(of subject: UpstreamSubject) -> UpstreamStatus? { statuses[subject] ?? nil }

  // MARK: Greeting

  /// The program speaks protocol 2. Only its first hello counts.
  mutating func greeted(_ hello: UpstreamHello) -> [Action] {
    guard case .silent = phase else { return [] }
    phase = .greeting(hello, again: nil)
    return [.greet(hello)]
  }

  /// True if the program reads feeds.
  var readsFeeds: Bool {
    switch phase {
    case .silent: false
    case .greeting(let hello, _), .speaking(let hello): hello.readsFeeds
    }
  }

  /// The store has said what the program is told, except for feeds; nil if it failed. `clock` is the daemon's time.
  mutating func knows(_ notices: [UpstreamNotice]?, clock: Instant, at now: Duration) -> [Action] {
    guard case .greeting(let hello, _) = phase else { return [] }
    guard let notices else {
      phase = .greeting(hello, again: now + Self.storePause)
      return []
    }
    phase = .speaking(hello)
    let told = tell(notices)
    return told + (hello.readsFeeds ? telling.begin() : [ready(clock)]) + sendWants(at: now)
  }

  /// Tells the program of logins that have come or gone.
  mutating func tell(_ notices: [UpstreamNotice]) -> [Action] {
    for notice in notices {
      switch notice {
      case .login(let name, _, _, _): statuses[.login(name)] = .some(nil)
      case .signedOut(let name): statuses[.login(name)] = nil
      default: break
      }
    }
    return notices.map { .send($0) }
  }

  private func ready(_ clock: Instant) -> Action { .send(.ready(now: clock, credit: Self.credit)) }

  /// Time has passed; the deadline may be due.
  mutating func timePassed(at now: Duration) -> [Action] {
    guard case .greeting(let hello, let again?) = phase, again <= now else {
      return telling.timePassed(at: now) + expireWants(at: now)
    }
    phase = .greeting(hello, again: nil)
    return [.greet(hello)]
  }

  /// The program has ended. What the store has not begun is forgotten: another process brings it again.
  mutating func ended() {
    phase = .silent
    waiting = []
    isOrphaned = !underWay.isEmpty
    awaited = []
    mistakes = 0
    statuses = [:]
    telling = FeedTelling()
    wants.ended()
  }

  // MARK: Feeds

  /// Feeds were added, changed, followed or unfollowed.
  mutating func feedsChanged(_ changes: FeedChanges) -> [Action] {
    guard case .speaking(let hello) = phase, hello.readsFeeds else { return [] }
    return telling.feedsChanged(changes)
  }

  /// The store has read feeds, as the last action wanted; nil if it failed. `clock` is the daemon's time.
  mutating func feedsRead(_ told: [ToldFeed]?, clock: Instant, at now: Duration) -> [Action] {
    guard let read = telling.feedsRead(told, at: now) else { return [] }
    for notice in read.notices {
      switch notice {
      case .feed(let feed, _): if statuses[.feed(feed.name)] == nil { statuses[.feed(feed.name)] = .some(nil) }
      case .gone(let name):
        statuses[.feed(name)] = nil
        wants.forget(name)
      default: break
      }
    }
    return read.notices.map { .send($0) } + (read.isFirstTime ? [ready(clock)] : []) + [.awaitTaking]
  }

  /// The program has taken what it was sent.
  mutating func taken() -> [Action] { telling.taken() }

  // MARK: Wants

  /// A person wants to see what is new in feeds now. Nil if the program is starting.
  mutating func refresh(_ names: [String], at now: Duration) -> [Action]? {
    guard case .speaking = phase else { return nil }
    for name in names where telling.feeds[name] != nil { wants.addRefresh(of: name, at: now) }
    return sendWants(at: now)
  }

  /// False if the program has said that it does not sign people in.
  var mayTakeSignIns: Bool {
    switch phase {
    case .silent: true
    case .greeting(let hello, _), .speaking(let hello): hello.signsIn
    }
  }

  /// True if the program runs and keeps reading positions.
  var keepsMarkers: Bool { if case .speaking(let hello) = phase { hello.keepsMarkers } else { false } }

  /// True if the program runs and brings posts when it is asked for them.
  var fetches: Bool { if case .speaking(let hello) = phase { hello.fetches } else { false } }

  /// True if the program takes files for posts; nil while it is starting.
  var takesMedia: Bool? { if case .speaking(let hello) = phase { hello.takesMedia } else { nil } }

  /// Returns the number of the want that the program has under an ID; nil if it has none.
  func number(of id: String) -> Int? { wants.number(of: id) }

  /// Returns a part of the file of a want for the program; nothing if it does not have that want.
  func part(of number: Int, _ bytes: [UInt8]) -> [Action] {
    wants.id(of: number).map { [.send(.part(want: $0, bytes))] } ?? []
  }

  /// An account wants something; a program that is starting is asked when it knows whom it speaks for. Returns the
  /// number of the want; nil if too many wait.
  mutating func ask(
    _ want: UpstreamWant, of account: AccountID, at now: Duration
  ) -> (number: Int, actions: [Action])? {
    let patience = if case .speaking = phase { UpstreamWants.patience(for: want) } else { Self.helloPatience }
    guard let number = wants.add(want, of: account, until: now + patience) else { return nil }
    return (number, sendWants(at: now))
  }

  /// Nobody wants that any more.
  mutating func withdraw(_ number: Int) -> [Action] { wants.withdraw(number).map { [.send($0)] } ?? [] }

  /// The program has answered. Returns the number of the want; nil if the answer is not about one.
  mutating func answered(_ id: String, at now: Duration) -> (number: Int, actions: [Action])? {
    guard let number = wants.answered(id) else { return nil }
    return (number, sendWants(at: now))
  }

  private mutating func expireWants(at now: Duration) -> [Action] {
    let late = wants.expire(at: now)
    guard !late.isEmpty else { return [] }
    return late.flatMap { number, id in (id.map { [.send(.unwanted(id: $0))] } ?? []) + [.giveUp(number)] }
      + sendWants(at: now)
  }

  /// Sends the wants that wait; those of a program that is starting go on waiting.
  private mutating func sendWants(at now: Duration) -> [Action] {
    guard case .speaking = phase else { return [] }
    let feeds = telling.feeds
    return wants.next(at: now) { feeds[$0] != nil }.map { .send($0) }
  }

  // MARK: Batches and statuses

  /// A batch has arrived. One before the hello is not answered.
  mutating func received(_ batch: UpstreamBatch) -> [Action] {
    if case .silent = phase { return countMistake() }
    if let next = awaited.first, next != batch.number { return sendAgain([batch]) }
    guard waiting.count + (isOrphaned ? 0 : underWay.count) < Self.credit else {
      return sendAgain([batch]) + countMistake()
    }
    if !awaited.isEmpty { awaited.removeFirst() }
    waiting.append(batch)
    return storeNext()
  }

  /// A batch that breaks a rule has arrived. It is lost, and no other.
  mutating func receivedBroken(_ number: String, _ reason: String) -> [Action] {
    if case .silent = phase { return countMistake() }
    return [.send(.batchDone(number, .refused(SafeText(line: reason))))] + countMistake()
  }

  /// The store has stored the batches under way, at a revision, or failed to.
  mutating func stored(_ results: [UpstreamBatchResult]?, revision: UInt64) -> [Action] {
    let done = underWay
    underWay = []
    if isOrphaned {
      isOrphaned = false
      return storeNext()
    }
    guard let results, results.count == done.count else {
      let all = done + waiting
      waiting = []
      // They were sent before those that are to come again already.
      awaited = all.map(\.number) + awaited
      return sendAgain(all)
    }
    var actions: [Action] = []
    for (batch, result) in zip(done, results) {
      switch result {
      case .stored(var report):
        report.revision = revision
        actions.append(.send(.batchDone(batch.number, .stored(report))))
      case .refused, .again:
        actions.append(.send(.batchDone(batch.number, result)))
        actions += countMistake()
      }
    }
    return actions + storeNext()
  }

  /// The program says how a login or feed fares. Returns true if that is new; what it has not been told of is passed
  /// over.
  @discardableResult
  mutating func received(_ status: UpstreamStatus) -> Bool {
    guard let known = statuses[status.subject], known != status else { return false }
    statuses[status.subject] = status
    return true
  }

  // MARK: Parts

  private mutating func storeNext() -> [Action] {
    guard underWay.isEmpty, !waiting.isEmpty else { return [] }
    var items = 0
    while let next = waiting.first, underWay.isEmpty || items + next.items.count <= Self.itemsPerWrite {
      items += next.items.count
      underWay.append(waiting.removeFirst())
    }
    return [.store(underWay)]
  }

  private mutating func sendAgain(_ batches: [UpstreamBatch]) -> [Action] {
    for batch in batches where !awaited.contains(batch.number) { awaited.append(batch.number) }
    guard awaited.count <= Self.againLimit else { return [.end("it does not send again what could not be stored")] }
    return batches.map { .send(.batchDone($0.number, .again)) }
  }

  private mutating func countMistake() -> [Action] {
    mistakes += 1
    return mistakes > Self.mistakeLimit ? [.end("too many of its batches break rules")] : []
  }
}
