import ClientTransport
import Messages
import RPC
import Testing
import UV
import ViewState

@Suite("Requests to follow, over RPC")
struct FollowRequestTests {
  private func requests(_ client: TestClient, size: Int = 0, token: String = "") throws -> ListFollowRequestsResponse {
    try client.call(Method.listFollowRequests, PageRequest(size: size, token: token))
  }

  private func names(_ requests: [PendingFollowSummary]) -> [String] {
    requests.map { String(decoding: $0.author.handle, as: UTF8.self) }
  }

  private func call(_ client: TestClient, _ method: String, _ author: String) throws {
    _ = try client.call(method, AuthorRequest(author: author), RevisionResponse.self)
  }

  private func follow(_ client: TestClient, _ author: String) throws -> FollowResponse {
    try client.call(Method.follow, AuthorRequest(author: author))
  }

  private func texts(_ client: TestClient, _ subject: Subject? = nil) throws -> [String] {
    var request = GetRowsRequest(layout: .test)
    request.count = 50
    request.subject = subject
    return try client.call(Method.getRows, request, GetRowsResponse.self).rows.map {
      String(decoding: $0.content.fields.text, as: UTF8.self)
    }
  }

  @Test("a follow asks, and the asked account approves, refuses and removes; its mentions show what is open")
  func decisions() throws {
    try withBench { bench in
      let people = try People(bench, follows: .ask)
      let (ann, bea) = (people.ann, people.bea)
      var secret = ComposeRequest(text: "for those whom I approved")
      secret.visibility = .followers
      _ = try ann.call(Method.compose, secret, ComposeResponse.self)
      let asked = try follow(bea, "@ann")
      #expect(asked.isPending && asked.revision > 0)
      #expect(try follow(bea, "@ann") == asked, "asking twice is asking once")
      #expect(try names(requests(ann).requests) == ["bea"] && requests(bea).requests.isEmpty)
      #expect(try requests(ann).requests[0].askedAtMilliseconds > 0)
      #expect(try texts(ann, .section(.mentions)).map { $0.hasPrefix("@bea asks to follow you") } == [true])
      #expect(try texts(bea).isEmpty)
      try call(ann, Method.refuseFollow, "@bea")
      #expect(try requests(ann).requests.isEmpty && texts(ann, .section(.mentions)).isEmpty && texts(bea).isEmpty)
      _ = try follow(bea, "@ann")
      try call(ann, Method.approveFollow, "@bea")
      #expect(try texts(bea) == ["for those whom I approved"] && texts(ann, .section(.mentions)).isEmpty)
      #expect(try !follow(bea, "@ann").isPending)
      try call(ann, Method.removeFollower, "@bea")
      #expect(try texts(bea).isEmpty)
      for (method, words) in [
        (Method.approveFollow, "@bea has not asked to follow you"), (Method.refuseFollow, "@bea has not asked"),
        (Method.removeFollower, "@bea does not follow you"),
      ] {
        let refusal = try ann.refusal(of: method, AuthorRequest(author: "@bea"))
        #expect(refusal.code == .failedPrecondition && refusal.message.contains(words), "\(refusal)")
        #expect(try ann.refusal(of: method, AuthorRequest(author: "@nobody")).code == .notFound)
      }
      _ = try follow(bea, "@ann")
      try call(bea, Method.unfollow, "@ann")
      #expect(try requests(ann).requests.isEmpty, "unfollowing withdraws")
    }
  }

  @Test("requests come in pages, newest first, and each account sees its own") func pages() throws {
    try withBench { bench in
      let people = try People(bench, follows: .ask)
      for client in [people.bea, people.cyd] { _ = try follow(client, "@ann") }
      _ = try follow(people.ann, "@cyd")
      let all = try requests(people.ann).requests
      #expect(Set(names(all)) == ["bea", "cyd"] && all[0].askedAtMilliseconds >= all[1].askedAtMilliseconds)
      let first = try requests(people.ann, size: 1)
      #expect(first.requests == [all[0]] && !first.nextPageToken.isEmpty)
      let second = try requests(people.ann, size: 1, token: first.nextPageToken)
      #expect(second.requests == [all[1]] && second.nextPageToken.isEmpty)
      #expect(try names(requests(people.cyd).requests) == ["ann"])
    }
  }

  @Test("an administrator sets who can follow; everybody may know it; a new store without a group asks") func setting()
    throws
  {
    try withBench { bench in
      let people = try People(bench, follows: nil)
      let owner = people.bench.owner
      #expect(try owner.status().follows == .ask && people.ann.status().follows == .ask)
      let refusal = try people.ann.refusal(of: Method.setFollowPolicy, FollowPolicyMessage(.open))
      #expect(refusal.code == .permissionDenied && refusal.message.contains("admin"))
      #expect(try owner.refusal(of: Method.setFollowPolicy, EmptyMessage()).message.contains("1 is open, 2 is ask"))
      #expect(try owner.call(Method.setFollowPolicy, FollowPolicyMessage(.open)) == FollowPolicyMessage(.open))
      #expect(try people.ann.status().follows == .open)
      #expect(try !follow(people.bea, "@ann").isPending)
      try people.bench.daemon.stop()
      try people.bench.daemon.start()
      #expect(try people.bench.daemon.connect().status().follows == .open, "after a restart")
    }
  }
}
