internal import Dates
internal import Engine
internal import Messages
internal import Posts
internal import Store
internal import ViewState

/// Actions that wait for their source, or were refused by it (docs/adr/0021).
extension TimelineService {
  /// Retries or discards the account's actions on a post.
  func updateOutbox(
    _ reference: String, _ account: AccountID, _ answer: @escaping (Result<RevisionResponse, EngineError>) -> Void,
    _ write: @escaping (PostID) -> Write
  ) {
    find(reference, for: account, answer) { reader throws(StoreError) in
      // A post that the account is deleting is hidden from it.
      try reader.outbox(of: account).first { String($0.id.rawValue) == reference }?.id
    } _: { [driver] post in
      driver.write(write(post)) { answer($0.map { RevisionResponse(revision: $0.revision) }) }
    }
  }

  /// Answers with a page of the account's outbox.
  func listOutbox(
    _ request: PageRequest, for requester: Requester,
    _ answer: @escaping (Result<ListOutboxResponse, EngineError>) -> Void
  ) {
    let account = requester.account
    driver.ask(for: requester) { reader throws(EngineError) in
      try StoreLookup.attempt { () throws(StoreError) in try reader.outbox(of: account) }
    } _: { [driver, postponement] (wanted: Result<[WantedElsewhere], EngineError>) in
      // On the loop, which knows what the sources have put off.
      do throws(EngineError) {
        var response = ListOutboxResponse()
        (response.entries, response.nextPageToken) = try Pager.page(
          request, of: try wanted.get(), for: Method.listOutbox
        ) {
          PageKey(number: $0.entry.sequence)
        } _: {
          OutboxItem($0, postponement($0.source, $0.entry.request), now: driver.now)
        }
        answer(.success(response))
      } catch {
        answer(.failure(error))
      }
    }
  }
}

extension OutboxItem {
  fileprivate init(_ wanted: WantedElsewhere, _ postponement: Postponement?, now: Instant) {
    self.init()
    let entry = wanted.entry
    postID = UInt64(wanted.id.rawValue)
    source = wanted.source
    action = UpstreamCommand.Action(entry.operation, entry.asked ?? entry.wanted).rawValue
    delivery = entry.isFailed ? .failed : .pending
    isAsked = entry.asked != nil
    failure = entry.failure?.string ?? ""
    text = wanted.post?.body.unpacked()?.text.string ?? ""
    guard let postponement else { return }
    postponedReason = postponement.reason.string
    let (seconds, attoseconds) = postponement.remaining.components
    nextAtMilliseconds = now.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
