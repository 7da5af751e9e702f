internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store
internal import ViewState

/// `stack.v1.TimelineService`: posts are written, brought in and taken out.
final class TimelineService: Service {
  static let name = "stack.v1.TimelineService"
  /// Bytes of an import's message: a chunk of 1 MiB and what frames it.
  private static let importMessageLimit = (1 << 20) + 1024

  let driver: EngineDriver
  private let importers: ImportWorker

  init(driver: EngineDriver, importers: ImportWorker) {
    self.driver = driver
    self.importers = importers
  }

  var methods: [String: ServiceMethod] { postMethods.merging(draftMethods) { one, _ in one } }

  private var postMethods: [String: ServiceMethod] {
    [
      Method.compose: .command(ComposeRequest.self, .post) { [unowned self] request, caller, answer in
        compose(request, caller.account, answer)
      },
      Method.edit: .command(EditRequest.self, .post) { [unowned self] request, caller, answer in
        edit(request, caller.account, answer)
      },
      Method.delete: .command(DeleteRequest.self, .post) { [unowned self] request, caller, answer in
        delete(request, caller.account, answer)
      },
      Method.mark: .command(MarkRequest.self, .post) { [unowned self] request, caller, answer in
        mark(request, caller.account, answer)
      },
      Method.markRead: .command(MarkReadRequest.self, .post) { [unowned self] request, caller, answer in
        markPosts(request, caller.account.id, answer)
      },
      Method.undo: .command(UndoRequest.self, .post) { [unowned self] request, caller, answer in
        undo(request, caller.account, answer)
      },
      Method.retry: .command(RetryRequest.self, .post) { [unowned self] request, caller, answer in
        settle(request.post, caller.account.id, answer) { .retry(caller.account.id, $0, requestID: request.requestID) }
      },
      Method.discard: .command(DiscardRequest.self, .post) { [unowned self] request, caller, answer in
        settle(request.post, caller.account.id, answer) {
          .discard(caller.account.id, $0, requestID: request.requestID)
        }
      },
      Method.listOutbox: .command(PageRequest.self, .view) {
        [unowned self] request, caller, answer in
        listOutbox(request, of: caller.account.id, answer)
      },
      Method.importPosts: .stream(.post, messageLimitBytes: Self.importMessageLimit) { [unowned self] call, caller in
        ImportCall(call, of: caller.account.id, driver: driver, importers: importers).start()
      },
      Method.export: .request(.view, isStream: true) { [unowned self] call, bytes throws(Status) in
        try export(call, bytes)
      },
    ]
  }

  // MARK: Compose

  private func compose(
    _ request: ComposeRequest, _ account: Account, _ answer: @escaping (Result<ComposeResponse, EngineError>) -> Void
  ) {
    let text: SafeText
    switch PostText.checked(request.text, for: account) {
    case .failure(let error): return answer(.failure(error))
    case .success(let checked): text = checked
    }
    var body = PostBody(text: text, spans: TextSpans.find(in: text))
    body.visibility = Visibility(request.visibility)
    let composition = Composition(
      account: account.id, body: body, recipients: body.recipients.map(\.string), createdAt: driver.now,
      requestID: request.requestID,
      source: request.source, draft: Draft.storedID(request.draftID))
    guard !request.inReplyTo.isEmpty else { return store(composition, answer) }
    driver.readStore(.load(.post(account.id, reference: request.inReplyTo))) { [weak self] outcome in
      switch outcome {
      case .loaded(.post(let parent, let authors, _)):
        var reply = composition
        reply.inReplyTo = parent.id
        reply.body.inReplyToHandle = authors.first { $0.id == parent.author }?.handle ?? .empty
        self?.store(reply, answer)
      case .loaded(.failed(let error)): answer(.failure(error))
      default: answer(.failure(EngineError(.internal, "the store gave no post")))
      }
    }
  }

