import Messages
import TestSupport
import Testing
import ViewState

@Suite("Messages round-trip")
struct RoundTripTests {
  @Test("frames of every operation", arguments: seeds(0..<200 as Range<UInt64>))
  func frames(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let held = RandomView.make(using: &random)
    var target = held
    for _ in 0..<5 { target = RandomView.change(target, using: &random) }
    for (base, reset) in [(held, nil), (ViewSnapshot(), ResetReason.first)] {
      let frame = Frame(
        number: seed, baseRevision: base.revision, to: target, reset: reset, operations: target.operations(from: base),
        welcome: reset.map { _ in
          Welcome(viewID: 3, session: "main", daemonVersion: "0.1.0", limits: limits)
        })
      #expect(try Frame(decoding: frame.encoded()) == frame, "seed \(seed)")
    }
  }

  private var limits: Welcome.Limits {
    var limits = Welcome.Limits()
    limits.requestBytes = 65536
    limits.windowRows = 200
    limits.responseBytes = 1 << 20
    limits.panes = 64
    limits.stallTimeoutMilliseconds = 60_000
    return limits
  }

  static var hello: Hello {
    var layout = LayoutParameters(width: 80, height: 24)
    layout.widthProfile = .cluster
    layout.ambiguousWidth = 2
    layout.isSinglePane = true
    layout.timeZone = "Europe/Berlin"
    layout.timeStyle = .words
    layout.locale = "de"
    layout.showsWholeTexts = true
    var viewport = ViewportParameters()
    viewport.paneID = 1
    viewport.anchorRow = 2
    viewport.line = 3
    viewport.generation = 4
    let row = Resume.HeldRow(rowID: 9, fingerprint: .max, caps: .top)
    let resume = Resume(
      epoch: 1, revision: 2, layoutKey: 3, labelsAtMilliseconds: -4,
      panes: [Resume.HeldPane(paneID: 5, rows: [row]), Resume.HeldPane(paneID: 6, rows: [])])
    return Hello(session: "work", layout: layout, viewport: viewport, client: "test 1", resume: resume)
  }

  @Test(
    "client frames",
    arguments: [
      ClientFrame.hello(hello), .hello(Hello(subject: .search("é 漢"), layout: hello.layout, client: "")),
      .hello(Hello(subject: .section(.messages), layout: hello.layout, client: "")), .viewport(hello.viewport!),
      .layout(hello.layout), .ack(7), .bye,
    ])
  func clientFrames(frame: ClientFrame) throws { #expect(try ClientFrame(decoding: frame.encoded()) == frame) }

  @Test(
    "import requests",
    arguments: [
      ImportRequest.header(format: "auto", source: "x", isMe: true, dryRun: true, publishes: true),
      .file(name: "tweets.js", size: 132),
      .chunk([0, 1, 255]), .chunk([]),
    ])
  func imports(request: ImportRequest) throws { #expect(try ImportRequest(decoding: request.encoded()) == request) }

  @Test("unknown enum values of a layout and a direction are read as defaults; those of sections are refused")
  func unknownValues() throws {
    let layout: [UInt8] = [0x12, 10, 0x08, 99, 0x10, 80, 0x18, 24, 0x20, 99, 0x40, 99]
    let said = try ClientFrame(decoding: [0x0A, 12] + layout)
    guard case .hello(let read) = said else {
      Issue.record("\(said) is not a hello")
      return
    }
    #expect(read.layout.widthProfile == .sum && read.layout.timeStyle == .veryShort && read.layout.points == nil)
    #expect(try GetRowsRequest(decoding: [0x0A] + layout[1...] + [0x28, 99]).direction == .down)
    let path = "subject.section"
    #expect(throws: DecodingFailure("\(path) is 99, which is not a known value", field: path)) {
      try GetRowsRequest(decoding: [0x0A] + layout[1...] + [0x12, 2, 0x08, 99])
    }
    #expect(throws: DecodingFailure("hello.\(path) is 99, which is not a known value", field: "hello.\(path)")) {
      try ClientFrame(decoding: [0x0A, 16] + layout + [0x32, 2, 0x08, 99])
    }
  }

