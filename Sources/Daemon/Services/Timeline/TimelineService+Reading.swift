internal import Engine
internal import Messages
internal import Posts
internal import Store
internal import ViewState

extension TimelineService {
  /// Marks posts as read or unread: all of the named posts, or none.
  func markPosts(
    _ request: MarkReadRequest, _ account: AccountID,
    _ answer: @escaping (Result<MarkReadResponse, EngineError>) -> Void
  ) {
    guard let readMark = request.readMark else {
      return answer(
        .failure(EngineError(.invalidArgument, "read_mark is not set; use READ or UNREAD", field: "read_mark")))
    }
    let (references, limit) = (request.posts, SharedLimits.readMarksAtOnce)
    guard 1...limit ~= references.count else {
      let message =
        references.isEmpty
        ? "posts is empty" : "posts has \(references.count) entries, but at most \(limit) are allowed"
      return answer(
        .failure(EngineError(.invalidArgument, message, field: "posts", limit: references.isEmpty ? nil : limit)))
    }
    driver.ask { reader throws(EngineError) in
      var posts: [PostID] = []
      for reference in references {
        let found = try StoreLookup.attempt { () throws(StoreError) in
          try reader.resolve(reference: reference, visibleTo: account)
        }
        guard let found else { throw StoreLookup.missing(post: reference) }
        posts.append(found)
      }
      return posts
    } _: { [driver] (found: Result<[PostID], EngineError>) in
      switch found {
      case .failure(let error): answer(.failure(error))
      case .success(let posts):
        let marking = ReadMarking(
          account: account, posts: posts, isRead: readMark == .read, requestID: request.requestID)
        driver.write(.markRead(marking)) { result in
          switch result {
          case .success((.readMarked(let changed), let revision)):
            answer(.success(MarkReadResponse(changed: changed, revision: revision)))
          case .success: answer(.failure(.unexpected))
          case .failure(let error): answer(.failure(error))
          }
        }
      }
    }
  }
}