  private func store(
    _ composition: Composition, _ answer: @escaping (Result<ComposeResponse, EngineError>) -> Void
  ) {
    driver.write(.compose(composition)) { result in
      switch result {
      case .success((.composed(let composed), let revision)):
        answer(.success(ComposeResponse(postID: UInt64(composed.post.id.rawValue), revision: revision)))
      case .success: answer(.failure(EngineError(.internal, "the store gave no post")))
      case .failure(let error): answer(.failure(error.about(composition.source.isEmpty ? "text" : "source")))
      }
    }
  }

  // MARK: Edit

  private func edit(
    _ request: EditRequest, _ account: Account, _ answer: @escaping (Result<RevisionResponse, EngineError>) -> Void
  ) {
    switch PostText.checked(request.text, for: account) {
    case .failure(let error): answer(.failure(error))
    case .success(let text):
      find(request.post, for: account.id, answer) { [driver] post in
        let edition = Edition(
          account: account.id, post: post, text: text, spans: TextSpans.find(in: text), requestID: request.requestID,
          draft: Draft.storedID(request.draftID))
        driver.write(.edit(edition)) { answer($0.map { RevisionResponse(revision: $0.revision) }) }
      }
    }
  }

  // MARK: Delete

  private func delete(
    _ request: DeleteRequest, _ account: Account, _ answer: @escaping (Result<RevisionResponse, EngineError>) -> Void
  ) {
    let (requestID, id) = (request.requestID, account.id)
    find(request.post, for: id, answer) { reader throws(StoreError) in
      // What is gone may have been deleted by this very command.
      try reader.post(deletedBy: requestID, id)
    } _: { [driver] post in
      driver.write(.deletePost(id, post, requestID: requestID)) {
        answer($0.map { RevisionResponse(revision: $0.revision) })
      }
    }
  }

  // MARK: Mark

  /// Has something done about what a source refused of a caller's wishes for a post.
  private func settle(
    _ reference: String, _ account: AccountID, _ answer: @escaping (Result<RevisionResponse, EngineError>) -> Void,
    _ write: @escaping (PostID) -> Write
  ) {
    find(reference, for: account, answer) { [driver] post in
      driver.write(write(post)) { answer($0.map { RevisionResponse(revision: $0.revision) }) }
    }
  }

  private func mark(
    _ request: MarkRequest, _ account: Account, _ answer: @escaping (Result<MarkResponse, EngineError>) -> Void
  ) {
    guard let kind = request.kind else {
      let kinds = MarkKind.allCases.map { "\($0)".uppercased() }.joined(separator: ", ")
      return answer(.failure(EngineError(.invalidArgument, "kind says nothing: one of \(kinds)", field: "kind")))
    }
    let mark = Mark(rawValue: kind.flag.rawValue)
    find(request.post, for: account.id, answer) { [driver] post in
      let marking = Marking(
        account: account.id, post: post, mark: mark, isOn: !request.isUnmark, at: driver.now,
        requestID: request.requestID
      )
      driver.write(.mark(marking)) { result in
        switch result {
        case .success((.marked(let marked), let revision)):
          let repost = (marked.repost?.post.id ?? marked.earlierRepost).map { UInt64($0.rawValue) } ?? 0
          answer(.success(MarkResponse(hasChanged: marked.hasChanged, repostID: repost, revision: revision)))
        case .success: answer(.failure(.unexpected))
        case .failure(let error): answer(.failure(error))
        }
      }
    }
  }

  /// Finds what a caller calls a post, or else what `elsewhere` says, and goes on with it; answers with the reason
  /// where there is none.
  func find<Response>(
    _ reference: String, for account: AccountID, _ answer: @escaping (Result<Response, EngineError>) -> Void,
    elsewhere: @escaping @Sendable (StoreReader) throws(StoreError) -> PostID? = { _ in nil },
    _ goOn: @escaping (PostID) -> Void
  ) {
    driver.ask { reader throws(EngineError) in
      try StoreLookup.attempt { () throws(StoreError) in
        if let post = try reader.resolve(reference: reference, visibleTo: account) { return post }
        return try elsewhere(reader)
      }
    } _: { (found: Result<PostID?, EngineError>) in
      switch found {
      case .failure(let error): answer(.failure(error))
      case .success(nil): answer(.failure(StoreLookup.missing(post: reference)))
      case .success(let post?): goOn(post)
      }
    }
  }

