internal import Dates
internal import Engine
internal import Messages
internal import Posts
internal import Store

/// Imports that can be taken back.
extension TimelineService {
  var importMethods: [String: ServiceMethod] {
    [
      Method.getDetails: .queued(GetDetailsRequest.self, .view) { [unowned self] request, _, requester, answer in
        getDetails(request, requester, answer)
      },
      Method.listImports: .queued(ListImportsRequest.self, .view) {
        [unowned self] request, caller, requester, answer in
        listImports(request, caller, requester, answer)
      },
      Method.forgetImported: .command(ForgetImportedRequest.self, .post) { [unowned self] request, caller, answer in
        forget(request, caller, answer)
      },
    ]
  }

  private func getDetails(
    _ request: GetDetailsRequest, _ requester: Requester,
    _ answer: @escaping (Result<PostDetailsMessage, EngineError>) -> Void
  ) {
    let account = requester.account
    driver.ask(for: requester) { reader throws(EngineError) in
      let details = try StoreLookup.attempt { () throws(StoreError) in
        let post = try reader.resolve(reference: request.post, visibleTo: account)
        return if let post { try reader.details(of: post, for: account) } else { PostDetails?.none }
      }
      guard let details else { throw StoreLookup.missing(post: request.post) }
      return PostDetailsMessage(details)
    } _: { (result: Result<PostDetailsMessage, EngineError>) in
      answer(result)
    }
  }

  private func listImports(
    _ request: ListImportsRequest, _ caller: Caller, _ requester: Requester,
    _ answer: @escaping (Result<ListImportsResponse, EngineError>) -> Void
  ) {
    if request.isForEveryone, !caller.scopes.contains(.admin) {
      return answer(.failure(Authenticator.missing(.admin, caller.peer)))
    }
    let account = request.isForEveryone ? nil : caller.account.id
    driver.ask(for: requester) { reader throws(EngineError) in
      let (imports, names) = try StoreLookup.attempt { () throws(StoreError) in
        (try reader.imports(of: account), try reader.accounts())
      }
      var response = ListImportsResponse()
      (response.imports, response.nextPageToken) = try Pager.page(request.page, of: imports, for: Method.listImports) {
        PageKey(rank: -$0.number)
      } _: { run in
        ImportSummary(run, of: names.first { $0.id == run.account }?.name ?? "")
      }
      return response
    } _: { (result: Result<ListImportsResponse, EngineError>) in
      answer(result)
    }
  }

  private func forget(
    _ request: ForgetImportedRequest, _ caller: Caller,
    _ answer: @escaping (Result<ForgetImportedResponse, EngineError>) -> Void
  ) {
    if request.isForEveryone, !caller.scopes.contains(.admin) {
      return answer(.failure(Authenticator.missing(.admin, caller.peer)))
    }
    let subject: Forgetting.Subject
    switch request.subject {
    case .importID(let id): subject = .run(Int64(clamping: id))
    case .source(let name): subject = .source(name)
    case nil:
      return answer(
        .failure(EngineError(.invalidArgument, "set import_id or source to say what to remove", field: "subject")))
    }
    var cursor: Forgetting.Cursor?
    if !request.token.isEmpty {
      cursor = Forgetting.Cursor(token: request.token)
      guard cursor != nil else {
        return answer(
          .failure(EngineError(.invalidArgument, "the token is not one of a response: begin without", field: "token")))
      }
    }
    let account = request.isForEveryone ? nil : caller.account.id
    driver.write(.forget(Forgetting(subject, of: account, after: cursor))) { [unowned self] result in
      answer(
        result.flatMap { done, revision in
          guard case .forgotten(let forgotten) = done else { return .failure(.unexpected) }
          if case .source(let name) = subject { tellProgram(name, forgotten.restarted) }
          return .success(ForgetImportedResponse(forgotten, revision))
        })
    }
  }
}

extension ImportSummary {
  fileprivate init(_ run: StoredImport, of account: String) {
    self.init()
    importID = UInt64(clamping: run.number)
    self.account = account
    file = run.name.string
    startedAtMilliseconds = run.startedAt.milliseconds
    (new, changed) = (UInt64(clamping: run.new), UInt64(clamping: run.changed))
  }
}

extension ForgetImportedResponse {
  fileprivate init(_ forgotten: Forgotten, _ revision: UInt64) {
    self.init()
    (removed, kept) = (UInt64(clamping: forgotten.removed), UInt64(clamping: forgotten.kept))
    nextToken = forgotten.next?.token ?? ""
    self.revision = revision
  }
}

extension PostDetailsMessage {
  fileprivate init(_ details: PostDetails) {
    self.init()
    postID = UInt64(details.post.subject.rawValue)
    (source, nativeID, account) = (details.source, details.nativeID, details.owner)
    createdAtMilliseconds = details.post.createdAt.milliseconds
    visibility = UInt32(details.post.body.visibility.rawValue) + 1
    readers = Array((details.readers ?? []).prefix(Self.readerLimit))
    readerCount = UInt32(clamping: details.readers?.count ?? 0)
    isImported = details.isImported
    guard let run = details.run else { return }
    (importID, file) = (UInt64(clamping: run.number), run.name.string)
    importedAtMilliseconds = run.startedAt.milliseconds
  }
}
