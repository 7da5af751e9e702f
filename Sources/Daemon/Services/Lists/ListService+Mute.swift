internal import Engine
internal import Messages
internal import Posts
internal import Search
internal import Store

/// Muting and blocking (docs/adr/0019).
extension ListService {
  var muteMethods: [String: ServiceMethod] {
    [
      Method.mute: about({ .muted($0) }, Self.response),
      Method.unmute: about(isOn: false, { .muted($0) }, Self.response),
      Method.block: about(
        { .blocked($0) },
        { BlockResponse(hasChanged: $0.hasChanged, hasUnfollowed: $0.hasUnfollowed, revision: $1) }),
      Method.unblock: about(isOn: false, { .blocked($0) }, Self.response),
      Method.muteWord: word(isOn: true),
      Method.unmuteWord: word(isOn: false),
      Method.listMuted: .command(PageRequest.self, .view, responseBytes: ServiceMethod.longResponseBytes) {
        [unowned self] request, caller, answer in
        ask(caller, answer) { find throws(EngineError) in try find.muted(request) }
      },
    ]
  }

  /// A method that mutes, blocks, unmutes or unblocks an author.
  private func about<Response: WireMessage>(
    isOn: Bool = true, _ subject: @escaping @Sendable (AuthorID) -> MuteChange.Subject,
    _ response: @escaping (MuteOutcome, UInt64) -> Response
  ) -> ServiceMethod {
    .command(AuthorRequest.self, .post) {
      [unowned self] (request: AuthorRequest, caller: Caller, answer: @escaping Answer<Response>) in
      ask(
        caller,
        { [weak self] (result: Result<AuthorID, EngineError>) in
          switch result {
          case .failure(let error): answer(.failure(error))
          case .success(let author):
            let change = MuteChange(account: caller.account.id, subject: subject(author), isOn: isOn)
            self?.apply(change, answer, response)
          }
        }
      ) { find throws(EngineError) in try find.author(request.author) }
    }
  }

  private func word(isOn: Bool) -> ServiceMethod {
    .command(MutedWordRequest.self, .post) { [unowned self] request, caller, answer in
      do throws(MutedWordError) {
        let word = try MutedWord(parsing: request.word)
        apply(MuteChange(account: caller.account.id, subject: .word(word), isOn: isOn), answer, Self.response)
      } catch {
        answer(
          .failure(
            EngineError(
              .invalidArgument, error.message, field: "word", limit: error == .tooLong ? MutedWord.byteLimit : nil)))
      }
    }
  }

  private func apply<Response>(
    _ change: MuteChange, _ answer: @escaping Answer<Response>, _ response: @escaping (MuteOutcome, UInt64) -> Response
  ) {
    driver.write(.mute(change)) { result in
      answer(
        result.flatMap { done, revision in
          guard case .muted(let muted) = done else { return .failure(.unexpected) }
          return .success(response(muted, revision))
        }.mapError { $0.about("author") })
    }
  }

  private static func response(_ muted: MuteOutcome, _ revision: UInt64) -> MuteResponse {
    MuteResponse(hasChanged: muted.hasChanged, revision: revision)
  }
}
