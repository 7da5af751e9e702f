import Messages
import Posts
import RPC
import Services
import Simulation
import Testing
import ViewState

@Suite("Files for new posts")
struct UploadServiceTests {
  /// A daemon whose source `fake` has a program with a login of its own, and an upload.
  private final class Setting {
    private let source: FakeSource
    var daemon: DirectDaemon { source.daemon }
    var program: FakeProgram { source.program }
    private(set) var end: Status?
    private(set) var response: UploadMediaResponse?
    let call: ClientCall

    init(takesMedia: Bool = true) throws {
      var hello = UpstreamHello(commands: [.post])
      hello.takesMedia = takesMedia
      source = try FakeSource(hello)
      source.bring("n1", in: .home)
      call = try source.client.start(Method.uploadMedia)
      call.queueLimitBytes = 4 << 20
      call.onMessage = { [unowned self] _, bytes in response = try? UploadMediaResponse(decoding: bytes) }
      call.onEnd = { [unowned self] _, status, _ in end = status }
    }

    func header(bytes: Int, type: String = "image/png", source: String = "fake", parent: String = "") throws {
      var header = UploadMediaHeader()
      (header.source, header.inReplyTo, header.mediaType, header.description) = (source, parent, type, "A cat")
      header.byteCount = UInt64(bytes)
      try call.send(UploadMediaRequest.header(header).encoded())
      daemon.runUntilIdle()
    }

    func chunk(_ bytes: [UInt8]) throws {
      try call.send(UploadMediaRequest.chunk(bytes).encoded())
      daemon.runUntilIdle()
    }

    func say(_ message: UpstreamMessage) {
      program.say(message)
      daemon.runUntilIdle()
    }

    /// The program says that the server has the file.
    func sayUploaded() {
      var answer = UpstreamAnswer(id: "w1", .done(nativeID: "", permalink: .empty))
      answer.reply.media = Media(kind: .image, url: "https://a.example/1.png", altText: .empty, uploadID: "1142")
      say(.answer(answer))
    }

    /// The lengths of the parts that the program has been sent.
    var parts: [Int] {
      program.heard.compactMap { if case .part(want: "w1", let bytes) = $0 { bytes.count } else { nil } }
    }
  }

  private static let part = [UInt8](repeating: 7, count: UpstreamUpload.partBytes)

