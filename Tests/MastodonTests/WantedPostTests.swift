import HTTPSupport
import Testing

@testable import Mastodon

@Suite("Posts that people want to see")
struct WantedPostTests {
  private static let want = ##"{"want":"conversation","id":"w1","login":"ann@a.example","post":"https://b.example/7"##
  private static let known = want + ##"","aliases":["b.example#3","a.example#7"]}"##
  private static let path = "/api/v1/statuses/7/context"

  private static func context(_ ancestors: [String] = [], _ descendants: [String] = []) -> String {
    func list(_ ids: [String]) -> String { ids.map { ServerTests.status($0) }.joined(separator: ",") }
    return #"{"ancestors":[\#(list(ancestors))],"descendants":[\#(list(descendants))]}"#
  }

  private static func answer(_ bench: ConnectorBench) -> String? { bench.lines.first { $0.contains(#""id":"w1""#) } }

  @Test("what is before and after the post comes in no list, and the want is answered when it is stored") func context()
  {
    var bench = ConnectorBench.live()
    bench.tell(Self.known)
    bench.answer(Self.path, 200, Self.context(["5"], ["8", "9"]))
    #expect(Self.answer(bench) == nil)
    let batches = bench.batches()
    #expect(batches.count == 1 && batches[0].split(separator: #""in":[]"#).count == 4)
    #expect(Self.answer(bench) == #"{"id":"w1","ok":true}"#)
  }

  @Test("a post whose number is not known is looked for by its address") func finding() {
    var bench = ConnectorBench.live()
    bench.tell(Self.want + #""}"#)
    let found = ServerTests.status("7").replacing("/users/ben/statuses/7", with: "/7")
    bench.answer("/api/v2/search", 200, #"{"statuses":[\#(found)]}"#)
    bench.answer(Self.path, 200, Self.context())
    #expect(Self.answer(bench) == #"{"id":"w1","ok":true}"#)
    bench.lines = []
    bench.tell(Self.want + #""}"#)
    bench.answer("/api/v2/search", 200, #"{"statuses":[]}"#)
    #expect(Self.answer(bench)?.contains("does not have this post") == true)
  }

  @Test("a server that is fetching replies is asked again as it says, for half a minute") func refreshing() {
    var bench = ConnectorBench.live()
    bench.tell(Self.known)
    let fields = ["mastodon-async-refresh": #"id="abc", retry=12, result_count=2"#]
    bench.answer(Self.path, 200, Self.context([], ["8"]), fields: fields)
    #expect(bench.batches().count == 1 && bench.fetches.isEmpty)
    bench.pass(seconds: 11)
    #expect(bench.fetches.isEmpty)
    bench.pass(seconds: 1)
    bench.answer(Self.path, 200, Self.context([], ["8", "9"]), fields: fields)
    bench.pass(seconds: 12)
    #expect(Self.answer(bench) == nil)
    bench.answer(Self.path, 200, Self.context(), fields: fields)
    _ = bench.batches()
    #expect(Self.answer(bench) == #"{"id":"w1","ok":true}"# && bench.fetches.isEmpty)
  }

  @Test("what nobody waits for is asked behind the timelines", arguments: [true, false]) func unasked(isUnasked: Bool) {
    var bench = ConnectorBench.withLogin()
    bench.connect()
    bench.tell(isUnasked ? Self.known.replacing("]}", with: #"],"unasked":true}"#) : Self.known)
    #expect(bench.fetches.contains { $0.request.url.path == Self.path } != isUnasked)
    guard isUnasked else { return }
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    bench.answer(Self.path, 200, Self.context())
    _ = bench.batches()
    #expect(Self.answer(bench) == #"{"id":"w1","ok":true}"#)
  }

  @Test("a search brings posts and people") func search() {
    var bench = ConnectorBench.live()
    bench.tell(#"{"want":"search","id":"w1","login":"ann@a.example","text":"otters & co"}"#)
    #expect(bench.fetches[0].request.url.query == "q=otters%20%26%20co&resolve=true&limit=40")
    let person = #"{"id":"3","acct":"eve","display_name":"Eve","uri":"https://a.example/users/eve"}"#
    bench.answer("/api/v2/search", 200, #"{"statuses":[\#(ServerTests.status("8"))],"accounts":[\#(person)]}"#)
    let sent = bench.batches().joined()
    #expect(sent.contains(#"{"person":{"id":"https://a.example/users/eve","handle":"eve","name":"Eve"}}"#))
    #expect(sent.contains("statuses/8") && sent.contains(#""in":[]"#) && Self.answer(bench)?.contains("true") == true)
  }

  @Test("the posts of an author are found by the address") func author() {
    var bench = ConnectorBench.live()
    let want = #"{"want":"author","id":"w1","login":"ann@a.example","author":"https://b.example/users/ben"}"#
    bench.tell(want)
    let person = #"{"id":"3","acct":"ben@b.example","display_name":"Ben","uri":"https://b.example/users/ben"}"#
    bench.answer("/api/v2/search", 200, #"{"accounts":[\#(person)]}"#)
    bench.answer("/api/v1/accounts/3/statuses", 200, "[\(ServerTests.status("8"))]")
    #expect(bench.batches().joined().contains("statuses/8") && Self.answer(bench)?.contains("true") == true)
    bench.lines = []
    bench.tell(want)
    bench.answer("/api/v2/search", 200, #"{"accounts":[]}"#)
    #expect(Self.answer(bench)?.contains("does not have this author") == true)
  }

  @Test("an account without an address is the author if its posts say so", arguments: ["ben", "eve"])
  func authorByPosts(name: String) {
    var bench = ConnectorBench.live()
    bench.tell(
      #"{"want":"author","id":"w1","login":"ann@a.example","author":"https://b.example/users/\#(name)"}"#)
    let person = #"{"id":"3","acct":"ben@b.example","display_name":"Ben","url":"https://b.example/@ben"}"#
    bench.answer("/api/v2/search", 200, #"{"accounts":[\#(person)]}"#)
    let status = ServerTests.status("8").replacing(#","uri":"https://b.example/users/ben"}"#, with: "}")
    bench.answer("/api/v1/accounts/3/statuses", 200, "[\(status)]")
    #expect(bench.batches().joined().contains("statuses/8") == (name == "ben"))
    #expect(Self.answer(bench)?.contains(#""ok":\#(name == "ben")"#) == true)
  }

  @Test("a search brings no person who would be another than the author of their posts", arguments: [true, false])
  func pages(isAkkoma: Bool) {
    var bench = ConnectorBench.live()
    bench.tell(#"{"want":"search","id":"w1","login":"ann@a.example","text":"@eve"}"#)
    let pleroma = isAkkoma ? #","pleroma":{"ap_id":"https://a.example/users/eve"}"# : ""
    let person = #"{"id":"3","acct":"eve","display_name":"Eve","url":"https://a.example/@eve"\#(pleroma)}"#
    bench.answer("/api/v2/search", 200, #"{"statuses":[],"accounts":[\#(person)]}"#)
    #expect(bench.batches().joined().contains(#"{"person":{"id":"https://a.example/users/eve""#) == isAkkoma)
    #expect(Self.answer(bench)?.contains("true") == true)
  }

  @Test("a refusal is said in the server's words, and costs no connection", arguments: [404, 403, 503])
  func refused(status: Int) {
    var bench = ConnectorBench.live()
    bench.tell(Self.known)
    bench.answer(Self.path, status, #"{"error":"Not for you"}"#)
    #expect(Self.answer(bench)?.contains(#""ok":false"#) == true && bench.closed.isEmpty)
  }

  @Test("while the server cannot be reached a want is refused, and so are those that are open when it fails")
  func unreachable() {
    var bench = ConnectorBench.live()
    bench.tell(Self.known)
    bench.take(.streamEnded(bench.streams[0].number, "the server closed the stream"))
    #expect(Self.answer(bench)?.contains("the server closed the stream") == true)
    bench.lines = []
    bench.tell(Self.known)
    #expect(Self.answer(bench)?.contains("cannot be reached now") == true)
  }

  @Test("a want that nobody waits for is dropped") func dropped() {
    var bench = ConnectorBench.live()
    bench.tell(Self.known)
    bench.tell(#"{"want":"nothing","id":"w1"}"#)
    bench.answer(Self.path, 200, Self.context([], ["8"]))
    #expect(bench.batches().isEmpty && Self.answer(bench) == #"{"id":"w1","ok":true}"#)
  }
}
