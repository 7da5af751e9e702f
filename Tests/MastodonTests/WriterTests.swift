import Dates
import HTTPSupport
import Ingest
import Posts
import Testing

@testable import Mastodon

/// A writer, its server and what came of its wishes.
struct WriterBench {
  var server = ModelServer()
  var writer: LoginWriter
  var clock = ServerClock()
  var now = RequestBudgetTests.now
  /// What the daemon has stored.
  var record = WritingRecord()
  var answers: [String: [Wish.Answer]] = [:]
  private(set) var stores = 0

  init() { writer = LoginWriter(record: WritingRecord(), parser: JSONParser()) }

  static func post(
    _ id: String, _ text: String = "Hello", replyingTo parent: String? = nil, visibility: Visibility = .public,
    isAgain: Bool = false, since: Instant = RequestBudgetTests.now
  ) -> Wish {
    var writing = Wish.Writing(text: text, visibility: visibility, since: since)
    writing.parent = parent.map { Wish.PostName(id: ModelServer.uri($0)) }
    return Wish(
      id: id, account: "ann", login: "ann@a.example", action: .post(writing), post: Wish.PostName(id: ""),
      isAgain: isAgain)
  }

  static func wish(_ id: String, _ action: Wish.Action, _ post: String, aliases: [String] = []) -> Wish {
    Wish(
      id: id, account: "ann", login: "ann@a.example", action: action,
      post: Wish.PostName(id: ModelServer.uri(post), aliases: aliases), isAgain: false)
  }

  private(set) var warnings: [String] = []

  mutating func collect() {
    for effect in writer.takeEffects() {
      switch effect {
      case .answer(let wish, let answer): answers[wish, default: []].append(answer)
      case .store(let record):
        self.record = record
        stores += 1
      case .warn(let words): warnings.append(words)
      }
    }
  }

  /// Carries out requests until there are no more, the requests at these places with a fault.
  mutating func run(_ faults: [Int: ModelServer.Fault] = [:]) {
    for index in 0..<1_000 {
      let question = writer.next(server.facts(clock), at: now)
      collect()
      guard let question else {
        guard stores > 0 else { return }
        stores -= 1
        writer.stored(true)
        continue
      }
      answer(question, faults[requests] ?? .none)
      requests += 1
      if index == 999 { Issue.record("requests without end") }
    }
  }

  private(set) var requests = 0

  mutating func answer(_ question: WriterQuestion, _ fault: ModelServer.Fault) {
    let request = question.request(to: MastodonServer(url: WebURL(ModelServer.origin)!, token: "t"))
    let result = server.respond(to: request, fault, at: now)
    if case .success(let response) = result { clock.add(date: response.field("date"), at: now) }
    writer.answered(question, result, host: ModelServer.host, at: now)
    collect()
  }

  mutating func add(_ wish: Wish) { writer.add(wish, at: now) }

  /// Adds a wish and carries it out. Returns the answer.
  @discardableResult
  mutating func carryOut(_ wish: Wish, _ faults: [Int: ModelServer.Fault] = [:]) -> Wish.Answer? {
    requests = 0
    add(wish)
    run(faults)
    return answers[wish.id]?.last
  }

  /// The daemon asks again for a post, after some time.
  mutating func again(_ wish: Wish, afterSeconds seconds: Int64 = 61) -> Wish.Answer? {
    now = now.adding(milliseconds: seconds * 1_000)
    var wish = wish
    wish.isAgain = true
    return carryOut(wish)
  }

  /// The program is killed and starts anew with what the daemon has stored.
  mutating func kill() {
    writer = LoginWriter(record: WritingRecord(text: record.text), parser: JSONParser())
    stores = 0
  }

  /// The answer for a status that was made.
  static func done(_ id: String) -> Wish.Answer {
    .done(id: ModelServer.uri(id), page: "\(ModelServer.origin)/@ann/\(id)")
  }
}

