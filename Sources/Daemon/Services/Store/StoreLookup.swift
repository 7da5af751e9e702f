internal import Dates
internal import Engine
internal import Messages
internal import Posts
internal import Store
internal import ViewState

/// Resolves the names that an account uses, and reads only what that account may see. Used on the store's reading
/// workers.
struct StoreLookup {
  let reader: StoreReader
  /// The account that asks.
  let account: AccountID

  /// The author with this ID, `source:native-id` or @handle.
  func author(_ reference: String) throws(EngineError) -> AuthorID {
    guard
      let author = try Self.attempt({ () throws(StoreError) in try reader.resolve(author: reference, for: account) })
    else {
      throw Self.missing("author", reference, "use an ID, source:id or @handle")
    }
    return author
  }

  /// The account's list with this ID or name; a reference that is not the ID of a list is taken as a name.
  func list(_ reference: String) throws(EngineError) -> Store.MadeList {
    let lists = try Self.attempt { () throws(StoreError) in try reader.madeLists(of: account) }
    let number = ListNames.isNumber(reference) ? Int64(reference) : nil
    let name = SafeText(line: reference)
    guard let list = lists.first(where: { $0.id.rawValue == number }) ?? lists.first(where: { $0.name == name }) else {
      throw Self.missing("list", reference, "use the ID or name of one of your lists")
    }
    return list
  }

  /// An author's profile; the account's own if none is named.
  func profile(_ reference: String) throws(EngineError) -> ProfileSummary {
    let author = try authorOrOwn(reference)
    guard let profile = try Self.attempt({ () throws(StoreError) in try reader.profile(of: author, for: account) })
    else {
      throw EngineError(.notFound, "there is no author \(author.rawValue)")
    }
    return ProfileSummary(profile)
  }

  /// The authors whom an author follows, without those of whom the account can see nothing.
  func following(_ reference: String) throws(EngineError) -> [Author] {
    let author = try authorOrOwn(reference)
    return try Self.attempt { () throws(StoreError) in
      try reader.snapshot { () throws(StoreError) in
        guard let leader = try reader.account(writingAs: author) else { return [] }
        return try leader.id == account
          ? reader.followed(by: account) : reader.followed(by: leader.id, knownTo: account)
      }
    }
  }

  /// The followers of an author.
  func followers(_ reference: String) throws(EngineError) -> [Author] {
    let author = try authorOrOwn(reference)
    return try Self.attempt { () throws(StoreError) in
      try reader.snapshot { () throws(StoreError) in
        var authors: [Author] = []
        for follower in try reader.followers(of: author) {
          if let author = try reader.localAuthor(of: follower.id) { authors.append(author) }
        }
        return authors
      }
    }
  }

  /// A page of the open requests to follow the account.
  func followRequests(_ request: PageRequest) throws(EngineError) -> ListFollowRequestsResponse {
    let requests = try Self.attempt { () throws(StoreError) in try reader.followRequests(to: account) }
    var response = ListFollowRequestsResponse()
    (response.requests, response.nextPageToken) = try Pager.page(
      request, of: requests, for: Method.listFollowRequests
    ) {
      // Newest first.
      PageKey(rank: -$0.askedAt.milliseconds, number: -$0.id.rawValue)
    } _: {
      PendingFollowSummary(author: RowAuthor($0.author), askedAtMilliseconds: $0.askedAt.milliseconds)
    }
    return response
  }

  /// A page of the account's lists.
  func lists(_ request: PageRequest) throws(EngineError) -> ListListsResponse {
    let lists = try Self.attempt { () throws(StoreError) in try reader.madeLists(of: account) }
    var response = ListListsResponse()
    (response.lists, response.nextPageToken) = try Pager.page(request, of: lists, for: Method.listLists) {
      PageKey(number: $0.id.rawValue)
    } _: {
      ListSummary($0)
    }
    return response
  }

