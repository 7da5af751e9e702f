internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store
internal import ViewState

/// `stack.v1.TimelineService`: writing, changing, importing and exporting posts.
final class TimelineService: Service {
  static let name = "stack.v1.TimelineService"
  /// Maximum size of an import's message in bytes: a chunk of 1 MiB and its framing.
  private static let importMessageLimit = (1 << 20) + 1024

  let driver: EngineDriver
  private let importers: ImportWorker
  /// Returns true if other accounts use the daemon, or may.
  private let isShared: () -> Bool
  /// Returns why a source has put a command off, by their names.
  var postponement: (_ source: String, _ command: String) -> Postponement? = { _, _ in nil }
  /// Tells the program of a source of logins that start anew.
  var tellProgram: (_ source: String, [UpstreamNotice]) -> Void = { _, _ in }

  init(driver: EngineDriver, importers: ImportWorker, isShared: @escaping () -> Bool) {
    self.driver = driver
    self.importers = importers
    self.isShared = isShared
  }

  var methods: [String: ServiceMethod] {
    postMethods.merging(draftMethods) { one, _ in one }.merging(importMethods) { one, _ in one }
  }

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
        updateOutbox(request.post, caller.account.id, answer) {
          .retry(caller.account.id, $0, requestID: request.requestID)
        }
      },
      Method.discard: .command(DiscardRequest.self, .post) { [unowned self] request, caller, answer in
        updateOutbox(request.post, caller.account.id, answer) {
          .discard(caller.account.id, $0, givingUp: request.givesUpPending, requestID: request.requestID)
        }
      },
      Method.listOutbox: .queued(PageRequest.self, .view) {
        [unowned self] request, _, requester, answer in
        listOutbox(request, for: requester, answer)
      },
      Method.importPosts: .stream(.post, messageLimitBytes: Self.importMessageLimit) { [unowned self] call, caller in
        ImportCall(call, of: caller.account.id, isShared: isShared(), driver: driver, importers: importers).start()
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
    let body: PostBody
    do throws(EngineError) {
      body = try self.body(of: request)
    } catch {
      return answer(.failure(error))
    }
    var composition = Composition(
      account: account.id, body: body, recipients: body.recipients.map(\.string), createdAt: driver.now,
      requestID: request.requestID, source: request.source, draft: StoredDraft.storedID(request.draftID))
    composition.mediaLogins = Set(request.media.map(\.login))
    guard !request.inReplyTo.isEmpty else { return store(composition, answer) }
    driver.readStore(.load(.post(account.id, reference: request.inReplyTo))) { [weak self] outcome in
      switch outcome {
      case .loaded(.post(let parent, let authors, _)):
        var reply = composition
        reply.inReplyTo = parent.id
        reply.body.inReplyToHandle = authors.first { $0.id == parent.author }?.handle ?? .empty
        self?.store(reply, answer)
      case .loaded(.failed(let error)): answer(.failure(error))
      default: answer(.failure(EngineError(.internal, "the store returned no post")))
      }
    }
  }

  /// Returns the body of a new post.
  private func body(of request: ComposeRequest) throws(EngineError) -> PostBody {
    let text = try PostText.checked(request.text).get()
    var body = PostBody(text: text, spans: TextSpans.find(in: text))
    body.visibility = Visibility(request.visibility)
    body.contentWarning = try PostText.checkedWarning(request.contentWarning)
    body.language = try PostText.checkedLanguage(request.language)
    body.media = try PostMedia.checked(request.media)
    return body
  }

  private func store(
    _ composition: Composition, _ answer: @escaping (Result<ComposeResponse, EngineError>) -> Void
  ) {
    driver.write(.compose(composition)) { result in
      switch result {
      case .success((.composed(let composed), let revision)):
        let isPending = composed.post.mark(of: composition.account).contains(.pending)
        answer(
          .success(
            ComposeResponse(postID: UInt64(composed.post.id.rawValue), revision: revision, isPending: isPending)))
      case .success: answer(.failure(EngineError(.internal, "the store returned no post")))
      case .failure(let error): answer(.failure(error.about(composition.source.isEmpty ? "text" : "source")))
      }
    }
  }

  // MARK: Edit

  private func edit(
    _ request: EditRequest, _ account: Account, _ answer: @escaping (Result<RevisionResponse, EngineError>) -> Void
  ) {
    switch PostText.checked(request.text) {
    case .failure(let error): answer(.failure(error))
    case .success(let text):
      find(request.post, for: account.id, answer) { [driver] post in
        let edition = Edition(
          account: account.id, post: post, text: text, spans: TextSpans.find(in: text), requestID: request.requestID,
          draft: StoredDraft.storedID(request.draftID))
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
      // A missing post may have been deleted by this very command.
      try reader.post(deletedBy: requestID, id)
    } _: { [driver] post in
      driver.write(.deletePost(id, post, requestID: requestID)) {
        answer($0.map { RevisionResponse(revision: $0.revision) })
      }
    }
  }

  // MARK: Mark

  private func mark(
    _ request: MarkRequest, _ account: Account, _ answer: @escaping (Result<MarkResponse, EngineError>) -> Void
  ) {
    guard let kind = request.kind else {
      let kinds = MarkKind.allCases.map { "\($0)".uppercased() }.joined(separator: ", ")
      return answer(.failure(EngineError(.invalidArgument, "kind is not set; use one of \(kinds)", field: "kind")))
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

  /// Resolves a reference to a post and calls `proceed` with it. Falls back to `fallback`; answers with an error if
  /// neither finds a post.
  func find<Response>(
    _ reference: String, for account: AccountID, _ answer: @escaping (Result<Response, EngineError>) -> Void,
    fallback: @escaping @Sendable (StoreReader) throws(StoreError) -> PostID? = { _ in nil },
    _ proceed: @escaping (PostID) -> Void
  ) {
    driver.ask { reader throws(EngineError) in
      try StoreLookup.attempt { () throws(StoreError) in
        if let post = try reader.resolve(reference: reference, visibleTo: account) { return post }
        return try fallback(reader)
      }
    } _: { (found: Result<PostID?, EngineError>) in
      switch found {
      case .failure(let error): answer(.failure(error))
      case .success(nil): answer(.failure(StoreLookup.missing(post: reference)))
      case .success(let post?): proceed(post)
      }
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

  /// Decodes the request of an export; the returned closure answers it.
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
  /// The response for what the store undid, as of a revision.
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
  /// The error for an action that cannot be undone or redone.
  fileprivate init(_ undone: Undone, _ obstacle: Refusal, isRedo: Bool) {
    let (done, next) =
      isRedo
      ? ("redone", "redo again to continue with the action after it")
      : ("undone", "undo again to continue with the action before it")
    let what = undone.what.isEmpty ? "this action" : undone.what
    self.init(.failedPrecondition, "\(what) cannot be \(done): \(obstacle); \(next)")
  }
}

extension Visibility {
  /// The store's value for a request's visibility.
  init(_ visibility: ComposeVisibility) {
    self =
      switch visibility {
      case .everybody: .public
      case .unlisted: .unlisted
      case .followers: .followers
      case .direct: .direct
      }
  }
}