  @Test("parts are passed on as the program asks for them, and its answer is the call's") func upload() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    try setting.header(bytes: 2 * Self.part.count + 1)
    let file = UpstreamUpload(mediaType: "image/png", description: "A cat", byteCount: 2 * Self.part.count + 1)
    #expect(setting.program.heard.last == .want(id: "w1", .upload(file, login: "fake")))
    try setting.chunk(Self.part)
    try setting.chunk(Self.part)
    #expect(setting.parts == [])
    setting.say(.more(want: "w1", parts: 1))
    #expect(setting.parts == [Self.part.count])
    setting.say(.more(want: "w2", parts: 9))
    setting.say(.more(want: "w1", parts: -1))
    #expect(setting.parts.count == 1)
    setting.say(.more(want: "w1", parts: .max))
    try setting.chunk([1])
    setting.call.closeSend()
    setting.daemon.runUntilIdle()
    #expect(setting.parts == [Self.part.count, Self.part.count, 1] && setting.end == nil)
    setting.sayUploaded()
    #expect(setting.end?.code == .ok && setting.response?.media.id == "1142" && setting.response?.media.login == "fake")
    #expect(setting.response?.media.media.altText == Array("A cat".utf8), "what the client has said")
  }

  @Test("a client that sends more than is asked for is held back") func pace() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    try setting.header(bytes: 64 * Self.part.count)
    for _ in 0..<64 { try setting.chunk(Self.part) }
    #expect(setting.call.queuedBytes > 1 << 20, "the rest is with the client")
    setting.say(.more(want: "w1", parts: 1_000))
    #expect(setting.parts.count == 64 && setting.call.queuedBytes == 0)
  }

  @Test("a program that does not take its input gets one part, whatever it has asked for") func slowProgram() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    setting.program.isBusy = true
    try setting.header(bytes: 64 * Self.part.count)
    setting.say(.more(want: "w1", parts: 512))
    for _ in 0..<64 { try setting.chunk(Self.part) }
    #expect(setting.parts.count == 1 && setting.call.queuedBytes > 1 << 20)
    setting.program.takeAll()
    setting.daemon.runUntilIdle()
    #expect(setting.parts.count == 2)
    setting.program.isBusy = false
    setting.program.takeAll()
    setting.daemon.runUntilIdle()
    #expect(setting.parts.count == 64 && setting.call.queuedBytes == 0)
  }

  @Test("small chunks make whole parts, and an empty one is refused") func smallChunks() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    try setting.header(bytes: Self.part.count + 100)
    setting.say(.more(want: "w1", parts: 16))
    let chunk = [UInt8](repeating: 1, count: 1_000)
    for _ in 0..<32 { try setting.chunk(chunk) }
    #expect(setting.parts == [])
    try setting.chunk([UInt8](repeating: 1, count: 868))
    #expect(setting.parts == [Self.part.count, 100])
    let other = try Setting()
    defer { other.daemon.close() }
    try other.header(bytes: 3)
    try other.chunk([])
    #expect(other.end?.code == .invalidArgument)
  }

  @Test("a program that answers before it has the file does not have it") func early() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    try setting.header(bytes: 3)
    setting.say(.more(want: "w1", parts: 16))
    try setting.chunk([1, 2])
    setting.sayUploaded()
    #expect(setting.end?.code == .unavailable && setting.response == nil)
  }

  @Test("what cannot be a file, and what has nowhere to go, is refused") func refusals() throws {
    let wrong: [(bytes: Int, type: String, source: String, parent: String, code: StatusCode)] = [
      (0, "image/png", "fake", "", .invalidArgument), ((16 << 20) + 1, "image/png", "fake", "", .invalidArgument),
      (1, "image", "fake", "", .invalidArgument), (1, "image/a\r\nb", "fake", "", .invalidArgument),
      (1, "image/png", "", "", .invalidArgument), (1, "image/png", "stack", "", .invalidArgument),
      (1, "image/png", "none", "", .notFound), (1, "image/png", "", "77", .notFound),
    ]
    for (bytes, type, source, parent, code) in wrong {
      let setting = try Setting()
      defer { setting.daemon.close() }
      try setting.header(bytes: bytes, type: type, source: source, parent: parent)
      #expect(setting.end?.code == code, "\(type) \(source) \(parent): \(setting.end?.message ?? "")")
      #expect(!setting.program.heard.contains { if case .want = $0 { true } else { false } })
    }
    let other = try Setting(takesMedia: false)
    defer { other.daemon.close() }
    try other.header(bytes: 1)
    #expect(other.end?.code == .failedPrecondition)
  }

  @Test("the bytes must be as many as was said", arguments: [2, 4]) func length(bytes: Int) throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    try setting.header(bytes: 3)
    setting.say(.more(want: "w1", parts: 16))
    try setting.chunk([UInt8](repeating: 1, count: bytes))
    setting.call.closeSend()
    setting.daemon.runUntilIdle()
    #expect(setting.end?.code == .invalidArgument)
    #expect(setting.program.heard.last == .unwanted(id: "w1") && setting.parts.count <= 1)
  }

  @Test("a call that is cancelled takes the want back") func cancelled() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    try setting.header(bytes: 3)
    setting.call.cancel()
    setting.daemon.runUntilIdle()
    #expect(setting.program.heard.last == .unwanted(id: "w1"))
  }

  @Test("the program has ten minutes, and its end ends the call") func patience() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    try setting.header(bytes: 3)
    setting.daemon.advance(by: .seconds(599))
    #expect(setting.end == nil)
    setting.daemon.advance(by: .seconds(2))
    #expect(setting.end?.code == .unavailable)
    let other = try Setting()
    defer { other.daemon.close() }
    try other.header(bytes: 3)
    other.program.end(UpstreamEnd(reason: "it died"))
    other.daemon.runUntilIdle()
    #expect(other.end?.code == .unavailable)
    let absent = try Setting()
    defer { absent.daemon.close() }
    absent.program.end(UpstreamEnd(reason: "it died"))
    try absent.header(bytes: 3)
    #expect(absent.end?.code == .unavailable, "it is started again")
  }
}