  /// A page of the authors in a list of the account.
  func members(_ request: ListMembersRequest) throws(EngineError) -> ListMembersResponse {
    let list = try list(request.list)
    let authors = try Self.attempt { () throws(StoreError) in try reader.authors(in: list.id, of: account) } ?? []
    var response = ListMembersResponse()
    response.list = ListSummary(list)
    (response.authors, response.nextPageToken) = try Pager.page(request.page, of: authors, for: Method.listMembers) {
      PageKey($0)
    } _: {
      RowAuthor($0)
    }
    return response
  }

  /// A page of what the account has muted or blocked.
  func muted(_ request: PageRequest) throws(EngineError) -> ListMutedResponse {
    let muted = try Self.attempt { () throws(StoreError) in
      try reader.snapshot { () throws(StoreError) in try reader.muted(by: account) }
    }
    var response = ListMutedResponse()
    (response.items, response.nextPageToken) = try Pager.page(request, of: muted, for: Method.listMuted) {
      $0.key
    } _: {
      $0.item
    }
    return response
  }

  /// The content of a pane that does not show a conversation.
  func pane(_ subject: StackCommand.Subject) throws(EngineError) -> PaneContent {
    switch subject {
    case .conversation: preconditionFailure("conversations are loaded separately, with their posts")
    case .author(let reference): return .author(try author(reference))
    case .list(let reference): return .list(try list(reference).id)
    case .direct(let number):
      let group = AudienceGroupID(Int64(clamping: number))
      guard try Self.attempt({ () throws(StoreError) in try reader.people(of: group, for: account) }) != nil else {
        throw EngineError(
          .notFound,
          "there is no direct conversation \(number); each row in messages carries the ID of its conversation")
      }
      return .direct(group)
    case .search(let text): return try PaneContent(searching: text)
    }
  }

  // MARK: Parts

  private func authorOrOwn(_ reference: String) throws(EngineError) -> AuthorID {
    if !reference.isEmpty { return try author(reference) }
    guard let own = try Self.attempt({ () throws(StoreError) in try reader.localAuthor(of: account) }) else {
      throw EngineError(.notFound, "there is no account \(account.rawValue)")
    }
    return own.id
  }

  /// The error for a post that does not exist or that the account may not see.
  static func missing(post reference: String) -> EngineError {
    missing("post", reference, "use a post ID or source:id")
  }

  private static func missing(_ what: String, _ reference: String, _ advice: String) -> EngineError {
    EngineError(.notFound, "there is no \(what) \(reference.shortened); \(advice)")
  }

  /// Runs `body`, mapping store failures to protocol errors.
  static func attempt<Value>(_ body: () throws(StoreError) -> Value) throws(EngineError) -> Value {
    do throws(StoreError) {
      return try body()
    } catch {
      throw EngineError(error)
    }
  }
}

extension ListSummary {
  fileprivate init(_ list: Store.MadeList) {
    self.init()
    listID = UInt64(list.id.rawValue)
    name = list.name.string
    authorCount = list.authorCount
    postCount = list.postCount
  }
}

extension Muted {
  /// The key in a list of all muted items.
  fileprivate var key: PageKey {
    switch self {
    case .author(let author): PageKey(author, rank: 0)
    case .blocked(let author): PageKey(author, rank: 1)
    case .word(let word): PageKey(rank: 2, text: word)
    case .conversation(let post, _): PageKey(rank: 3, number: post.id.rawValue)
    }
  }

  /// The item as a message.
  fileprivate var item: MutedItem {
    switch self {
    case .author(let author): .author(RowAuthor(author))
    case .blocked(let author): .blocked(RowAuthor(author))
    case .word(let word): .word(word)
    case .conversation(let post, let author):
      .conversation(
        MutedConversation(
          postID: UInt64(post.id.rawValue), author: RowAuthor(author), text: post.body.unpacked()?.text.utf8 ?? []))
    }
  }
}
