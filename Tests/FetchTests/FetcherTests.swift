import HTTPSupport
import Testing
import UV

@testable import Fetch

@Suite("Fetching")
struct FetcherTests {
  @Test("validators come back byte for byte, and a 304 has no body") func conditional() throws {
    let tag: [UInt8] = Array("W/\"caf\u{00E9} \"".utf8) + [0xFF]
    let date = Array("Sun,  06 nov 94".utf8)
    try withServer { server in
      server.answer(Array("HTTP/1.1 304 Not Modified\r\nETag: new\r\n\r\n".utf8))
      let response = try server.fetch(validators: .init(entityTag: tag, lastModified: date)).get()
      #expect(response.status == 304 && response.body.isEmpty)
      #expect(response.fields.contains { $0.name == "etag" && $0.value == Array("new".utf8) })
      let request = try #require(server.requests.first)
      #expect(Self.contains(request, Array("\r\nIf-None-Match: ".utf8) + tag + [13, 10]))
      #expect(Self.contains(request, Array("\r\nIf-Modified-Since: ".utf8) + date + [13, 10]))
      #expect(!Self.contains(request, Array("Cookie".utf8)) && !Self.contains(request, Array("Referer".utf8)))
    }
  }

  @Test("a redirect is an answer like any other") func redirects() throws {
    try withServer { server in
      server.answer(Array("HTTP/1.1 301 Moved\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n".utf8))
      let response = try server.fetch().get()
      #expect(response.status == 301 && response.url.path == "/a" && response.address == "127.0.0.1")
      #expect(response.fields.contains { $0.name == "location" && $0.value == Array("/b".utf8) })
    }
  }

