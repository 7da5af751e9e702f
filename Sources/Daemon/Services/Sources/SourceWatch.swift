internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store

/// One running `WatchSources`: what its client holds, and which sources may differ from that. A source that changes
/// again before the client takes the news is sent once, as it is then, so a slow client costs no queue.
final class SourceWatch {
  typealias Listing = (@escaping (Result<[SourceSummary], EngineError>) -> Void) -> Void

  /// Maximum number of sources in a message.
  static let messageLimit = 100

  /// The account whose sources are watched.
  let account: AccountID
  let call: ServerCall
  /// Reads the sources of the account. Their statuses are not used.
  private let read: Listing
  /// Returns the present status of a source.
  private let status: (SourceSummary) -> SourceStatus
  /// The sources as the store last listed them, and as the client holds them.
  private var listed: [SourceName: SourceSummary] = [:]
  private var held: [SourceName: SourceSummary] = [:]
  /// The sources whose two states may differ.
  private var pending: Set<SourceName> = []
  /// True while the store is being asked, and if it is to be asked again.
  private var isReading = false
  private var mustRead = false
  /// True once the client has been told that it holds all sources.
  private var isComplete = false

  /// Starts at once. The call retains the watch.
  init(
    _ call: ServerCall, of account: AccountID, read: @escaping Listing,
    status: @escaping (SourceSummary) -> SourceStatus
  ) {
    (self.call, self.account, self.read, self.status) = (call, account, read, status)
    call.onReadyToSend = { _ in self.nextMessage() }
    listMayHaveChanged()
  }

  /// Reads the list again, once the reading under way has ended. Any status may have changed as well.
  func listMayHaveChanged() {
    mustRead = true
    guard !isReading else { return }
    (isReading, mustRead) = (true, false)
    read { [weak self] result in
      guard let self, call.isOpen else { return }
      isReading = false
      switch result {
      case .success(let sources):
        let old = listed.keys
        listed = Dictionary(sources.map { ($0.name, $0) }) { first, _ in first }
        pending.formUnion(old)
        pending.formUnion(listed.keys)
      case .failure(let error): return call.finish(Status(error))
      }
      if mustRead { listMayHaveChanged() }
      call.wake()
    }
  }

  /// The status of a source may have changed. O(1).
  func statusMayHaveChanged(of name: SourceName) {
    guard listed[name] != nil else { return }
    pending.insert(name)
    call.wake()
  }

  /// Returns the next message. O(k log k) for k sources that may have changed.
  private func nextMessage() -> Pull {
    var news = WatchSourcesResponse()
    for name in pending.sorted() {
      guard news.sources.count + news.gone.count < Self.messageLimit else { break }
      pending.remove(name)
      if var source = listed[name] {
        source.status = status(source)
        if held.updateValue(source, forKey: name) != source { news.sources.append(source) }
      } else if held.removeValue(forKey: name) != nil {
        news.gone.append(SourceSummary(name))
      }
    }
    news.isComplete = pending.isEmpty && !isReading
    guard !news.sources.isEmpty || !news.gone.isEmpty || news.isComplete && !isComplete else { return .wait }
    isComplete = isComplete || news.isComplete
    return .message(news.encoded())
  }
}

extension SourceName {
  /// The name of what the program of `source` calls `subject`.
  init(_ source: String, _ subject: UpstreamSubject) {
    switch subject {
    case .login(let login): self.init(source: source, login: login, feedID: 0)
    case .feed(let name):
      self.init(source: source, login: "", feedID: StoredFeed.number(in: name).map { UInt64(clamping: $0) } ?? 0)
    }
  }
}