@Suite("Writing to a server")
struct WriterTests {
  @Test("a post that the daemon could not record was not sent, and is no longer looked for") func unrecorded() {
    var bench = WriterBench()
    bench.add(WriterBench.post("w1"))
    #expect(bench.writer.next(bench.server.facts(bench.clock), at: bench.now) == nil)
    bench.writer.stored(false)
    bench.collect()
    #expect(
      bench.answers["w1"] == [.later("the daemon cannot store what is posted")] && bench.writer.record.text.isEmpty)
  }

  @Test("texts without letters are compared as they are") func emoji() throws {
    var lookup = PostLookup(
      Wish.Writing(text: "👍", visibility: .public, since: RequestBudgetTests.now), parent: nil,
      since: RequestBudgetTests.now, taken: [])
    func own(_ id: String, _ text: String) throws -> OwnStatus {
      var json = Array(
        #"{"id":"\#(id)","uri":"https://a.example/\#(id)","created_at":"2026-11-18T11:06:40.000Z","visibility":"public","#
          .utf8)
      json += Array(
        #""account":{"id":"1","acct":"ann","url":"https://a.example/@ann"},"content":"<p>\#(text)</p>"}"#.utf8)
      return try #require(try JSONParser().parse(&json) { value, _ in OwnStatus(value, host: "a.example") })
    }
    lookup.answer([try own("2", "!!!"), try own("1", "👎")])
    lookup.answer([])
    #expect(lookup.question == .source("1"), "both are looked at")
    lookup.answer(source: nil)
    lookup.answer(source: nil)
    #expect(lookup.outcome == .absent)
  }

  @Test("a post whose attempt is forgotten is sent again only if it is surely not there") func forgottenAttempt() {
    var attempts = PostAttempts(record: WritingRecord())
    #expect(attempts.missing("w1", isAbsent: false, keepsKeys: true, at: RequestBudgetTests.now) == .giveUp)
    #expect(attempts.missing("w1", isAbsent: true, keepsKeys: false, at: RequestBudgetTests.now) == .send)
  }

  @Test("a post: recorded as tried, sent with its key, recorded as made, answered with its names") func post() {
    var bench = WriterBench()
    bench.add(WriterBench.post("w1"))
    #expect(bench.writer.next(bench.server.facts(bench.clock), at: bench.now) == nil)
    bench.collect()
    #expect(bench.record.text == "t w1 1795000000000 1795000000000", "the daemon stores it before it is sent")
    bench.writer.stored(true)
    let question = bench.writer.next(bench.server.facts(bench.clock), at: bench.now)
    let request = question?.request(to: MastodonServer(url: WebURL(ModelServer.origin)!, token: "t"))
    #expect(request?.idempotencyKey == "w1" && request?.authorization == "Bearer t")
    #expect(request?.form == "status=Hello&visibility=public")
    bench.answer(question!, .none)
    #expect(bench.answers.isEmpty && bench.record.text == "p w1 n1")
    bench.writer.stored(true)
    bench.collect()
    #expect(bench.answers == ["w1": [WriterBench.done("n1")]])
  }

  @Test("what is said of a post is sent: warning, sensitive, language, visibility") func fields() {
    var wish = WriterBench.post("w1", visibility: .followers)
    guard case .post(var writing) = wish.action else { return }
    (writing.warning, writing.isSensitive, writing.language) = ("w", true, "de")
    wish.action = .post(writing)
    let form = WriterQuestion.post(writing, parent: nil, key: "w1")
      .request(to: MastodonServer(url: WebURL(ModelServer.origin)!)).form
    #expect(form == "status=Hello&spoiler_text=w&sensitive=true&language=de&visibility=private")
  }

  @Test(
    "a reply is for no more people than its parent",
    arguments: [
      (Visibility.public, "unlisted", "unlisted"), (.unlisted, "public", "unlisted"), (.public, "private", "private"),
      (.direct, "public", "direct"), (.public, "local", "local"), (.followers, "odd", "odd"),
      (.direct, "local", "direct"),
    ])
  func narrowing(wanted: Visibility, parent: String, made: String) {
    var bench = WriterBench()
    let id = bench.server.publish("parent", visibility: parent, at: bench.now)
    #expect(bench.carryOut(WriterBench.post("w1", replyingTo: id, visibility: wanted)) == WriterBench.done("n2"))
    #expect(bench.server.statuses[1].parent == id && bench.server.statuses[1].visibility == made)
  }

  @Test("a post is named by its number where the daemon knows it, else looked up by its address") func names() {
    var bench = WriterBench()
    bench.server.publish("one", at: bench.now)
    #expect(
      bench.carryOut(WriterBench.wish("w1", .favourite, "n1", aliases: ["b.example#7", "a.example#n1"])) == .done())
    #expect(bench.server.requests == ["POST /api/v1/statuses/n1/favourite"] && bench.server.favourites == ["n1"])
    #expect(bench.carryOut(WriterBench.wish("w2", .unfavourite, "n1")) == .done())
    #expect(bench.server.requests.suffix(2) == ["GET /api/v2/search", "POST /api/v1/statuses/n1/unfavourite"])
    #expect(bench.server.favourites.isEmpty)
  }

  @Test("of what is not there a deletion is done, and a mark refused", arguments: [["a.example#n9"], []])
  func absence(aliases: [String]) {
    var bench = WriterBench()
    for (id, action) in [("w1", Wish.Action.delete), ("w2", .unfavourite), ("w3", .unrepost)] {
      #expect(bench.carryOut(WriterBench.wish(id, action, "n9", aliases: aliases)) == .done())
    }
    for (id, action) in [("w4", Wish.Action.favourite), ("w5", .repost)] {
      #expect(
        bench.carryOut(WriterBench.wish(id, action, "n9", aliases: aliases))
          == .refused("the server does not have this post"))
    }
    #expect(
      bench.carryOut(WriterBench.post("w6", replyingTo: "n9"))
        == .refused("the server does not have the post that this replies to"))
  }

  @Test("an edit keeps what it does not name: media, warning, language") func edit() throws {
    let json = #"""
      {"id":"n1","uri":"https://a.example/n1","created_at":"2026-11-18T11:06:40Z","visibility":"public","language":"de",
      "account":{"id":"1","acct":"ann","uri":"https://a.example/users/ann"},"content":"<p>one</p>",
      "spoiler_text":"old","sensitive":true,"media_attachments":[{"id":"m1"},{"id":"m2"}]}
      """#
    let status = try #require(
      RequestBudgetTests.response(body: json).parsed(by: JSONParser()) { OwnStatus($0, host: "a.example") })
    var writing = Wish.Writing(text: "two", since: RequestBudgetTests.now)
    func form() -> String? {
      WriterQuestion.edit(status, writing).request(to: MastodonServer(url: WebURL(ModelServer.origin)!)).form
    }
    #expect(
      form() == "status=two&spoiler_text=old&sensitive=true&language=de&media_ids%5B%5D=m1&media_ids%5B%5D=m2")
    (writing.warning, writing.isSensitive) = ("", false)
    #expect(form()?.hasPrefix("status=two&spoiler_text=&sensitive=false&") == true)
    var bench = WriterBench()
    bench.server.publish("one", at: bench.now)
    #expect(bench.carryOut(WriterBench.wish("w1", .edit(writing), "n1")) == .done())
    #expect(bench.server.statuses.map(\.text) == ["two"])
  }

  @Test("the server's refusal is passed on in its words") func refusal() {
    var bench = WriterBench()
    #expect(bench.carryOut(WriterBench.post("w1", "refused")) == .refused("Validation failed: Text is too long"))
    #expect(bench.carryOut(WriterBench.post("w2")) == WriterBench.done("n1"), "the next one goes on")
  }

  static let unknownFaults: [ModelServer.Fault] = [.cutBefore, .cutAfter, .lateError, .notJSON, .unavailable]

  @Test("after an attempt without an answer the post is looked for", arguments: unknownFaults, [true, false])
  func unknown(fault: ModelServer.Fault, keepsKeys: Bool) {
    var bench = WriterBench()
    bench.server.keepsKeys = keepsKeys
    let wish = WriterBench.post("w1")
    let first = bench.carryOut(wish, [0: fault])
    if [.cutAfter, .lateError, .notJSON].contains(fault) {
      #expect(first == WriterBench.done("n1"))
    } else {
      #expect(first == .later("it is not known yet whether the server has this post"))
      let count = bench.server.requests.count
      #expect(bench.again(wish, afterSeconds: 30) == first && bench.server.requests.count == count)
      let last = bench.again(wish, afterSeconds: 31)
      if keepsKeys {
        #expect(last == WriterBench.done("n1"))
      } else {
        #expect(last == .refused("it is not known whether the server has this post; look there before you try again"))
      }
    }
    #expect(bench.server.made.count == (bench.answers["w1"]?.last == WriterBench.done("n1") ? 1 : 0))
  }

  @Test("a post that appears only later is found, and not made twice", arguments: [true, false])
  func late(keepsKeys: Bool) {
    var bench = WriterBench()
    bench.server.keepsKeys = keepsKeys
    let wish = WriterBench.post("w1")
    #expect(bench.carryOut(wish, [0: .lateCreation]) == .later("it is not known yet whether the server has this post"))
    #expect(bench.again(wish) == WriterBench.done("n1") && bench.server.made.count == 1)
  }

  @Test("a reply whose parent is deleted while nobody knows whether it was made is not said to be nowhere")
  func parentDeleted() {
    var bench = WriterBench()
    let parent = bench.server.publish("parent", at: bench.now)
    let wish = WriterBench.post("w1", replyingTo: parent)
    _ = bench.carryOut(wish, [1: .lateCreation])
    bench.server.delete(parent)
    #expect(
      bench.again(wish)
        == .refused("it is not known whether the server has this post; look there before you try again"))
  }

  @Test("a server that refuses to be looked at for a post does not say that there is none", arguments: [true, false])
  func refusedLookup(isReply: Bool) {
    var bench = WriterBench()
    let parent = bench.server.publish("parent", at: bench.now)
    let wish = WriterBench.post("w1", replyingTo: isReply ? parent : nil)
    _ = bench.carryOut(wish, [isReply ? 1 : 0: .lateError, isReply ? 2 : 1: .refused])
    #expect(bench.answers["w1"] == [.later("it is not known yet whether the server has this post")])
    #expect(bench.again(wish) == WriterBench.done("n2") && bench.server.made.count == 2)
    // Its own page may be refused, too.
    #expect(bench.carryOut(wish, [0: .refused]) == .later("the server says: the server answered 302"))
  }

  @Test("a key is not relied upon when it is nearly an hour old") func oldKey() {
    var bench = WriterBench()
    let wish = WriterBench.post("w1")
    _ = bench.carryOut(wish, [0: .cutBefore])
    let answer = bench.again(wish, afterSeconds: 51 * 60)
    #expect(answer == .refused("it is not known whether the server has this post; look there before you try again"))
  }

  @Test("what was not sent is tried again without more ado", arguments: [ModelServer.Fault.unsent, .tooMany])
  func unsent(fault: ModelServer.Fault) {
    var bench = WriterBench()
    bench.server.keepsKeys = false
    let wish = WriterBench.post("w1")
    guard case .later = bench.carryOut(wish, [0: fault]) else {
      Issue.record("it is not put off")
      return
    }
    #expect(bench.record.attempt == nil)
    bench.kill()
    #expect(bench.again(wish, afterSeconds: 1) == WriterBench.done("n1"))
  }

  @Test("killed at any moment, it is made once, or refused where nobody can tell", arguments: 0..<6, [true, false])
  func kills(moment: Int, keepsKeys: Bool) {
    var bench = WriterBench()
    bench.server.keepsKeys = keepsKeys
    let wish = WriterBench.post("w1")
    bench.add(wish)
    for step in 0..<moment {
      if let question = bench.writer.next(bench.server.facts(bench.clock), at: bench.now) {
        bench.answer(question, .none)
      } else {
        bench.collect()
        if step > 0 { bench.writer.stored(true) }
      }
    }
    bench.kill()
    var answer = bench.again(wish)
    if case .later = answer { answer = bench.again(wish) }
    #expect(bench.server.made.count <= 1)
    if keepsKeys || bench.server.made.count == 1 {
      #expect(answer == WriterBench.done("n1") && bench.server.made.count == 1)
    } else {
      #expect(
        answer == .refused("it is not known whether the server has this post; look there before you try again"))
    }
  }

  @Test("equal posts are told apart, also after a restart") func equals() {
    var bench = WriterBench()
    bench.server.keepsKeys = false
    #expect(bench.carryOut(WriterBench.post("w1")) == WriterBench.done("n1"))
    bench.kill()
    #expect(bench.again(WriterBench.post("w2"), afterSeconds: 1) == WriterBench.done("n2"))
    #expect(bench.again(WriterBench.post("w1"), afterSeconds: 1) == WriterBench.done("n1"))
    #expect(bench.server.made.count == 2)
  }

  @Test("while one post is looked for no other is sent, unless it was withdrawn") func order() {
    var bench = WriterBench()
    _ = bench.carryOut(WriterBench.post("w1"), [0: .cutBefore])
    #expect(bench.carryOut(WriterBench.post("w2", "other")) == .later("an earlier post is looked for first"))
    #expect(bench.carryOut(WriterBench.wish("w3", .favourite, "n9")) == .refused("the server does not have this post"))
    bench.now = bench.now.adding(milliseconds: PostAttempts.withdrawal + 1)
    #expect(bench.carryOut(WriterBench.post("w2", "other")) == WriterBench.done("n1"))
  }

  @Test("a status of another text, parent or audience, by another wish or from before is not taken for it")
  func lookup() {
    var bench = WriterBench()
    bench.server.keepsKeys = false
    let earlier = bench.now.adding(milliseconds: -120_000)
    bench.server.publish("Hello", at: earlier)
    bench.server.publish("Hello", visibility: "public", parent: "n1", at: bench.now)
    bench.server.publish("hello", at: bench.now)
    #expect(bench.again(WriterBench.post("w1", visibility: .followers), afterSeconds: 0) == WriterBench.done("n4"))
    #expect(bench.again(WriterBench.post("w2"), afterSeconds: 0) == WriterBench.done("n5"))
    #expect(bench.server.made.count == 5)
  }

  @Test("a server that does not tell what was sent is compared by letters") func visibleText() {
    var bench = WriterBench()
    bench.server.tellsSource = false
    let wish = WriterBench.post("w1", "Hello, world! 7")
    _ = bench.carryOut(wish, [0: .lateError])
    #expect(bench.answers["w1"] == [WriterBench.done("n1")] && bench.server.made.count == 1)
  }

  @Test("a server's wrong clock does not hide a post", arguments: [-7_200_000, 7_200_000] as [Int64])
  func wrongClock(skew: Int64) {
    var bench = WriterBench()
    bench.server.skew = skew
    #expect(bench.carryOut(WriterBench.post("w1"), [0: .lateError]) == WriterBench.done("n1"))
    #expect(bench.server.made.count == 1)
  }

  @Test("posts for mentioned people need not be listed, so they are not sent again") func direct() {
    var bench = WriterBench()
    let wish = WriterBench.post("w1", visibility: .direct)
    _ = bench.carryOut(wish, [0: .lateError])
    #expect(
      bench.again(wish) == .refused("it is not known whether the server has this post; look there before you try again")
    )
    #expect(bench.server.made.count == 1)
  }

  @Test("wishes are carried out in order, the same one once; more than can wait are put off") func queue() {
    var bench = WriterBench()
    for number in 1...LoginWriter.queueLimit + 2 { bench.add(WriterBench.post("w\(number)", "\(number)")) }
    bench.add(WriterBench.post("w1", "1"))
    bench.run()
    #expect(bench.server.made.map(\.text) == (1...LoginWriter.queueLimit).map(String.init))
    bench.collect()
    #expect(bench.answers["w66"] == [.later("too much waits")] && bench.answers["w1"]?.count == 1)
  }

  @Test("25 deletions in half an hour") func deletions() {
    var bench = WriterBench()
    for number in 1...26 { bench.server.publish("\(number)", at: bench.now) }
    for number in 1...26 {
      let answer = bench.carryOut(
        WriterBench.wish("w\(number)", .delete, "n\(number)", aliases: ["a.example#n\(number)"]))
      #expect((answer == .done()) == (number < 26))
    }
    bench.now = bench.now.adding(milliseconds: 30 * 60_000)
    #expect(bench.carryOut(WriterBench.wish("w26", .delete, "n26")) == .done())
  }

  @Test("a record is read as it was written; what cannot be read is passed over") func records() {
    var record = WritingRecord()
    for number in 0..<70 { record.add("n\(number)", of: "w\(number)") }
    record.attempt = WritingRecord.Attempt(wish: "w70", first: Instant(milliseconds: 1), last: Instant(milliseconds: 2))
    #expect(WritingRecord(text: record.text) == record && record.posted.count == WritingRecord.postedLimit)
    #expect(WritingRecord(text: "p w1\nt w1 x 2\nq\n\np a b c\np w1 n1").text == "p w1 n1")
  }
}
