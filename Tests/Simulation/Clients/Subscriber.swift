import ClientCore
import Messages
import RPC
import ViewState

/// Watches its sources, follows feeds and leaves them, asks for what is new, and marks posts that sources have brought.
/// In some worlds that of the daemon's user limits what is kept of sources. Retries each command until a response
/// arrives.
final class Subscriber: Behaviour {
  private enum Command {
    case add(AddFeedRequest)
    case remove(UInt64)
    case refresh
    case mark(MarkRequest)
    case keep(SetRetentionRequest)
  }

  /// A mark of a post, as clients name it.
  struct Mark: Hashable {
    var kind: MarkKind
    var post: String
  }

  /// The feeds that the account follows.
  private(set) var feeds: Set<UInt64> = []
  /// Those of them that are its alone.
  private(set) var privateFeeds: Set<UInt64> = []
  /// What the account has marked.
  private(set) var marks: Set<Mark> = []
  /// The account's sources, as the daemon has reported them.
  private(set) var mirror = SourceMirror()
  private var watch: ClientCall?
  private var command: Command?
  private var isUnderWay = false
  private var issued = 0

  override init(_ client: ClientProcess, name: String) {
    super.init(client, name: name)
    later(20...400) { [unowned self] in issueCommand() }
  }

  override var isSettled: Bool { command == nil && watch != nil && mirror.isComplete }

  override func connected() {
    startWatch()
    send()
  }

  override func end() { watch = nil }

  /// True if the account has marked a post, as clients name it, and is not taking a mark back.
  func keeps(_ post: String) -> Bool {
    if case .mark(let request)? = command, request.isUnmark, request.post == post { return false }
    return marks.contains { $0.post == post }
  }

  // MARK: The sources

  private func startWatch() {
    guard watch == nil, let call = client.start(Method.watchSources) else { return }
    watch = call
    mirror.restart()
    try? call.send(EmptyMessage().encoded())
    call.closeSend()
    call.onMessage = { [weak self] _, bytes in self?.receive(bytes) }
    call.onEnd = { [weak self] call, status, _ in
      guard let self, watch === call else { return }
      watch = nil
      checkStatus(status, of: "its watch of sources")
      schedule(after: 5...600) { [weak self] in self?.startWatch() }
    }
  }

  private func receive(_ bytes: [UInt8]) {
    do {
      let news = try WatchSourcesResponse(decoding: bytes)
      world.trace.record(
        world.now, name, "hears of sources", Int64(news.sources.count), Int64(news.gone.count))
      _ = mirror.apply(news)
    } catch {
      world.violation("\(name): cannot decode news of sources: \(error)")
    }
  }

  // MARK: Commands

  private func issueCommand() {
    guard command == nil else { return }
    issued += 1
    let posts = world.sources.flatMap(\.knownPosts)
    if world.limitsSources, client.userID == SimulatedSystem.users[0], Int.random(in: 0..<8, using: &random) == 0 {
      let source = Bool.random(using: &random) ? ScriptedSource.login : ScriptedSource.feeds
      command = .keep(SetRetentionRequest(source: source, keep: Keep(posts: .random(in: 1...30, using: &random))))
      return send()
    }
    switch (Int.random(in: 0..<10, using: &random), feeds.sorted().randomElement(using: &random), posts.last) {
    case (0, let feed?, _): command = .remove(feed)
    case (1, .some, _): command = .refresh
    case (2...7, _, .some):
      // Mostly a new post, which the source may still edit or delete.
      let post = posts[max(0, posts.count - Int.random(in: 1...12, using: &random))]
      let kind: MarkKind = Bool.random(using: &random) ? .favourite : .save
      var request = MarkRequest(kind, post: post, isUnmark: Int.random(in: 0..<4, using: &random) == 0)
      request.requestID = "\(name) \(issued)"
      command = .mark(request)
    default:
      var request = AddFeedRequest(url: "https://news\(Int.random(in: 0..<3, using: &random)).example/feed")
      request.isPrivate = Int.random(in: 0..<3, using: &random) == 0
      command = .add(request)
    }
    send()
  }

  private func send() {
    guard let command, !isUnderWay, client.connection != nil else { return }
    isUnderWay = true
    switch command {
    case .add(let request):
      client.unary(Method.addFeed, request.encoded()) { [weak self] in self?.handleResponse($0) }
    case .remove(let feed):
      client.unary(Method.removeFeed, FeedRequest(feedID: feed).encoded()) { [weak self] in self?.handleResponse($0) }
    case .refresh:
      client.unary(Method.refresh, FeedRequest(feedID: 0).encoded()) { [weak self] in self?.handleResponse($0) }
    case .mark(let request):
      client.unary(Method.mark, request.encoded()) { [weak self] in self?.handleResponse($0) }
    case .keep(let request):
      client.unary(Method.setRetention, request.encoded()) { [weak self] in self?.handleResponse($0) }
    }
  }

  private func handleResponse(_ result: Result<[UInt8], Status>) {
    isUnderWay = false
    guard let command else { return }
    switch result {
    case .success(let bytes): record(command, bytes)
    case .failure(let status):
      guard isFinal(status, of: command) else {
        checkStatus(status, of: "\(command)")
        world.count(.retry)
        return schedule(after: 20...500) { [weak self] in self?.send() }
      }
      if case .remove(let feed) = command { feeds.remove(feed) }
    }
    self.command = nil
    later(20...300) { [unowned self] in issueCommand() }
  }

  /// True for a status after which a command is not sent again: the feed was left by an attempt whose answer was lost,
  /// the post is gone or another account's alone, the source is not known yet, or the program that reads feeds is busy
  /// or does not run.
  private func isFinal(_ status: Status, of command: Command) -> Bool {
    switch command {
    case .add: false
    case .remove, .mark, .keep: status.code == .notFound
    case .refresh: status.code == .resourceExhausted || status.code == .failedPrecondition
    }
  }

  private func record(_ command: Command, _ response: [UInt8]) {
    do {
      switch command {
      case .add(let request):
        let feed = try FeedResponse(decoding: response).feed
        feeds.insert(feed.feedID)
        if feed.isPrivate != request.isPrivate || feed.url != request.url {
          world.violation("\(name): added \(request), and got \(feed)")
        }
        if feed.isPrivate { privateFeeds.insert(feed.feedID) }
      case .remove(let feed): feeds.remove(feed)
      case .refresh, .keep: break
      case .mark(let request):
        let mark = Mark(kind: request.kind!, post: request.post)
        if request.isUnmark { marks.remove(mark) } else { marks.insert(mark) }
      }
    } catch {
      world.violation("\(name): cannot decode the response to \(command): \(error)")
    }
  }
}
