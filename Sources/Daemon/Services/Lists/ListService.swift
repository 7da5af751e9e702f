internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store
internal import ViewState

/// `stack.v1.ListService`: whom an account follows, the lists that it made, and what it does not want to see.
final class ListService: Service {
  static let name = "stack.v1.ListService"

  let driver: EngineDriver

  init(driver: EngineDriver) {
    self.driver = driver
  }

  typealias Answer<Response> = (Result<Response, EngineError>) -> Void

  var methods: [String: ServiceMethod] { listMethods.merging(quietMethods) { $1 } }

  private var listMethods: [String: ServiceMethod] {
    [
      Method.follow: .command(AuthorRequest.self, .post) { [unowned self] request, caller, answer in
        change(caller, answer) { account, find throws(EngineError) in .follow(account, try find.author(request.author))
        }
      },
      Method.unfollow: .command(AuthorRequest.self, .post, named: "FollowRequest") {
        [unowned self] request, caller, answer in
        change(caller, answer) { account, find throws(EngineError) in
          .unfollow(account, try find.author(request.author))
        }
      },
      Method.makeList: .command(MakeListRequest.self, .post) { [unowned self] request, caller, answer in
        do throws(EngineError) {
          write(.makeList(caller.account.id, name: try ListNames.checked(request.name)), answer)
        } catch {
          answer(.failure(error))
        }
      },
      Method.renameList: .command(RenameListRequest.self, .post) { [unowned self] request, caller, answer in
        change(caller, answer) { account, find throws(EngineError) in
          .renameList(account, try find.list(request.list).id, name: try ListNames.checked(request.name))
        }
      },
      Method.deleteList: .command(ListRequest.self, .post) { [unowned self] request, caller, answer in
        change(caller, answer) { account, find throws(EngineError) in
          .deleteList(account, try find.list(request.list).id)
        }
      },
      Method.addToList: .command(ListMemberRequest.self, .post, named: "ListMemberRequest") {
        [unowned self] request, caller, answer in
        change(caller, answer) { account, find throws(EngineError) in
          .addToList(account, try find.list(request.list).id, try find.author(request.author))
        }
      },
      Method.removeFromList: .command(ListMemberRequest.self, .post, named: "ListMemberRequest") {
        [unowned self] request, caller, answer in
        change(caller, answer) { account, find throws(EngineError) in
          .removeFromList(account, try find.list(request.list).id, try find.author(request.author))
        }
      },
      Method.getProfile: .command(AuthorRequest.self, .view) { [unowned self] request, caller, answer in
        ask(caller, answer) { find throws(EngineError) in GetProfileResponse(profile: try find.profile(request.author))
        }
      },
      Method.getFollows: .command(GetFollowsRequest.self, .view) { [unowned self] request, caller, answer in
        ask(caller, answer) { find throws(EngineError) in
          var response = GetFollowsResponse()
          response.authors = try find.follows(request.author, followers: request.wantsFollowers)
          return response
        }
      },
      Method.getLists: .command(ListRequest.self, .view) { [unowned self] request, caller, answer in
        ask(caller, answer) { find throws(EngineError) in
          var response = GetListsResponse()
          response.lists = try find.lists(request.list)
          return response
        }
      },
    ]
  }

  /// Reads something for the caller.
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

  /// Finds what a command names, and writes what it does.
  private func change(
    _ caller: Caller, _ answer: @escaping Answer<ListResponse>,
    _ write: @escaping @Sendable (AccountID, StoreLookup) throws(EngineError) -> Write
  ) {
    let account = caller.account.id
    ask(
      caller,
      { [weak self] (result: Result<Write, EngineError>) in
        switch result {
        case .failure(let error): answer(.failure(error))
        case .success(let write): self?.write(write, answer)
        }
      }
    ) { find throws(EngineError) in try write(account, find) }
  }

  private func write(_ write: Write, _ answer: @escaping Answer<ListResponse>) {
    driver.write(write) { result in
      answer(
        result.flatMap { done, revision in
          switch done {
          case .listMade(let list), .listChanged(let list), .listDeleted(let list):
            .success(ListResponse(listID: UInt64(list.rawValue), revision: revision))
          case .followed, .unfollowed: .success(ListResponse(revision: revision))
          default: .failure(.unexpected)
          }
        })
    }
  }
}
