internal import Engine
internal import Messages
internal import Posts
internal import Store
internal import ViewState

/// Following, and who may follow the account (docs/adr/0029).
extension ListService {
  var followMethods: [String: ServiceMethod] {
    [
      Method.follow: .command(AuthorRequest.self, .post) {
        [unowned self] (request: AuthorRequest, caller: Caller, answer: @escaping Answer<FollowResponse>) in
        let now = driver.now
        change(caller, answer) { account, find throws(EngineError) in
          .follow(account, try find.author(request.author), at: now)
        } _: { done, revision in
          FollowResponse(revision: revision, isPending: done.isPending)
        }
      },
      Method.unfollow: about { .unfollow($0, $1) },
      Method.approveFollow: about { .approveFollow($0, $1) },
      Method.refuseFollow: about { .refuseFollow($0, $1) },
      Method.removeFollower: about { .removeFollower($0, $1) },
      Method.listFollowing: follows(Method.listFollowing) { find, author throws(EngineError) in
        try find.following(author)
      },
      Method.listFollowers: follows(Method.listFollowers) { find, author throws(EngineError) in
        try find.followers(author)
      },
      Method.listFollowRequests: .command(PageRequest.self, .view) { [unowned self] request, caller, answer in
        ask(caller, answer) { find throws(EngineError) in try find.followRequests(request) }
      },
    ]
  }

  /// A method that changes something between the account and an author.
  private func about(_ write: @escaping @Sendable (AccountID, AuthorID) -> Write) -> ServiceMethod {
    .command(AuthorRequest.self, .post) { [unowned self] request, caller, answer in
      change(caller, answer) { account, find throws(EngineError) in
        write(account, try find.author(request.author))
      } _: { _, revision in
        RevisionResponse(revision: revision)
      }
    }
  }

  /// A method that lists followed authors or followers.
  private func follows(
    _ method: String, _ authors: @escaping @Sendable (StoreLookup, String) throws(EngineError) -> [Author]
  ) -> ServiceMethod {
    .command(FollowsRequest.self, .view) { [unowned self] request, caller, answer in
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
}

extension Outcome {
  /// True for a follow that waits for an answer.
  fileprivate var isPending: Bool { if case .followAsked = self { true } else { false } }
}