  // MARK: Outbox

  private func listOutbox(
    _ request: PageRequest, of account: AccountID,
    _ answer: @escaping (Result<ListOutboxResponse, EngineError>) -> Void
  ) {
    driver.ask { reader throws(EngineError) in
      let wanted = try StoreLookup.attempt { () throws(StoreError) in try reader.outbox(of: account) }
      var response = ListOutboxResponse()
      (response.entries, response.nextPageToken) = try Pager.page(request, of: wanted, for: Method.listOutbox) {
        PageKey(number: $0.entry.sequence)
      } _: {
        OutboxItem($0)
      }
      return response
    } _: { (result: Result<ListOutboxResponse, EngineError>) in
      answer(result)
    }
  }

  // MARK: Undo

  private func undo(
    _ request: UndoRequest, _ account: Account, _ answer: @escaping (Result<UndoResponse, EngineError>) -> Void
  ) {
    let undo = Undo(account: account.id, isRedo: request.isRedo, at: driver.now, requestID: request.requestID)
    driver.write(.undo(undo)) { result in
      switch result {
      case .success((.undone(let undone), let revision)):
        if let obstacle = undone.obstacle {
          return answer(.failure(EngineError(undone, obstacle, isRedo: request.isRedo)))
        }
        answer(.success(UndoResponse(undone, revision)))
      case .success: answer(.failure(.unexpected))
      case .failure(let error): answer(.failure(error))
      }
    }
  }

  // MARK: Export

  /// Reads the request of an export; the closure answers it.
  private func export(_ call: ServerCall, _ bytes: [UInt8]) throws(Status) -> (Caller) -> Void {
    let request: ExportRequest
    do throws(DecodingFailure) {
      request = try ExportRequest(decoding: bytes)
    } catch {
      throw Status(error)
    }
    return { [driver] caller in
      ExportCall(driver: driver, account: caller.account.id, publicOnly: request.publicOnly).start(call)
    }
  }
}

extension UndoResponse {
  /// What the store did, as of a revision.
  fileprivate init(_ undone: Undone, _ revision: UInt64) {
    self.init()
    description = undone.what
    postID = undone.post.map { UInt64($0.rawValue) } ?? 0
    undoable = UInt32(clamping: undone.undoable)
    redoable = UInt32(clamping: undone.redoable)
    self.revision = revision
    isIrrevocable = undone.isIrrevocable
  }
}

extension EngineError {
  /// Why a step cannot be taken back or done again.
  fileprivate init(_ undone: Undone, _ obstacle: Refusal, isRedo: Bool) {
    let (done, next) =
      isRedo ? ("done again", "redo again goes on with what came after it") : ("undone", "undo again goes on before it")
    let what = undone.what.isEmpty ? "a step" : undone.what
    self.init(.failedPrecondition, "\(what) cannot be \(done): \(obstacle); \(next)")
  }
}

extension OutboxItem {
  fileprivate init(_ wanted: WantedElsewhere) {
    self.init()
    let entry = wanted.entry
    postID = UInt64(wanted.id.rawValue)
    source = wanted.source
    action = UpstreamCommand.Action(entry.errand, entry.asked ?? entry.wanted).rawValue
    delivery = entry.isFailed ? .failed : .pending
    isAsked = entry.asked != nil
    failure = entry.failure?.string ?? ""
    text = wanted.post?.body.unpacked()?.text.string ?? ""
  }
}

extension Visibility {
  /// As the store has it.
  fileprivate init(_ visibility: ComposeVisibility) {
    self =
      switch visibility {
      case .everybody: .public
      case .unlisted: .unlisted
      case .followers: .followers
      case .direct: .direct
      }
  }
}
