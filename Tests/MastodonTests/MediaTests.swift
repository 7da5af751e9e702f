import Codecs
import Dates
import HTTPSupport
import Ingest
import Posts
import Testing

@testable import Mastodon

@Suite("Files for posts")
struct MediaTests {
  private static let facts = """
    {"version":"4.5.0","configuration":{"statuses":{"max_characters":500,"max_media_attachments":4},
    "media_attachments":{"supported_mime_types":["image/png","video/mp4"],"image_size_limit":200000,"video_size_limit":300000,
    "description_limit":10}}}
    """

  /// A connector that is asked to send a file.
  private static func asked(
    type: String = "image/png", bytes: Int = 3, description: String = "A cat", facts: String = facts
  ) -> ConnectorBench {
    var bench = ConnectorBench.withLogin()
    bench.answer("/api/v2/instance", 200, facts)
    bench.take(.streamOpened(bench.streams[0].number, status: 200))
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    _ = bench.batches()
    bench.lines = []
    bench.tell(
      #"{"want":"upload","id":"w1","login":"ann@a.example","type":"\#(type)","bytes":"\#(bytes)","description":"\#(description)"}"#
    )
    return bench
  }

  private static func send(_ bytes: [UInt8], to bench: inout ConnectorBench) {
    bench.tell(#"{"part":"w1","data":"\#(Base64.encode(bytes))"}"#)
  }

  /// Lets time pass while the stream is alive.
  private static func pass(_ seconds: Int64, of bench: inout ConnectorBench) {
    bench.pass(seconds: seconds)
    bench.take(.streamReceived(bench.streams[0].number, Array(":thump\n\n".utf8)))
  }

  private static let made = #"{"id":"1142","type":"image","url":"https://a.example/1.png","description":"A cat"}"#
  private static let answer =
    #"{"id":"w1","ok":true,"media":{"id":"1142","kind":"image","url":"https://a.example/1.png","alt":"A cat"}}"#

  @Test("a file is sent with its description once all of its parts are here") func sent() throws {
    var bench = Self.asked()
    #expect(bench.lines == [#"{"say":"more","id":"w1","parts":16}"#])
    Self.send([1, 2], to: &bench)
    #expect(bench.fetches.isEmpty)
    Self.send([3], to: &bench)
    let request = try #require(bench.fetches.first?.request)
    #expect(request.authorization == "Bearer t0k3n" && request.method == nil)
    let form = String(decoding: request.files?.bytes ?? [], as: UTF8.self)
    #expect(form.contains(#"name="description"\#r\#n\#r\#nA cat\#r\#n"#) && form.contains(#"filename="file.png""#))
    #expect(form.contains("Content-Type: image/png\r\n\r\n\u{1}\u{2}\u{3}\r\n"))
    bench.answer("/api/v2/media", 200, Self.made)
    #expect(bench.lines.last == Self.answer)
  }

  @Test("the daemon is asked for parts as they are read") func credit() {
    var bench = Self.asked(bytes: 100)
    for _ in 0..<8 { Self.send([1], to: &bench) }
    #expect(bench.lines.suffix(1) == [#"{"say":"more","id":"w1","parts":8}"#])
    for _ in 0..<91 { Self.send([1], to: &bench) }
    #expect(bench.fetches.isEmpty)
    Self.send([1], to: &bench)
    #expect(bench.fetches.count == 1)
  }

  @Test("a server that makes a file ready is asked after 1, 2, 4 … 15 s") func processing() {
    var bench = Self.asked()
    Self.send([1, 2, 3], to: &bench)
    let waiting = #"{"id":"1142","type":"image","url":null,"preview_url":"https://a.example/s.png"}"#
    bench.answer("/api/v2/media", 202, waiting)
    for pause in [1, 2, 4, 8, 15, 15] as [Int64] {
      Self.pass(pause - 1, of: &bench)
      #expect(bench.fetches.isEmpty)
      Self.pass(1, of: &bench)
      bench.answer("/api/v1/media/1142", pause == 4 ? 503 : 206, waiting)
    }
    Self.pass(15, of: &bench)
    bench.answer("/api/v1/media/1142", 200, Self.made)
    #expect(bench.lines.last == Self.answer)
  }

  @Test("a file with an address is ready, whatever the status") func accepted() {
    var bench = Self.asked()
    Self.send([1, 2, 3], to: &bench)
    bench.answer("/api/v2/media", 202, Self.made)
    #expect(bench.lines.last == Self.answer)
  }

  @Test("a file that is not ready within five minutes has failed") func tooSlow() {
    var bench = Self.asked()
    Self.send([1, 2, 3], to: &bench)
    bench.answer("/api/v2/media", 202, #"{"id":"1142","type":"video","url":null}"#)
    for _ in 0..<30 where !bench.lines.contains(where: { $0.contains(#""ok":false"#) }) {
      Self.pass(15, of: &bench)
      if !bench.fetches.isEmpty { bench.answer("/api/v1/media/1142", 206, #"{"id":"1142","url":null}"#) }
    }
    #expect(bench.lines.last?.contains("not made the file ready within five minutes") == true)
  }

  @Test(
    "what the server does not take is refused before it is sent, with its limits",
    arguments: [
      ("image/heic", 3, "", "a.example takes no image/heic, only image/png, video/mp4"),
      ("image/png", 200_001, "", "a.example takes pictures of up to 0.2 MB, and this one has 0.3 MB"),
      ("video/mp4", 300_001, "", "a.example takes videos and sounds of up to 0.3 MB, and this one has 0.4 MB"),
      ("image/png", 3, "A cat asleep", "a.example takes descriptions of up to 10 characters, and this one has 12"),
    ])
  func refused(type: String, bytes: Int, description: String, words: String) {
    let bench = Self.asked(type: type, bytes: bytes, description: description)
    #expect(bench.lines == [#"{"id":"w1","ok":false,"reason":"\#(words)"}"#] && bench.fetches.isEmpty)
  }

  @Test("a server that says nothing of files gets any; its own refusal is told") func unlimited() {
    var bench = Self.asked(type: "image/heic", facts: #"{"version":"2.7.2 (compatible; Akkoma 3)","upload_limit":100}"#)
    Self.send([1, 2, 3], to: &bench)
    bench.answer("/api/v2/media", 404, "{}")
    bench.answer("/api/v1/media", 422, #"{"error":"not a picture"}"#)
    #expect(bench.lines.last == #"{"id":"w1","ok":false,"reason":"the server says: not a picture"}"#)
    let akkoma = Self.asked(bytes: 101, facts: #"{"version":"2.7.2 (compatible; Akkoma 3)","upload_limit":100}"#)
    #expect(akkoma.lines.last?.contains("up to 100 bytes, and this one has 101 bytes") == true)
  }

  @Test("an answer counts also after the stream has broken; nothing is sent twice") func streamBroken() {
    var bench = Self.asked()
    Self.send([1, 2, 3], to: &bench)
    bench.take(.streamEnded(bench.streams[0].number, "the server closed the stream"))
    bench.answer("/api/v2/media", 200, Self.made)
    #expect(bench.lines.contains(Self.answer))
    var failing = Self.asked()
    Self.send([1, 2, 3], to: &failing)
    failing.take(.fetched(failing.fetches.removeFirst().number, .failure(FetchFailure("the connection broke"))))
    #expect(failing.lines.last == #"{"id":"w1","ok":false,"reason":"the connection broke"}"#)
    failing.pass(seconds: 60)
    #expect(!failing.fetches.contains { $0.request.url.path == "/api/v2/media" })
  }

  @Test("one that nobody waits for any more, and that of a login that is gone, are dropped") func dropped() {
    var bench = Self.asked()
    bench.tell(#"{"want":"nothing","id":"w1"}"#)
    Self.send([1, 2, 3], to: &bench)
    #expect(bench.lines.last == #"{"id":"w1","ok":true}"# && bench.fetches.isEmpty)
    var gone = Self.asked()
    gone.tell(#"{"tell":"gone","login":"ann@a.example"}"#)
    #expect(gone.lines.contains(#"{"id":"w1","ok":false,"reason":"the login is gone"}"#))
    var longer = Self.asked()
    Self.send([1, 2, 3, 4], to: &longer)
    #expect(longer.lines.last?.contains("not have the announced length") == true)
  }

  @Test("one that is dropped while the server has it to read is under way until the server answers") func droppedLate()
  {
    var bench = Self.asked()
    Self.send([1, 2, 3], to: &bench)
    bench.tell(#"{"want":"nothing","id":"w1"}"#)
    bench.tell(
      #"{"want":"upload","id":"w2","login":"ann@a.example","type":"image/png","bytes":"3","description":""}"#)
    #expect(!bench.lines.contains { $0.contains(#""ok""#) || $0.contains("w2") })
    bench.answer("/api/v2/media", 202, #"{"id":"1142","url":null}"#)
    #expect(bench.lines.contains(#"{"id":"w1","ok":false,"reason":"nobody waits for the file"}"#))
    #expect(bench.lines.last == #"{"say":"more","id":"w2","parts":16}"#)
    Self.pass(600, of: &bench)
    #expect(!bench.fetches.contains { $0.request.url.path == "/api/v1/media/1142" })
  }

  @Test("when the login is signed out, no file waits any more", arguments: [true, false]) func signedOut(isWhole: Bool)
  {
    var bench = Self.asked()
    bench.tell(
      #"{"want":"upload","id":"w2","login":"ann@a.example","type":"image/png","bytes":"3","description":""}"#)
    if isWhole { Self.send([1, 2, 3], to: &bench) }
    bench.take(.streamEnded(bench.streams[0].number, "the server closed the stream"))
    for want in isWhole ? ["w2"] : ["w1", "w2"] {
      #expect(bench.lines.contains(#"{"id":"\#(want)","ok":false,"reason":"the server closed the stream"}"#))
    }
    guard isWhole else { return }
    bench.answer("/api/v2/media", 401, #"{"error":"revoked"}"#)
    #expect(bench.lines.contains(#"{"id":"w1","ok":false,"reason":"the server says: revoked"}"#))
    #expect(bench.lastStatus.contains(#""state":"signed_out""#))
  }

  @Test("a file that the server makes ready fails when the login is signed out") func signedOutWhileMade() {
    var bench = Self.asked()
    Self.send([1, 2, 3], to: &bench)
    bench.answer("/api/v2/media", 202, #"{"id":"1142","url":null}"#)
    bench.take(.streamEnded(bench.streams[0].number, "the server closed the stream"))
    #expect(!bench.lines.contains { $0.contains(#""ok":false"#) })
    bench.pass(seconds: 120)
    bench.take(.streamOpened(bench.streams[1].number, status: 401))
    // The question that is under way is answered once more.
    bench.answer("/api/v1/media/1142", 206, #"{"id":"1142","url":null}"#)
    #expect(bench.lines.contains { $0.hasPrefix(#"{"id":"w1","ok":false"#) })
  }

  @Test("an answer to an earlier login of the name changes nothing of the later") func earlierLogin() {
    var bench = Self.asked()
    Self.send([1, 2, 3], to: &bench)
    bench.tell(#"{"tell":"login","login":"ann@a.example","account":"ann","cursors":{}}"#)
    #expect(bench.lines.contains(#"{"id":"w1","ok":false,"reason":"the login is gone"}"#))
    let statuses = bench.lines.count { $0.contains(#""say":"status""#) }
    bench.answer("/api/v2/media", 401, #"{"error":"revoked"}"#)
    #expect(bench.lines.count { $0.contains(#""say":"status""#) } == statuses)
    bench.answer("/api/v2/instance", 200, Self.facts)
    #expect(bench.streams.count == 2)
  }

  @Test("at most 25 files are sent in half an hour") func rate() {
    var uploads = MediaUploads()
    for number in 0..<26 {
      uploads.add("w\(number)", MediaUploads.File(type: "image/png", description: "", byteCount: 1), boundary: "b")
      _ = uploads.next(MediaLimits(), at: ConnectorBench.start, host: "a.example")
      uploads.append([1], to: "w\(number)")
      guard let question = uploads.next(MediaLimits(), at: ConnectorBench.start, host: "a.example") else { continue }
      uploads.answered(question, .refused("no"), nil, at: ConnectorBench.start, parser: .init())
    }
    guard case .failed(want: "w25", let reason)? = uploads.takeOutcomes().last else { return #expect(Bool(false)) }
    #expect(reason.contains("25 files in 30 minutes"))
  }

  /// A post with two files that was written some time ago, and what is asked for it.
  private static func waiting(hours: Int64) -> (bench: WriterBench, wish: Wish, writing: Wish.Writing) {
    let bench = WriterBench()
    var wish = WriterBench.post("1", since: bench.now.adding(milliseconds: -hours * 3_600_000))
    guard case .post(var writing) = wish.action else { preconditionFailure("no post") }
    writing.media = ["m1", "m2"]
    wish.action = .post(writing)
    return (bench, wish, writing)
  }

  @Test("files of a post that has waited are looked for first", arguments: [200, 404, 405]) func forgotten(status: Int)
  {
    var (bench, wish, _) = Self.waiting(hours: 2)
    bench.writer.add(wish, at: bench.now)
    let facts = bench.server.facts(bench.clock)
    for file in ["m1", "m2"] {
      guard let question = bench.writer.next(facts, at: bench.now) else { break }
      #expect(question == .file(file))
      let answer = RequestBudgetTests.response(status, [:], body: #"{"id":"\#(file)"}"#)
      bench.writer.answered(question, .success(answer), host: "a.example", at: bench.now)
    }
    _ = bench.writer.next(facts, at: bench.now)
    bench.collect()
    let isThere = status != 404
    #expect(bench.answers["1"]?.count ?? 0 == (isThere ? 0 : 1) && bench.stores == (isThere ? 1 : 0))
    if !isThere {
      #expect(
        bench.answers["1"] == [.refused("the server does not have the files of this post any more; write it again")])
    }
    (bench, wish, _) = Self.waiting(hours: 0)
    bench.writer.add(wish, at: bench.now)
    #expect(bench.writer.next(facts, at: bench.now) == nil, "a new one is tried at once")
  }

  @Test("a post that the server has made without its files is told of") func passedOver() throws {
    var (bench, wish, writing) = Self.waiting(hours: 0)
    bench.writer.add(wish, at: bench.now)
    let facts = bench.server.facts(bench.clock)
    #expect(bench.writer.next(facts, at: bench.now) == nil)
    bench.writer.stored(true)
    let next = bench.writer.next(facts, at: bench.now)
    let question = try #require(next)
    #expect(question == .post(writing, parent: nil, key: "1"))
    let made = RequestBudgetTests.response(200, [:], body: ServerTests.status("9"))
    bench.writer.answered(question, .success(made), host: "a.example", at: bench.now)
    bench.collect()
    #expect(bench.warnings.count == 1 && bench.warnings[0].hasPrefix("the server has made a post without its files: "))
    // Where the server says so itself, the reason is not one of replies.
    var refused = Self.waiting(hours: 0).bench
    refused.writer.add(wish, at: refused.now)
    _ = refused.writer.next(facts, at: refused.now)
    refused.writer.stored(true)
    _ = refused.writer.next(facts, at: refused.now)
    refused.writer.answered(
      question, .success(RequestBudgetTests.response(404, [:], body: "{}")), host: "a.example", at: refused.now)
    refused.writer.stored(true)
    refused.collect()
    #expect(refused.answers["1"] == [.refused("the server does not have the files of this post")])
  }

  @Test("a post names its files, and one with too many is refused") func post() {
    var bench = WriterBench()
    var wish = WriterBench.post("1")
    guard case .post(var writing) = wish.action else {
      Issue.record("no post")
      return
    }
    writing.media = ["m1", "m2"]
    wish.action = .post(writing)
    let question = WriterQuestion.post(writing, parent: nil, key: "1")
    let server = MastodonServer(url: WebURL("https://a.example/")!)
    #expect(question.request(to: server).form?.hasSuffix("&media_ids%5B%5D=m1&media_ids%5B%5D=m2") == true)
    var facts = bench.server.facts(bench.clock)
    facts.mediaCount = 1
    bench.writer.add(wish, at: bench.now)
    #expect(bench.writer.next(facts, at: bench.now) == nil)
    bench.collect()
    #expect(
      bench.answers["1"] == [.refused("\(facts.host) takes posts with up to 1 files, and this one has 2")])
  }
}
