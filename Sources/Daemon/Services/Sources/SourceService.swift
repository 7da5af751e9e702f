internal import Dates
internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store
internal import ViewState

/// `stack.v1.SourceService`: the logins and feeds that bring posts.
final class SourceService: Service {
  static let name = "stack.v1.SourceService"

  let driver: EngineDriver
  /// Returns true if any source has a program.
  var hasRunners: () -> Bool = { false }
  /// Returns the program of a source, if it has one.
  var runner: (String) -> UpstreamRunner? = { _ in nil }
  /// Returns the program of a source, which is started if it is one that starts on demand.
  var startedRunner: (String) -> UpstreamRunner? = { _ in nil }
  /// The sources that have a program.
  private let programs: [String]
  /// True if the daemon has a program that reads feeds.
  private let readsFeeds: Bool
  private let pruner: StorePruner
  private let disk: DiskWatch
  private let conversations: OpenConversations
  /// The attempts to sign in that accounts have begun.
  var attempts = SignInAttempts()
  /// The running WatchSources calls, oldest first.
  private var watches: [SourceWatch] = []

  /// Maximum number of WatchSources calls of an account at a time.
  static let watchLimit = 16

  init(driver: EngineDriver, upstreams: Upstreams, pruner: StorePruner, disk: DiskWatch) {
    (self.driver, self.pruner, self.disk) = (driver, pruner, disk)
    conversations = OpenConversations(driver: driver)
    programs = upstreams.sources.filter { $0 != StoredFeed.source }
    readsFeeds = upstreams.sources.contains(StoredFeed.source) || upstreams.onDemand.contains(StoredFeed.source)
    conversations.hasPrograms = { [unowned self] in hasRunners() }
    conversations.runner = { [unowned self] in runner($0) }
  }

  /// Tells the program of a source, if it runs, of logins that have come, gone or started anew.
  func tellProgram(_ source: String, _ notices: [UpstreamNotice]) { runner(source)?.tell(notices) }

  private typealias Answer<Response> = (Result<Response, EngineError>) -> Void

  private static let noProgram = EngineError(
    .failedPrecondition,
    "this daemon reads no feeds: the program stack-feeds is not beside stack-daemon; install it, or name another one "
      + "with --upstream feed=COMMAND")

  var methods: [String: ServiceMethod] {
    [
      Method.listSources: .queued(PageRequest.self, .view) { [unowned self] request, caller, requester, answer in
        list(request, caller, for: requester, answer)
      },
      Method.watchSources: .request(.view, isStream: true) { [unowned self] call, bytes throws(Status) in
        do throws(DecodingFailure) {
          _ = try EmptyMessage(decoding: bytes)
        } catch {
          throw Status(error.naming("WatchSourcesRequest"))
        }
        return { caller in self.watch(call, caller) }
      },
      Method.addFeed: .command(AddFeedRequest.self, .post) { [unowned self] request, caller, answer in
        add(request, caller, answer)
      },
      Method.setFeed: .command(SetFeedRequest.self, .post) { [unowned self] request, caller, answer in
        set(request, caller, answer)
      },
      Method.removeFeed: .command(FeedRequest.self, .post) { [unowned self] request, caller, answer in
        driver.write(.removeFeed(caller.account.id, Int64(clamping: request.feedID))) {
          answer($0.map { RevisionResponse(revision: $0.revision) })
        }
      },
      Method.fetchMore: .queued(FetchMoreRequest.self, .post) { [unowned self] request, _, requester, answer in
        fetchMore(request, for: requester, answer)
      },
      Method.beginSignIn: .command(BeginSignInRequest.self, .post) { [unowned self] request, caller, answer in
        beginSignIn(request, caller, answer)
      },
      Method.finishSignIn: .command(FinishSignInRequest.self, .post) { [unowned self] request, caller, answer in
        finishSignIn(request, caller.account.id, answer)
      },
      Method.signOut: .command(SignOutRequest.self, .post) { [unowned self] request, caller, answer in
        signOut(request, caller.account.id, answer)
      },
      Method.uploadMedia: .stream(.post) { [unowned self] call, caller in
        UploadCall(call, of: caller.account.id, driver: driver, runner: runner).start()
      },
      Method.refresh: .command(FeedRequest.self, .post) { [unowned self] request, caller, answer in
        refresh(request.feedID, caller.account.id, answer)
      },
    ]
  }

  // MARK: Lists

  private func list(
    _ request: PageRequest, _ caller: Caller, for requester: Requester,
    _ answer: @escaping Answer<ListSourcesResponse>
  ) {
    read(Reader(caller), for: requester) { feeds throws(EngineError) in
      try Pager.rest(request, of: feeds, for: Method.listSources) { PageKey(feed: $0.number) }
    } _: { result in
      do throws(EngineError) {
        let sources = try result.get()
        var response = ListSourcesResponse()
        (response.sources, response.nextPageToken) = try Pager.page(request, of: sources, for: Method.listSources) {
          $0.feedID == 0
            ? PageKey(text: $0.source + "\n" + $0.login) : PageKey(feed: Int64(clamping: $0.feedID))
        } _: {
          $0
        }
        answer(.success(response))
      } catch {
        answer(.failure(error))
      }
    }
  }

