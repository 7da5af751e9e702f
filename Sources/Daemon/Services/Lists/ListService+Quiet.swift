internal import Engine
internal import Messages
internal import Posts
internal import Search
internal import Store

/// What an account does not want to see (docs/adr/0019).
extension ListService {
  var quietMethods: [String: ServiceMethod] {
    [
      Method.mute: about { .muted($0) },
      Method.unmute: about(isOn: false) { .muted($0) },
      Method.block: about { .blocked($0) },
      Method.unblock: about(isOn: false) { .blocked($0) },
      Method.muteWord: word(isOn: true),
      Method.unmuteWord: word(isOn: false),
      Method.getMuted: .command(EmptyMessage.self, .view) { [unowned self] _, caller, answer in
        ask(caller, answer) { find throws(EngineError) in try find.quiet() }
      },
    ]
  }

  private func about(isOn: Bool = true, _ subject: @escaping @Sendable (AuthorID) -> Quieting.Subject) -> ServiceMethod
  {
    .command(AuthorRequest.self, .post, named: "QuietAuthorRequest") {
      [unowned self] request, caller, answer in
      let answer: Answer<QuietResponse> = answer
      ask(
        caller,
        { [weak self] (result: Result<AuthorID, EngineError>) in
          switch result {
          case .failure(let error): answer(.failure(error))
          case .success(let author):
            self?.quiet(Quieting(account: caller.account.id, subject: subject(author), isOn: isOn), answer)
          }
        }
      ) { find throws(EngineError) in try find.author(request.author) }
    }
  }

  private func word(isOn: Bool) -> ServiceMethod {
    .command(MutedWordRequest.self, .post, named: "MutedWordRequest") {
      [unowned self] request, caller, answer in
      let answer: Answer<QuietResponse> = answer
      do throws(MutedWordError) {
        let word = try MutedWord(parsing: request.word)
        quiet(Quieting(account: caller.account.id, subject: .word(word), isOn: isOn), answer)
      } catch {
        answer(
          .failure(
            EngineError(
              .invalidArgument, error.message, field: "word", limit: error == .tooLong ? MutedWord.byteLimit : nil)))
      }
    }
  }

  private func quiet(_ quieting: Quieting, _ answer: @escaping Answer<QuietResponse>) {
    driver.write(.quiet(quieting)) { result in
      answer(
        result.flatMap { done, revision in
          guard case .quieted(let quieted) = done else { return .failure(.unexpected) }
          return .success(
            QuietResponse(hasChanged: quieted.hasChanged, hasUnfollowed: quieted.hasUnfollowed, revision: revision))
        }.mapError { $0.about("author") })
    }
  }
}
