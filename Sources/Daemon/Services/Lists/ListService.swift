internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store
internal import ViewState

/// `stack.v1.ListService`: follows, lists, and what an account has muted or blocked.
final class ListService: Service {
  static let name = "stack.v1.ListService"

  let driver: EngineDriver

  init(driver: EngineDriver) {
    self.driver = driver
  }

  typealias Answer<Response> = (Result<Response, EngineError>) -> Void

  var methods: [String: ServiceMethod] { listMethods.merging(muteMethods) { $1 } }

  private var listMethods: [String: ServiceMethod] {
    [
      Method.follow: .command(AuthorRequest.self, .post) { [unowned self] request, caller, answer in
        change(caller, answer) { account, find throws(EngineError) in
          .follow(account, try find.author(request.author))
        } _: { _, revision in
          RevisionResponse(revision: revision)
        }
      },
      Method.unfollow: .command(AuthorRequest.self, .post) {
        [unowned self] request, caller, answer in
        change(caller, answer) { account, find throws(EngineError) in
          .unfollow(account, try find.author(request.author))
        } _: { _, revision in
          RevisionResponse(revision: revision)
        }
      },
      Method.createList: .command(CreateListRequest.self, .post) { [unowned self] request, caller, answer in
        do throws(EngineError) {
          write(.makeList(caller.account.id, name: try ListNames.checked(request.name)), answer) {
            Self.response($0, $1)
          }
        } catch {
          answer(.failure(error))
        }
      },
      Method.renameList: .command(RenameListRequest.self, .post) { [unowned self] request, caller, answer in
        change(caller, answer) { account, find throws(EngineError) in
          .renameList(account, try find.list(request.list).id, name: try ListNames.checked(request.name))
        }
      },
      Method.deleteList: .command(DeleteListRequest.self, .post) { [unowned self] request, caller, answer in
        change(caller, answer) { account, find throws(EngineError) in
          .deleteList(account, try find.list(request.list).id)
        }
      },
      Method.addToList: .command(ListMemberRequest.self, .post) {
        [unowned self] request, caller, answer in
        change(caller, answer) { account, find throws(EngineError) in
          .addToList(account, try find.list(request.list).id, try find.author(request.author))
        }
      },
      Method.removeFromList: .command(ListMemberRequest.self, .post) {
        [unowned self] request, caller, answer in
        change(caller, answer) { account, find throws(EngineError) in
          .removeFromList(account, try find.list(request.list).id, try find.author(request.author))
        }
      },
      Method.getProfile: .command(AuthorRequest.self, .view) { [unowned self] request, caller, answer in
        ask(caller, answer) { find throws(EngineError) in GetProfileResponse(profile: try find.profile(request.author))
        }
      },
      Method.listFollowing: follows(Method.listFollowing) { find, author throws(EngineError) in
        try find.following(author)
      },
      Method.listFollowers: follows(Method.listFollowers) { find, author throws(EngineError) in
        try find.followers(author)
      },
      Method.listLists: .command(PageRequest.self, .view, responseBytes: ServiceMethod.longResponseBytes) {
        [unowned self] request, caller, answer in
        ask(caller, answer) { find throws(EngineError) in try find.lists(request) }
      },
      Method.listMembers: .command(ListMembersRequest.self, .view, responseBytes: ServiceMethod.longResponseBytes) {
        [unowned self] request, caller, answer in
        ask(caller, answer) { find throws(EngineError) in try find.members(request) }
      },
    ]
  }

  /// A method that lists followed authors or followers.
  private func follows(
    _ method: String, _ authors: @escaping @Sendable (StoreLookup, String) throws(EngineError) -> [Author]
  ) -> ServiceMethod {
    .command(FollowsRequest.self, .view, responseBytes: ServiceMethod.longResponseBytes) {
      [unowned self] request, caller, answer in
      ask(caller, answer) { find throws(EngineError) in
        var response = FollowsResponse()
        let authors = try authors(find, request.author)
        (response.authors, response.nextPageToken) = try Pager.page(request.page, of: authors, for: method) {
          PageKey($0)
        } _: {
          RowAuthor($0)
        }
        return response
      }
    }
  }

  /// Runs a question on the store for the caller.
  func ask<Response: Sendable>(
    _ caller: Caller, _ answer: @escaping Answer<Response>,
    _ question: @escaping @Sendable (StoreLookup) throws(EngineError) -> Response
  ) {
    let account = caller.account.id
    driver.ask { reader throws(EngineError) in
      try question(StoreLookup(reader: reader, account: account))
    } _: {
      answer($0)
    }
  }

  /// Resolves the names in a list command, and writes the change.
  private func change(
    _ caller: Caller, _ answer: @escaping Answer<ListResponse>,
    _ write: @escaping @Sendable (AccountID, StoreLookup) throws(EngineError) -> Write
  ) {
    change(caller, answer, write) { Self.response($0, $1) }
  }

  /// Resolves the names in a command, and writes the change.
  private func change<Response: Sendable>(
    _ caller: Caller, _ answer: @escaping Answer<Response>,
    _ write: @escaping @Sendable (AccountID, StoreLookup) throws(EngineError) -> Write,
    _ response: @escaping (Outcome, UInt64) -> Response?
  ) {
    let account = caller.account.id
    ask(
      caller,
      { [weak self] (result: Result<Write, EngineError>) in
        switch result {
        case .failure(let error): answer(.failure(error))
        case .success(let write): self?.write(write, answer, response)
        }
      }
    ) { find throws(EngineError) in try write(account, find) }
  }

  private func write<Response>(
    _ write: Write, _ answer: @escaping Answer<Response>, _ response: @escaping (Outcome, UInt64) -> Response?
  ) {
    driver.write(write) { result in
      answer(
        result.flatMap { done, revision in
          response(done, revision).map { .success($0) } ?? .failure(.unexpected)
        })
    }
  }

  private static func response(_ done: Outcome, _ revision: UInt64) -> ListResponse? {
    switch done {
    case .listMade(let list), .listChanged(let list), .listDeleted(let list):
      ListResponse(listID: UInt64(list.rawValue), revision: revision)
    default: nil
    }
  }
}

extension PageKey {
  /// The key of an author in a list of authors: the handle.
  init(_ author: Author, rank: Int64 = 0) {
    self.init(rank: rank, text: author.handle.string, number: author.id.rawValue)
  }
}
