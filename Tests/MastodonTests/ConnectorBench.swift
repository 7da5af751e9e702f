import Codecs
import Dates
import HTTPSupport
import Testing

@testable import Mastodon

/// A connector and what it has asked for.
struct ConnectorBench {
  static let start = RequestBudgetTests.now

  var connector: MastodonConnector
  var now = ConnectorBench.start
  /// Lines to the daemon that were not looked at.
  var lines: [String] = []
  var fetches: [(number: Int, request: FetchRequest)] = []
  var streams: [(number: Int, request: FetchRequest)] = []
  var sockets: [(number: Int, request: FetchRequest)] = []
  var sent: [UInt8] = []
  var closed: [Int] = []
  var commands: [(number: Int, command: String)] = []
  var stopped: [Int] = []
  var saved: Secrets?
  var log: [String] = []
  /// What the server answers when it is asked for direct conversations.
  var messages = "[]"
  var messagesStatus = 200
  var messagesAsked = 0

  init(_ secrets: Secrets = Secrets(), markers: LoginMarkers.Direction = .off) {
    connector = MastodonConnector(secrets: secrets, seed: [UInt8](repeating: 7, count: 32), markers: markers)
    take(.time)
  }

  mutating func take(_ input: MastodonConnector.Input) {
    for effect in connector.handle(input, at: now) {
      switch effect {
      case .write(let line): lines.append(String(decoding: line.dropLast(), as: UTF8.self))
      case .fetch(let number, let request):
        if request.url.path == "/api/v1/conversations" {
          messagesAsked += 1
          take(.fetched(number, .success(RequestBudgetTests.response(messagesStatus, [:], body: messages))))
        } else {
          fetches.append((number, request))
        }
      case .openStream(let number, let request): streams.append((number, request))
      case .openSocket(let number, let request): sockets.append((number, request))
      case .send(_, let bytes): sent += bytes
      case .closeStream(let number): closed.append(number)
      case .run(let number, let command): commands.append((number, command))
      case .stop(let number): stopped.append(number)
      case .save(let secrets): saved = secrets
      case .log(let line): log.append(line)
      }
    }
  }

  mutating func tell(_ line: String) { take(.line(Array(line.utf8))) }

  /// Lets time pass.
  mutating func pass(seconds: Int64) {
    now = now.adding(milliseconds: seconds * 1000)
    take(.time)
  }

  /// Answers the oldest request, which is to be for `path`.
  mutating func answer(_ path: String, _ status: Int = 200, _ body: String = "[]", fields: [String: String] = [:]) {
    guard !fetches.isEmpty else {
      Issue.record("nothing is asked; \(path) is expected")
      return
    }
    let (number, request) = fetches.removeFirst()
    #expect(request.url.path == path)
    take(.fetched(number, .success(RequestBudgetTests.response(status, fields, body: body))))
  }

  /// Answers the server's facts, and opens the stream.
  mutating func connect() {
    answer("/api/v2/instance", 200, Self.facts)
    take(.streamOpened(streams[0].number, status: 200))
  }

  /// Answers the two requests for notifications: there are none.
  mutating func answerNotifications() {
    answer(Self.notifications)
    answer(Self.notifications)
  }

  /// Confirms all batches, and returns the lines.
  mutating func batches(have: [String] = []) -> [String] {
    var batches: [String] = []
    let names = have.map { "\"\($0)\"" }.joined(separator: ",")
    while case let line = answerBatch(#""revision":1,"have":[\#(names)]"#), !line.isEmpty { batches.append(line) }
    return batches
  }

  /// Answers the oldest batch with these fields beside its number, and returns it.
  @discardableResult
  mutating func answerBatch(_ fields: String) -> String {
    guard let index = lines.firstIndex(where: { $0.contains(#""say":"batch""#) }) else { return "" }
    let line = lines.remove(at: index)
    let number = line.split(separator: #"batch":""#)[1].prefix { $0 != "\"" }
    tell(#"{"did":"\#(number)",\#(fields)}"#)
    return line
  }

  static let facts = #"{"version":"4.5.0","configuration":{"statuses":{"max_characters":500}}}"#
  static let home = "/api/v1/timelines/home"
  static let notifications = "/api/v1/notifications"

  /// A connector with one login, which the daemon has told it of.
  static func withLogin(
    cursors: String = "{}", at server: String = "https://a.example/", markers: LoginMarkers.Direction = .off,
    keepsBookmarks: Bool = false, now: Instant = start
  ) -> ConnectorBench {
    var secrets = Secrets()
    secrets.tokens["ann@a.example"] = Secrets.Token(server: server, token: "t0k3n", id: "c1", secret: "s3cret")
    var bench = ConnectorBench(secrets, markers: markers)
    bench.now = now
    let more = keepsBookmarks ? #""bookmarks":true,"# : ""
    bench.tell(#"{"tell":"login","login":"ann@a.example","account":"ann",\#(more)"cursors":\#(cursors)}"#)
    bench.tell(#"{"tell":"ready","now":\#(now.milliseconds),"credit":8}"#)
    return bench
  }

  /// One that is live, and has read what there is: nothing.
  static func live(markers: LoginMarkers.Direction = .off) -> ConnectorBench {
    var bench = withLogin(markers: markers)
    bench.connect()
    bench.answer(home)
    bench.answerNotifications()
    _ = bench.batches()
    bench.lines = []
    return bench
  }

  mutating func event(_ name: String, _ payload: String) {
    take(.streamReceived(streams.last!.number, Array("event: \(name)\ndata: \(payload)\n\n".utf8)))
  }

  var lastStatus: String { lines.last { $0.contains(#""say":"status""#) } ?? "" }
}