  /// An account whose sources are read.
  private struct Reader {
    let account: AccountID
    /// True if it also sees programs that fail before they have said that they bring anything.
    let isAdministrator: Bool

    init(_ caller: Caller) {
      (account, isAdministrator) = (caller.account.id, caller.scopes.contains(.admin))
    }
  }

  /// Reads sources of an account in the requester's turn: its logins, and those feeds that are chosen; or only feeds.
  private func read(
    _ reader: Reader, for requester: Requester, _ selection: SourceListing.Selection = .all,
    choosing choose: @escaping @Sendable ([StoredFeed]) throws(EngineError) -> [StoredFeed] = { $0 },
    _ completion: @escaping Answer<[SourceSummary]>
  ) {
    let account = reader.account
    driver.ask(for: requester) { store throws(EngineError) in
      let (logins, feeds) = try StoreLookup.attempt { () throws(StoreError) -> ([StoredLogin], [StoredFeed]) in
        switch selection {
        case .all: (try store.logins(), try store.feeds(followedBy: account))
        case .feeds(let numbers): ([], try store.feeds(numbers, followedBy: account))
        }
      }
      let chosen = try choose(feeds)
      let listed = try StoreLookup.attempt { () throws(StoreError) in try store.listed(chosen, for: account) }
      return (logins: logins, feeds: listed)
    } _: { [unowned self] (result: Result<(logins: [StoredLogin], feeds: [ListedFeed]), EngineError>) in
      // On the loop, which knows what the programs say.
      completion(
        result.map { logins, feeds in
          var sources = logins.filter { $0.account == account }.map { summary(of: $0) }
          if reader.isAdministrator, selection == .all {
            let known = Set(logins.map(\.source))
            let failing = programs.filter { !known.contains($0) && runner($0)?.failure != nil }
            sources += failing.map { summary(ofProgram: $0) }
          }
          return sources + feeds.map { summary(of: $0) }
        })
    }
  }

  /// Returns a source whose program fails before its first hello, as the login that it would have.
  private func summary(ofProgram source: String) -> SourceSummary {
    var summary = SourceSummary()
    (summary.source, summary.login) = (source, source)
    summary.status = status(of: summary)
    return summary
  }

  private func summary(of login: StoredLogin) -> SourceSummary {
    var summary = SourceSummary()
    (summary.source, summary.login, summary.account) = (login.source, login.name, login.accountName)
    summary.status = status(of: summary)
    return summary
  }

  private func summary(of listed: ListedFeed) -> SourceSummary {
    let feed = listed.feed
    var summary = SourceSummary()
    (summary.source, summary.account) = (StoredFeed.source, listed.account)
    (summary.feedID, summary.authorID) = (UInt64(clamping: feed.number), UInt64(clamping: feed.author.rawValue))
    (summary.url, summary.title) = (feed.url, listed.author.displayName.string)
    summary.isPrivate = feed.isPrivate
    summary.settings.intervalMinutes = UInt32(clamping: feed.intervalMinutes)
    (summary.settings.liftsEdited, summary.settings.showsTwice) = (feed.liftsEdited, feed.showsTwice)
    summary.retention = Retention(
      Keep(listed.rule), isOwn: listed.hasOwnRule, removedPosts: UInt64(clamping: listed.removed))
    summary.outlineAttributes = listed.attributes.string
    summary.status = status(of: summary)
    return summary
  }

  /// Returns what the program of a source says about a login or feed, or that it does not run.
  private func status(of summary: SourceSummary) -> SourceStatus {
    var status = SourceStatus()
    if let runner = runner(summary.source) {
      let subject: UpstreamSubject =
        summary.feedID == 0 ? .login(summary.login) : .feed(StoredFeed.name(of: Int64(clamping: summary.feedID)))
      if let failure = runner.failure {
        (status.state, status.reason) = (.failing, SafeText(line: failure).string)
      } else if let said = runner.status(of: subject) {
        status = SourceStatus(said)
      }
    } else {
      (status.state, status.reason) = (.off, "it has no program")
    }
    return status
  }

  // MARK: Watches

  private func watch(_ call: ServerCall, _ caller: Caller) {
    let account = caller.account.id
    guard watches.count(where: { $0.account == account }) < Self.watchLimit else {
      return call.finish(
        Status(
          EngineError(
            .resourceExhausted, "this account has \(Self.watchLimit) WatchSources calls open already",
            limit: Self.watchLimit)))
    }
    let requester = Requester(call: call, account: account, bytes: 0)
    watches.append(
      SourceWatch(call, of: account) { [unowned self] selection, completion in
        read(Reader(caller), for: requester, selection, completion)
      } status: { [unowned self] in
        status(of: $0)
      } isDiskShort: { [disk] in
        disk.isShort
      })
    call.onInterrupted = { [weak self] call, _ in self?.watches.removeAll { $0.call === call } }
  }

