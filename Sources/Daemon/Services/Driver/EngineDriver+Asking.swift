internal import Engine
internal import Store

/// Questions to the store that do not pass through the engine.
extension EngineDriver {
  /// Runs `question` on the store's reading worker. O(1) on the loop.
  func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (StoreReader) throws(EngineError) -> Answer,
    _ completion: @escaping (Result<Answer, EngineError>) -> Void
  ) {
    readStore(.ask(question)) { outcome in
      guard case .answered(let result) = outcome else { return }
      completion(result.flatMap { ($0 as? Answer).map { .success($0) } ?? .failure(.unexpected) })
    }
  }

  /// Asks in the caller's turn, unless the call ends before that.
  func ask<Answer: Sendable>(
    for requester: Requester, _ question: @escaping @Sendable (StoreReader) throws(EngineError) -> Answer,
    _ completion: @escaping (Result<Answer, EngineError>) -> Void
  ) {
    read(for: requester, completion) { [unowned self] receiver in
      ask(question) { [loop] answer in
        receiver(answer)
        // The account's next read may begin.
        loop.scheduleTurn()
      }
    }
  }
}