  @Test(
    "what is cut off or too much is refused with a reason",
    arguments: [
      ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi", "the response ended before it was complete"),
      ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 2_000_000), "the response is longer than 1 MiB"),
      ("", "127.0.0.1 closed the connection without a response"),
      (
        "HTTP/1.1 200 OK\r\n" + String(repeating: "A: \(String(repeating: "b", count: 900))\r\n", count: 100) + "\r\n",
        "the response has more than 64 KiB of header fields"
      ),
    ])
  func failures(answer: String, reason: String) throws {
    try withServer { server in
      server.answer(Array(answer.utf8))
      #expect(throws: FetchFailure.self) { try server.fetch().get() }
      #expect(server.lastFailure == reason)
    }
  }

  @Test("an address of this machine is not asked, unless that is allowed") func privateAddresses() throws {
    try withServer { server in
      _ = server.fetch(isLocal: false)
      #expect(server.lastFailure == "127.0.0.1 is an address of this machine or of a private network")
      #expect(server.requests.isEmpty)
    }
  }

  @Test("a connection is not used again: its address would not be checked") func reuse() throws {
    try withServer { server in
      server.keepsConnections = true
      for _ in 0..<2 { server.answer(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".utf8)) }
      let response = try server.fetch().get()
      #expect(response.status == 200)
      _ = server.fetch(isLocal: false)
      #expect(server.lastFailure == "127.0.0.1 is an address of this machine or of a private network")
      #expect(server.requests.count == 1)
    }
  }

  @Test("an international name is asked for in ASCII") func international() throws {
    for (host, sent) in [("bücher.example", "xn--bcher-kva.example"), ("faß。example", "xn--fa-hia.example")] {
      try withServer(isProxy: true) { server in
        server.answer(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".utf8))
        let response = try server.fetch(WebURL("http://\(host)/ä"), isLocal: false).get()
        #expect(response.status == 200)
        #expect(server.requests.first?.starts(with: "GET http://\(sent)/%C3%A4 HTTP/1.1\r\n".utf8) == true)
      }
    }
    for (host, isPrivate) in [("１２７.0.0.1", true), ("ⓛocalhost", true), ("\u{0301}.example", false)] {
      try withServer(isProxy: true) { server in
        _ = server.fetch(WebURL("http://\(host)/"), isLocal: false)
        #expect(server.requests.isEmpty)
        #expect(
          server.lastFailure.hasSuffix(
            isPrivate ? " is an address of this machine or of a private network" : " is not a valid name of a host"))
      }
    }
  }

  @Test("a response that drips is ended, one that comes late is not") func slowness() {
    var pace = ResponsePace()
    pace.begin(at: 0)
    #expect(!pace.isTooSlow(bytes: 0, at: 30) && !pace.isTooSlow(bytes: 4_096, at: 31))
    #expect(pace.isTooSlow(bytes: 150 * 32, at: 32))
    #expect(!pace.isTooSlow(bytes: 1 << 20, at: 286) && pace.isTooSlow(bytes: 1 << 20, at: 287))
  }

  @Test("the time in which a file is sent is none of the response's") func slowSending() {
    var pace = ResponsePace()
    #expect(!pace.isTooSlow(bytes: 0, at: 500))
    // "100 Continue" is not the response.
    pace.begin(at: 1)
    pace.begin(at: 400)
    #expect(!pace.isTooSlow(bytes: 100, at: 430) && pace.isTooSlow(bytes: 100, at: 431))
    #expect(ResponsePace.limits(sendsFile: true).total >= 600)
    #expect(ResponsePace.limits(sendsFile: true).response > ResponsePace.limits(sendsFile: false).response)
  }

  @Test("a proxy is used for names alone; a private address is not asked, with or without one") func proxy() throws {
    for (host, isAsked) in [("127.example", true), ("10.0.0.1", false), ("[fd00::1]", false)] {
      try withServer(isProxy: true) { server in
        server.answer(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".utf8))
        _ = server.fetch(WebURL("http://\(host)/a"), isLocal: false)
        #expect(server.requests.count == (isAsked ? 1 : 0), "\(host): \(server.lastFailure)")
        #expect(isAsked || server.lastFailure == "\(host) is an address of this machine or of a private network")
      }
    }
  }

  @Test("a form is posted with credentials, and its answer is like any other") func forms() throws {
    try withServer { server in
      server.answer(Array("HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nhi".utf8))
      let response = try server.fetch(form: "a=b&c=%20", authorization: "Bearer t").get()
      #expect(response.status == 201)
      let request = String(decoding: try #require(server.requests.first), as: UTF8.self)
      #expect(request.hasPrefix("POST /a HTTP/1.1\r\n") && request.hasSuffix("\r\n\r\na=b&c=%20"))
      #expect(request.contains("\r\nAuthorization: Bearer t\r\n"))
      #expect(request.contains("\r\nContent-Type: application/x-www-form-urlencoded\r\n"))
    }
  }

  @Test("a form with a file is posted byte by byte", arguments: [3, 3 << 20]) func files(count: Int) throws {
    try withServer { server in
      server.answer(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".utf8))
      var form = MultipartForm(boundary: "b0")
      form.beginFile("file", called: "file.png", type: "image/png", byteCount: count)
      form.append(Array(repeatElement([0, 0xFF, 0x0A], count: count / 3).joined()))
      form.end()
      #expect(try server.fetch(files: form).get().status == 200)
      let request = try #require(server.requests.first)
      #expect(request.suffix(form.bytes.count) == form.bytes[...])
      let head = String(decoding: request.dropLast(form.bytes.count), as: UTF8.self)
      #expect(head.hasPrefix("POST /a HTTP/1.1\r\n") && head.contains("\r\nContent-Length: \(form.bytes.count)\r\n"))
      #expect(head.contains("\r\nContent-Type: multipart/form-data; boundary=b0\r\n") && !head.contains("Expect"))
    }
  }

  @Test("a stream is told part by part, and ends with a reason") func streams() throws {
    try withServer { server in
      server.answer(Array("HTTP/1.1 200 OK\r\n\r\ndata: 1\n\n".utf8))
      #expect(server.stream() == ["opened 200", "data: 1\n\n", "ended: the server closed the stream"])
      server.answer(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8))
      #expect(server.stream().first == "opened 404")
      server.answer([])
      #expect(server.stream() == ["ended: 127.0.0.1 closed the connection without a response"])
    }
  }

  @Test("by a socket bytes go both ways, as they are") func sockets() throws {
    try withServer { server in
      server.answer(Array("pong".utf8))
      let events = server.stream(sending: Array("ping\r\n\r\n".utf8))
      #expect(events == ["connected", "pong", "ended: the server closed the stream"])
      #expect(server.requests == [Array("ping\r\n\r\n".utf8)])
    }
  }

  @Test("who sends while an event is told is not told another one") func sendingWithin() throws {
    try withServer { server in
      server.answer([UInt8](repeating: 0x2E, count: 1 << 20))
      let events = server.stream(sending: Array("ping\r\n\r\n".utf8), echo: Array("pong".utf8))
      #expect(events.filter { $0.hasPrefix(".") }.reduce(0) { $0 + $1.utf8.count } == 1 << 20)
      #expect(!server.hasNestedEvents)
    }
  }

  @Test("a closed fetcher ends its requests and leaves the loop empty") func closing() throws {
    try withServer { server in
      server.start()
      server.fetcher.close()
      server.fetcher.close()
    }
  }

  private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  private func withServer(isProxy: Bool = false, _ body: (ScriptedServer) throws -> Void) throws {
    let loop = try Loop()
    let server = try ScriptedServer(loop: loop, isProxy: isProxy)
    do {
      try body(server)
    } catch {
      server.close()
      try loop.close()
      throw error
    }
    server.close()
    try loop.close()
  }
}

/// A server on loopback, or a proxy, that gives each connection one answer, in order, and closes.
final class ScriptedServer {
  let fetcher: Fetcher
  private(set) var requests: [[UInt8]] = []
  /// True to leave connections open after an answer.
  var keepsConnections = false
  private(set) var lastFailure = ""
  /// True if an event of a stream was told within another one.
  private(set) var hasNestedEvents = false
  private let loop: Loop
  private var listener: Listener?
  private var answers: [[UInt8]] = []
  private var streams: [UV.Stream] = []

  init(loop: Loop, isProxy: Bool) throws {
    self.loop = loop
    let address = try #require(SocketAddress(host: "127.0.0.1", port: 0))
    var accept: (UV.Stream) -> Void = { _ in }
    let listener = try Listener(loop: loop, .tcp(address)) { accept($0) }
    let port = listener.localAddress?.port ?? 0
    fetcher = try Fetcher(
      loop: loop, userAgent: "test",
      proxies: ProxySettings { isProxy && $0 == "all_proxy" ? "http://127.0.0.1:\(port)" : nil })
    self.listener = listener
    accept = { [unowned self] in self.accept($0) }
  }

  func answer(_ bytes: [UInt8]) { answers.append(bytes) }

  private var url: WebURL? {
    listener?.localAddress.flatMap { WebURL("http://127.0.0.1:\($0.port)/a") }
  }

  private func accept(_ stream: UV.Stream) {
    streams.append(stream)
    var request: [UInt8] = []
    try? stream.startReadingArrays { [unowned self] bytes in
      request += bytes
      guard Self.isWhole(request) else { return }
      requests.append(request)
      guard !answers.isEmpty else { return stream.close() }
      guard !keepsConnections else {
        request = []
        return _ = try? stream.write(answers.removeFirst())
      }
      stream.stopReading()
      _ = try? stream.write(answers.removeFirst()) { _ in stream.close() }
      if !stream.isWriting { stream.close() }
    } onEnd: { _ in
      stream.close()
    }
  }

  /// True if a request has its header fields and as much of a body as they say.
  private static func isWhole(_ request: [UInt8]) -> Bool {
    guard let end = request.prefix(4_096).firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
    let text = String(decoding: request[..<end.lowerBound], as: UTF8.self)
    let length = text.firstRange(of: "Content-Length: ").flatMap { Int(text[$0.upperBound...].prefix { $0.isNumber }) }
    return request.count - end.upperBound >= length ?? 0
  }

  /// Opens a stream or, to send bytes, a socket, and returns what comes of it. `echo` is sent for whatever arrives.
  func stream(sending bytes: [UInt8]? = nil, echo: [UInt8] = []) -> [String] {
    var events: [String] = []
    var isTold = false
    guard let url else { fatalError("no server") }
    let request = FetchRequest(url, allowsPrivateAddresses: true)
    var number: UInt = 0
    let take = { [unowned self] (event: Fetcher.StreamEvent) in
      if isTold { hasNestedEvents = true }
      isTold = true
      defer { isTold = false }
      switch event {
      case .connected:
        events.append("connected")
        fetcher.send(bytes ?? [], to: number)
      case .opened(let status): events.append("opened \(status)")
      case .bytes(let bytes):
        events.append(String(decoding: bytes, as: UTF8.self))
        if !echo.isEmpty { fetcher.send(echo, to: number) }
      case .ended(let reason):
        events.append("ended: \(reason)")
        loop.stop()
      }
    }
    number = bytes == nil ? fetcher.openStream(request, onEvent: take) : fetcher.openSocket(request, onEvent: take)
    loop.run()
    return events
  }

  func fetch(
    _ other: WebURL? = nil, validators: ResponseFields.Validators = .init(), form: String? = nil,
    files: MultipartForm? = nil, authorization: String? = nil, isLocal: Bool = true
  ) -> Result<FetchResponse, FetchFailure> {
    var result: Result<FetchResponse, FetchFailure>?
    guard let url = other ?? url else { fatalError("no server") }
    var request = FetchRequest(
      url, validators: validators, allowsPrivateAddresses: isLocal, byteLimit: 1 << 20)
    (request.form, request.files, request.authorization) = (form, files, authorization)
    fetcher.fetch(request) {
      result = $0
      self.loop.stop()
    }
    loop.run()
    if case .failure(let failure)? = result { lastFailure = failure.reason }
    guard let result else { fatalError("no result") }
    return result
  }

  func start() {
    guard let url else { return }
    fetcher.fetch(FetchRequest(url, allowsPrivateAddresses: true)) { _ in }
  }

  func close() {
    fetcher.close()
    listener?.close()
    for stream in streams { stream.close() }
  }
}
