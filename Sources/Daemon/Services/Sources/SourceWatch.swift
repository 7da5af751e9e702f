internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store

/// One running `WatchSources`. A slow client costs no queue: ``SourceListing`` holds what it lacks.
final class SourceWatch {
  typealias Listing = (SourceListing.Selection, @escaping (Result<[SourceSummary], EngineError>) -> Void) -> Void

  /// The account whose sources are watched.
  let account: AccountID
  let call: ServerCall
  /// Reads sources of the account. Their statuses are not used.
  private let read: Listing
  /// Returns the present status of a source.
  private let status: (SourceSummary) -> SourceStatus
  private let isDiskShort: () -> Bool
  private var listing = SourceListing()

  /// Starts at once. The call retains the watch.
  init(
    _ call: ServerCall, of account: AccountID, read: @escaping Listing,
    status: @escaping (SourceSummary) -> SourceStatus, isDiskShort: @escaping () -> Bool
  ) {
    (self.call, self.account, self.read, self.status) = (call, account, read, status)
    self.isDiskShort = isDiskShort
    call.onReadyToSend = { _ in self.nextMessage() }
    changed(.all)
  }

  /// What the store lists may have changed: it is read again, once the reading under way has ended.
  func changed(_ selection: SourceListing.Selection) {
    if let next = listing.changed(selection) { list(next) }
  }

  /// The status of a source may have changed. O(1).
  func statusMayHaveChanged(of name: SourceName) { if listing.statusChanged(of: name) { call.wake() } }

  private func list(_ selection: SourceListing.Selection) {
    read(selection) { [weak self] result in
      guard let self, call.isOpen else { return }
      switch result {
      case .success(let sources):
        if let next = listing.read(sources) { list(next) }
        call.wake()
      case .failure(let error): call.finish(Status(error))
      }
    }
  }

  private func nextMessage() -> Pull {
    guard let news = listing.nextMessage(isDiskShort: isDiskShort(), status) else { return .wait }
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
