internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store

extension SourceService {
  /// Maximum length of a search in bytes.
  private static let textBytes = 1_000

  /// Asks the program of a source for posts, until it has answered or the call ends.
  func fetchMore(
    _ request: FetchMoreRequest, for requester: Requester,
    _ answer: @escaping (Result<EmptyMessage, EngineError>) -> Void
  ) {
    let wanted: WantedPosts
    do throws(EngineError) {
      wanted = try Self.wanted(request)
    } catch {
      return answer(.failure(error))
    }
    let account = requester.account
    driver.ask(for: requester) { store throws(EngineError) in
      try StoreLookup.attempt { () throws(StoreError) in try store.fetch(wanted, for: account) }
    } _: { [weak self] (result: Result<FoundFetch, EngineError>) in
      do throws(EngineError) {
        try self?.ask(result.get(), for: requester, answer)
      } catch {
        answer(.failure(error))
      }
    }
  }

  private func ask(
    _ found: FoundFetch, for requester: Requester, _ answer: @escaping (Result<EmptyMessage, EngineError>) -> Void
  ) throws(EngineError) {
    switch found {
    case .unknown: throw EngineError(.notFound, "there is no such post, gap, author or source")
    case .notice: throw EngineError(.failedPrecondition, "a notice is in no conversation")
    case .noLogin(let source): throw EngineError(.failedPrecondition, "you have no login at \(source)")
    case .lost(let source): throw EngineError(.failedPrecondition, "\(source) no longer has these posts")
    case .found(let fetch, let source, let login):
      let call = requester.call
      guard call.isOpen else { return }
      guard let runner = runner(source) else {
        throw EngineError(.failedPrecondition, "\(source) has no program on this daemon")
      }
      let number = try runner.fetch(fetch, login: login, of: requester.account) { answer($0.map { EmptyMessage() }) }
      call.onInterrupted = { [weak runner] _, _ in runner?.withdraw(number) }
    }
  }

  private static func wanted(_ request: FetchMoreRequest) throws(EngineError) -> WantedPosts {
    switch request.subject {
    case .gap(let row): return .gap(PostID(Int64(clamping: row)))
    case .post(let reference): return .conversation(reference)
    case .author(let reference): return .author(reference)
    case .text(let text):
      let text = SafeText(line: text)
      guard text.hasVisibleCharacter, text.count <= textBytes else {
        throw EngineError(
          .invalidArgument, "a search is 1 to \(textBytes) bytes of text", field: "text", limit: textBytes)
      }
      return .search(text.string, source: request.source)
    case nil: throw EngineError(.invalidArgument, "nothing to fetch", field: "subject")
    }
  }
}
