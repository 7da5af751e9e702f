import Codecs
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

  @Test("a post names its files, and one with too many is refused") func post() {
    var bench = WriterBench()
    var wish = WriterBench.post("1")
    guard case .post(var writing) = wish.action else { return }
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