  @Test("requests and responses") func others() throws {
    try same(WatchRequest(hello: Self.hello))
    try same(MoveViewportRequest(viewID: 1, viewport: Self.hello.viewport!))
    for subject in [
      Subject.section(.timeline), .post("twitter:1"), .conversation("7"), .section(.messages), .author("@ann"),
      .list("friends"),
      .search("é 漢"), .direct(.max),
    ] {
      var request = GetRowsRequest(layout: Self.hello.layout)
      request.subject = subject
      request.direction = .up
      request.anchorRow = 9
      request.count = 200
      try same(request)
    }
    var random = SeededGenerator(seed: 1)
    let rows = (1...5).map { RandomView.row($0, using: &random) }
    try same(GetRowsResponse(rows: rows, revision: 4, hasMore: true, labelsAtMilliseconds: -1, indent: 2))
    try same(ExportRequest(publicOnly: true))
    try same(ExportResponse(lines: Array("{}\n".utf8), count: 1))
    try same(EmptyMessage())
  }

  @Test("import reports and daemon status") func reports() throws {
    var response = ImportResponse()
    response.read = 1
    response.new = 2
    response.changed = 3
    response.same = 4
    response.skipped = 5
    response.bytes = 6
    response.skips = [ImportResponse.Skip(file: "f", position: 7, reason: "no text")]
    response.isDone = true
    response.format = "jsonl"
    response.revision = 8
    try same(response)
    var status = DaemonStatus()
    status.daemonVersion = "0.1.0"
    status.processID = 1
    status.startedAtMilliseconds = 2
    status.epoch = 3
    status.revision = 4
    status.postCount = 5
    status.viewCount = 6
    status.connectionCount = 7
    status.account = "ann"
    status.storePath = "/s"
    status.isLoaded = true
    status.follows = .ask
    try same(status)
  }

  private func same<Value: WireMessage & Equatable>(_ value: Value) throws {
    #expect(try Value(decoding: value.encoded()) == value)
  }
}

@Suite("Bad bytes are refused and never crash")
struct BadBytesTests {
  @Test("damaged frames decode and apply, or fail", arguments: seeds(0..<300 as Range<UInt64>))
  func damage(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let target = RandomView.make(using: &random)
    var bytes = Frame(
      number: 1, baseRevision: 0, to: target, reset: .first, operations: target.operations(from: ViewSnapshot())
    ).encoded()
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
    }
    if let frame = try? Frame(decoding: bytes) {
      var view = ViewSnapshot()
      try? view.apply(frame)
    }
    _ = try? Frame(decoding: Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))))
  }

  @Test(
    "a size out of range names its field",
    arguments: [
      (0, 24, "layout.width", "layout.width is 0; it must be 1 to 10,000"),
      (80, 10_001, "layout.height", "layout.height is 10001; it must be 1 to 10,000"),
    ])
  func sizes(width: Int, height: Int, field: String, reason: String) {
    let request = GetRowsRequest(layout: LayoutParameters(width: width, height: height))
    #expect(throws: DecodingFailure(reason, field: field)) { try GetRowsRequest(decoding: request.encoded()) }
  }

  @Test("missing parts are named") func missing() throws {
    #expect(throws: DecodingFailure("layout is missing", field: "layout")) { try GetRowsRequest(decoding: []) }
    #expect(throws: DecodingFailure("hello is missing", field: "hello")) { try WatchRequest(decoding: []) }
    #expect(throws: DecodingFailure("not a message of type ServerFrame")) { try Frame(decoding: [0xFF]) }
    #expect(try ClientFrame(decoding: []) == .unknown)
    #expect(throws: DecodingFailure.self) { try ImportRequest(decoding: []) }
    #expect(throws: DecodingFailure.self) { try PushRequest(decoding: []) }
  }
}
