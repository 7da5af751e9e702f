internal import Dates
internal import Engine
internal import Messages
internal import Posts
internal import Store

/// Drafts of posts, replies and edits.
extension TimelineService {
  var draftMethods: [String: ServiceMethod] {
    [
      Method.saveDraft: .command(SaveDraftRequest.self, .post) { [unowned self] request, caller, answer in
        saveDraft(request, caller.account, answer)
      },
      Method.listDrafts: .queued(PageRequest.self, .view) {
        [unowned self] request, _, requester, answer in
        listDrafts(request, for: requester, answer)
      },
      Method.deleteDraft: .command(DraftReference.self, .post) { [unowned self] request, caller, answer in
        driver.write(.deleteDraft(caller.account.id, Int64(clamping: request.draftID))) {
          answer($0.map { _ in EmptyMessage() })
        }
      },
    ]
  }

  private func saveDraft(
    _ request: SaveDraftRequest, _ account: Account, _ answer: @escaping (Result<DraftReference, EngineError>) -> Void
  ) {
    let warning: SafeText
    let language: SafeText
    do throws(EngineError) {
      warning = try PostText.checkedWarning(request.contentWarning)
      language = try PostText.checkedLanguage(request.language)
    } catch {
      return answer(.failure(error))
    }
    let save = { [driver] (subject: StoredDraft.Subject) in
      let draft = SavedDraft(
        account: account.id, draft: StoredDraft.storedID(request.draftID), subject: subject,
        text: SafeText(request.text), at: driver.now, visibility: request.visibility.map(Visibility.init),
        contentWarning: warning, language: language, requestID: request.requestID)
      driver.write(.saveDraft(draft)) { result in
        switch result {
        case .success((.draftSaved(let id), _)): answer(.success(DraftReference(UInt64(id ?? 0))))
        case .success: answer(.failure(.unexpected))
        case .failure(let error): answer(.failure(error.about("text")))
        }
      }
    }
    // An existing draft keeps its subject.
    switch request.draftID == 0 ? request.kind : nil {
    case nil: save(.post)
    case .answer: find(request.post, for: account.id, answer) { save(.answer(to: $0)) }
    case .edit: find(request.post, for: account.id, answer) { save(.edit(of: $0)) }
    }
  }

  private func listDrafts(
    _ request: PageRequest, for requester: Requester,
    _ answer: @escaping (Result<ListDraftsResponse, EngineError>) -> Void
  ) {
    let account = requester.account
    driver.ask(for: requester) { reader throws(EngineError) in
      let drafts = try StoreLookup.attempt { () throws(StoreError) in try reader.drafts(of: account) }
      var response = ListDraftsResponse()
      (response.drafts, response.nextPageToken) = try Pager.page(request, of: drafts, for: Method.listDrafts) {
        PageKey(rank: -$0.updatedAt.milliseconds, number: -$0.id)
      } _: {
        DraftSummary($0)
      }
      return response
    } _: { (result: Result<ListDraftsResponse, EngineError>) in
      answer(result)
    }
  }
}

extension DraftSummary {
  /// The summary of a stored draft.
  fileprivate init(_ draft: StoredDraft) {
    self.init()
    draftID = UInt64(draft.id)
    switch draft.subject {
    case .post: break
    case .answer(let post): (kind, postID) = (.answer, UInt64(post.rawValue))
    case .edit(let post): (kind, postID) = (.edit, UInt64(post.rawValue))
    }
    text = draft.text.string
    updatedAtMilliseconds = draft.updatedAt.milliseconds
    visibility = draft.visibility.flatMap { ComposeVisibility(rawValue: $0.rawValue + 1) }
    contentWarning = draft.contentWarning.string
    language = draft.language.string
  }
}

extension StoredDraft {
  /// Returns the ID of a draft in a request, where 0 stands for none.
  static func storedID(_ id: UInt64) -> Int64? { id == 0 ? nil : Int64(clamping: id) }
}
