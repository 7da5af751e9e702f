import ClientTransport
import Messages
import RPC
import Testing
import UV
import ViewState

@Suite("Following, lists and profiles")
struct ListServiceTests {
  private func lists(_ client: TestClient) throws -> [ListSummary] {
    try client.call(Method.listLists, PageRequest(), ListListsResponse.self).lists
  }

  private func members(_ client: TestClient, _ list: String) throws -> ListMembersResponse {
    try client.call(Method.listMembers, ListMembersRequest(list: list), ListMembersResponse.self)
  }

  private func profile(_ client: TestClient, _ author: String = "") throws -> ProfileSummary {
    try client.call(Method.getProfile, AuthorRequest(author: author), GetProfileResponse.self).profile
  }

  private func follows(_ client: TestClient, of author: String = "", followers: Bool = false) throws -> [String] {
    var request = FollowsRequest()
    request.author = author
    let method = followers ? Method.listFollowers : Method.listFollowing
    return try client.call(method, request, FollowsResponse.self).authors.map {
      String(decoding: $0.handle, as: UTF8.self)
    }
  }

  @Test(
    "new accounts follow all others; unfollowing removes posts from the timeline, and following restores them")
  func following() throws {
    try withBench { bench in
      let people = try People(bench)
      let owner = try people.bench.owner.whoAmI().account.name
      #expect(try follows(people.ann) == ["bea", "cyd", owner].sorted())
      #expect(try follows(people.ann, of: "@bea", followers: true) == ["ann", "cyd", owner].sorted())
      let post = try people.bea.post("for those who follow").postID
      #expect(try people.ann.rows().rows.map(\.rowID) == [post])
      for _ in 0..<2 {
        let done = try people.ann.call(Method.unfollow, AuthorRequest(author: "bea"), RevisionResponse.self)
        #expect(done.revision > 0)
        #expect(try people.ann.rows().rows.isEmpty)
      }
      #expect(try follows(people.ann) == ["cyd", owner].sorted())
      _ = try people.ann.call(Method.follow, AuthorRequest(author: "stack:bea"), RevisionResponse.self)
      #expect(try people.ann.rows().rows.map(\.rowID) == [post])
      let own = try people.ann.refusal(of: Method.follow, AuthorRequest(author: "@ann"))
      #expect(own.code == .invalidArgument && own.message.contains("you"))
      for unknown in ["nobody", "twitter:4711", "4711", ""] {
        #expect(
          try people.ann.refusal(of: Method.follow, AuthorRequest(author: unknown)).code == .notFound, "\(unknown)")
      }
    }
  }

  @Test("a profile has both directions of following, and counts only visible posts") func profiles() throws {
    try withBench { bench in
      let people = try People(bench)
      try people.bea.post("one")
      var direct = ComposeRequest(text: "@cyd two")
      direct.visibility = .direct
      _ = try people.bea.call(Method.compose, direct, ComposeResponse.self)
      _ = try people.bea.call(Method.unfollow, AuthorRequest(author: "ann"), RevisionResponse.self)
      let seen = try profile(people.ann, "@bea")
      #expect(seen.author.handle == Array("bea".utf8) && !seen.isMe)
      #expect((seen.posts, seen.followers, seen.following) == (1, 3, 2))
      #expect(seen.isFollowed && !seen.followsMe)
      #expect(try profile(people.cyd, "\(seen.author.id)").posts == 2)
      let own = try profile(people.bea)
      #expect(own.isMe && own.posts == 2 && own.author == seen.author)
      #expect(try people.ann.refusal(of: Method.getProfile, AuthorRequest(author: "@nobody")).code == .notFound)
    }
  }

  @Test("an author without a name is called by the handle, as in rows") func nameless() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let line = TestImport.line(1).replacing(#","name":"Ann""#, with: "")
      _ = try TestImport(client, TestImport.requests(line)).report()
      let author = try profile(client, "@ann").author
      #expect(author.displayName == Array("ann".utf8))
      #expect(try client.rows().rows.map(\.content.fields.author) == [author])
      _ = try client.call(Method.createList, CreateListRequest(name: "list"), ListResponse.self)
      _ = try client.call(Method.addToList, ListMemberRequest(list: "list", author: "@ann"), ListResponse.self)
      #expect(try members(client, "list").authors == [author])
    }
  }

  @Test("lists are created, renamed, filled, emptied and deleted, by ID or name; each account has its own")
  func lifeOfAList() throws {
    try withBench { bench in
      let people = try People(bench)
      let post = try people.bea.post("hello").postID
      let made = try people.ann.call(Method.createList, CreateListRequest(name: "friends"), ListResponse.self)
      #expect(made.listID > 0 && made.revision > 0)
      _ = try people.ann.call(Method.addToList, ListMemberRequest(list: "friends", author: "@cyd"), ListResponse.self)
      let filled = try people.ann.call(
        Method.addToList, ListMemberRequest(list: "\(made.listID)", author: "@bea"), ListResponse.self)
      #expect(filled.listID == made.listID && filled.revision > made.revision)
      _ = try people.ann.call(Method.createList, CreateListRequest(name: "another"), ListResponse.self)
      let all = try lists(people.ann)
      #expect(
        all.map(\.name) == ["friends", "another"] && all.map(\.authorCount) == [2, 0] && all.map(\.postCount) == [1, 0])
      let one = try members(people.ann, "friends")
      #expect(one.authors.map(\.handle) == [Array("bea".utf8), Array("cyd".utf8)] && one.list == all[0])

      let renamed = try people.ann.call(
        Method.renameList, RenameListRequest(list: "friends", name: "pals"), ListResponse.self)
      #expect(renamed.listID == made.listID)
      _ = try people.ann.call(Method.removeFromList, ListMemberRequest(list: "pals", author: "@cyd"), ListResponse.self)
      #expect(try members(people.ann, "pals").authors.count == 1)
      var request = GetRowsRequest(layout: .test)
      request.subject = .list("pals")
      #expect(try people.ann.call(Method.getRows, request, GetRowsResponse.self).rows.map(\.rowID) == [post])

      #expect(try lists(people.bea).isEmpty)
      for reference in ["pals", "\(made.listID)"] {
        #expect(try people.bea.refusal(of: Method.deleteList, DeleteListRequest(list: reference)).code == .notFound)
        #expect(
          try people.bea.refusal(of: Method.listMembers, ListMembersRequest(list: reference)).code == .notFound)
      }
      #expect(
        try people.ann.call(Method.deleteList, DeleteListRequest(list: "pals"), ListResponse.self).listID == made.listID
      )
      #expect(try lists(people.ann).map(\.name) == ["another"])
    }
  }

  @Test("names that are empty, too long, a number, invisible or taken are refused") func names() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let one = try client.call(Method.createList, CreateListRequest(name: "one"), ListResponse.self).listID
      _ = try client.call(Method.createList, CreateListRequest(name: "two"), ListResponse.self)
      for name in [
        "", String(repeating: "x", count: 65), "  ", "\u{200B}", "\u{1B}\u{FFFD}", "\u{2060} \u{3000}", "1", "2026",
      ] {
        for (path, request) in [
          (Method.createList, CreateListRequest(name: name).encoded()),
          (Method.renameList, RenameListRequest(list: "one", name: name).encoded()),
        ] {
          var result: Result<[UInt8], Status>?
          client.channel.unary(path, request) { result = $0 }
          try bench.wait(for: path) { result != nil }
          guard case .failure(let status) = result else { throw Status.ok }
          #expect(status.code == .invalidArgument)
          #expect(try ErrorDetails(decoding: status.details).fieldViolations.map(\.field) == ["name"])
        }
      }
      // A sign makes a name of what Swift parses as a number.
      let signed = try client.call(Method.createList, CreateListRequest(name: "+\(one)"), ListResponse.self).listID
      #expect(try members(client, "\(one)").list.name == "one" && members(client, "+\(one)").list.listID == signed)
      #expect(try client.refusal(of: Method.createList, CreateListRequest(name: "one")).code == .alreadyExists)
      #expect(
        try client.refusal(of: Method.renameList, RenameListRequest(list: "two", name: "one")).code == .alreadyExists)
      let escape = try client.call(Method.createList, CreateListRequest(name: "a\u{1B}[2Jb"), ListResponse.self)
      #expect(try members(client, "\(escape.listID)").list.name.unicodeScalars.contains("\u{1B}") == false)
    }
  }

  @Test("an account has at most 100 lists") func limit() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      for number in 0..<100 {
        _ = try client.call(Method.createList, CreateListRequest(name: "list \(number)"), ListResponse.self)
      }
      let refusal = try client.refusal(of: Method.createList, CreateListRequest(name: "one more"))
      #expect(refusal.code == .resourceExhausted)
      #expect(try ErrorDetails(decoding: refusal.details).metadata["limit"] == "100")
    }
  }
}