  /// A program has said something about a login or feed; nil if anything about its source may have changed.
  func programSaid(_ source: String, about subject: UpstreamSubject?) {
    watches.removeAll { !$0.call.isOpen }
    for watch in watches {
      if let subject {
        watch.statusMayHaveChanged(of: SourceName(source, subject))
      } else {
        watch.changed(.all)
      }
    }
  }

  /// Feeds were added, changed, followed, unfollowed or renamed.
  func feedsChanged(_ numbers: Set<Int64>) {
    watches.removeAll { !$0.call.isOpen }
    for watch in watches { watch.changed(.feeds(numbers)) }
  }

  /// The disk is nearly full, or has room again.
  func diskChanged() {
    for watch in watches { watch.call.wake() }
  }

  /// Ends all watches with a status.
  func endWatches(_ status: Status) {
    for watch in watches { watch.call.finish(status) }
    watches = []
  }

  /// Releases everything on the loop.
  func close() { conversations.close() }

  // MARK: Feeds

  private func add(_ request: AddFeedRequest, _ caller: Caller, _ answer: @escaping Answer<FeedResponse>) {
    guard readsFeeds else { return answer(.failure(Self.noProgram)) }
    do throws(EngineError) {
      let address = try FeedAddress(request.url, by: caller)
      let new = NewFeed(
        account: caller.account.id, url: address.url, host: SafeText(line: address.host),
        title: SafeText(line: request.title),
        isPrivate: request.isPrivate || address.isSecret,
        attributes: SafeText(line: request.outlineAttributes))
      store(.addFeed(new), answer)
    } catch {
      answer(.failure(error))
    }
  }

  private func set(_ request: SetFeedRequest, _ caller: Caller, _ answer: @escaping Answer<FeedResponse>) {
    let account = caller.scopes.contains(.admin) ? nil : caller.account.id
    var change = FeedChange(feed: Int64(clamping: request.feedID), account: account)
    do throws(EngineError) {
      switch request.change {
      case .url(let url):
        let address = try FeedAddress(url, by: caller)
        (change.url, change.isSecretURL) = (address.url, address.isSecret)
      case .title(let title): change.title = SafeText(line: title)
      case .intervalMinutes(let minutes): change.intervalMinutes = Int(minutes)
      case .liftsEdited(let lifts): change.liftsEdited = lifts
      case .showsTwice(let twice): change.showsTwice = twice
      case .keep(let keep): change.rule = KeepRule(keep)
      case .keepAsAll(true): change.rule = .some(nil)
      case .keepAsAll(false), nil: throw EngineError(.invalidArgument, "nothing to change", field: "change")
      }
    } catch {
      return answer(.failure(error))
    }
    store(.setFeed(change)) { [pruner] result in
      if change.rule != nil, case .success = result { pruner.limitsChanged() }
      answer(result)
    }
  }

  private func store(_ write: Write, _ answer: @escaping Answer<FeedResponse>) {
    driver.write(write) { [unowned self] result in
      switch result {
      case .success((.feedStored(let listed), let revision)):
        var response = FeedResponse()
        (response.feed, response.revision) = (summary(of: listed), revision)
        answer(.success(response))
      case .success: answer(.failure(.unexpected))
      case .failure(let error): answer(.failure(error))
      }
    }
  }

  private func refresh(_ feed: UInt64, _ account: AccountID, _ answer: @escaping Answer<EmptyMessage>) {
    driver.ask { reader throws(EngineError) in
      try StoreLookup.attempt { () throws(StoreError) in try reader.feeds(followedBy: account) }
    } _: { [unowned self] (result: Result<[StoredFeed], EngineError>) in
      do throws(EngineError) {
        let feeds = try result.get().filter { feed == 0 || UInt64(clamping: $0.number) == feed }
        guard feed == 0 || !feeds.isEmpty else { throw EngineError(Refusal.noSuchFeed(Int64(clamping: feed))) }
        guard let runner = runner(StoredFeed.source) else { throw Self.noProgram }
        guard runner.refresh(feeds.map(\.name)) else {
          throw EngineError(
            .resourceExhausted, "the program that reads feeds is starting; try again later", reason: .busy)
        }
        answer(.success(EmptyMessage()))
      } catch {
        answer(.failure(error))
      }
    }
  }
}

extension SourceStatus {
  fileprivate init(_ status: UpstreamStatus) {
    self.init()
    state = SourceState(status.state)
    sinceMilliseconds = status.since?.milliseconds ?? 0
    nextMilliseconds = status.next?.milliseconds ?? 0
    (reason, history) = (status.reason.string, status.history.map(\.string))
  }
}

extension SourceState {
  fileprivate init(_ state: UpstreamStatus.State) {
    self =
      switch state {
      case .connecting: .connecting
      case .live: .live
      case .polling: .polling
      case .waiting: .waiting
      case .signedOut: .signedOut
      case .failing: .failing
      case .off: .off
      }
  }
}
