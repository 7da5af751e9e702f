import HTTPSupport
import Testing

@testable import Mastodon

@Suite("Reading positions, both ways")
struct MarkerTests {
  private static let path = "/api/v1/markers"

  private static func positions(home: String? = nil, notifications: String? = nil) -> String {
    let home = home.map { #""home":{"last_read_id":"\#($0)","version":1}"# }
    let notifications = notifications.map { #""notifications":{"last_read_id":"\#($0)","version":1}"# }
    return "{\([home, notifications].compactMap(\.self).joined(separator: ","))}"
  }

  /// A connector that is live and has told the daemon that home has been read up to 7, and nothing of the mentions.
  private static func live(_ direction: LoginMarkers.Direction = .both) -> (bench: ConnectorBench, told: String) {
    var bench = ConnectorBench.live(markers: direction)
    bench.answer(path, 200, positions(home: "7"))
    bench.answer("/api/v1/statuses/7", 200, ServerTests.status("7"))
    let told = bench.batches().joined()
    return (bench, told)
  }

  private static func read(_ posts: String, in list: String = "home") -> String {
    #"{"tell":"read","login":"ann@a.example","in":"\#(list)","posts":[\#(posts)]}"#
  }

  private static func form(_ bench: ConnectorBench) -> String { bench.fetches.first?.request.form ?? "" }

  @Test("when the timelines have been read the daemon is told how far they were read there") func begin() {
    let (bench, told) = Self.live()
    #expect(told.contains(#"{"marker":{"in":"home","post":"a.example#7","created_at":1795000000000}}"#))
    #expect(told.contains(#"{"marker":{"in":"mentions"}}"#) && bench.fetches.isEmpty)
  }

  @Test("a position that is only compared is not taken") func compared() {
    #expect(Self.live(.give).told.contains(#""created_at":1795000000000,"take":false}}"#))
  }

  @Test("who looks has positions read again, at most every ten seconds, and is told of what has moved") func looking() {
    var (bench, _) = Self.live()
    let look = #"{"tell":"looking","login":"ann@a.example"}"#
    bench.tell(look)
    bench.pass(seconds: 9)
    #expect(bench.fetches.isEmpty)
    bench.pass(seconds: 1)
    bench.answer(Self.path, 200, Self.positions(home: "7", notifications: "n3"))
    bench.answer("/api/v1/notifications/n3", 200, #"{"id":"n3","type":"follow","created_at":"2026-11-18T11:00:00Z"}"#)
    let told = bench.batches()
    #expect(told.count == 1 && !told[0].contains(#""in":"home""#))
    #expect(told[0].contains(#""in":"mentions","post":"ann@a.example#notification/n3","created_at":1794999600000"#))
  }

  @Test("what is read here is sent there, by the first post that is there") func moving() {
    var (bench, _) = Self.live()
    bench.tell(
      Self.read(#""https://a.example/9","b.example#9","ann@a.example#notification/4","a.example#8","a.example#6""#))
    bench.answer(Self.path, 200, Self.positions(home: "7"))
    #expect(Self.form(bench) == "home%5Blast_read_id%5D=8")
    bench.answer(Self.path, 200, Self.positions(home: "8"))
    bench.pass(seconds: 10)
    bench.tell(#"{"tell":"looking","login":"ann@a.example"}"#)
    bench.answer(Self.path, 200, Self.positions(home: "8"))
    #expect(bench.batches().isEmpty && bench.fetches.isEmpty, "the daemon knows")
    bench.tell(
      Self.read(
        #""a.example#notification/6","bea@a.example#notification/7","ann@a.example#notification/5","a.example#8""#,
        in: "mentions"))
    bench.answer(Self.path, 200, Self.positions(home: "8"))
    #expect(Self.form(bench) == "notifications%5Blast_read_id%5D=5")
  }

  @Test("what has moved there meanwhile is not moved back: the daemon says which is later") func movedMeanwhile() {
    var (bench, _) = Self.live()
    bench.tell(Self.read(#""a.example#8""#))
    bench.answer(Self.path, 200, Self.positions(home: "9"))
    bench.answer("/api/v1/statuses/9", 200, ServerTests.status("9"))
    #expect(bench.batches().joined().contains("a.example#9") && bench.fetches.isEmpty)
  }

  @Test("a position that cannot be understood is neither told nor moved", arguments: ["null", #""no/id""#, "{}"])
  func unusable(id: String) {
    var (bench, _) = Self.live()
    bench.tell(Self.read(#""a.example#8""#))
    bench.answer(Self.path, 200, #"{"home":{"last_read_id":\#(id)}}"#)
    #expect(bench.batches().isEmpty && bench.fetches.isEmpty)
  }

  @Test("409: the positions are read again, and moved once more") func conflict() {
    var (bench, _) = Self.live()
    bench.tell(Self.read(#""a.example#8""#))
    for _ in 0..<2 {
      bench.answer(Self.path, 200, Self.positions(home: "7"))
      #expect(Self.form(bench) == "home%5Blast_read_id%5D=8")
      bench.answer(Self.path, 409, "{}")
    }
    #expect(bench.fetches.isEmpty)
  }

  @Test("the daemon may know the place of a post that is gone; a server without positions rests for a day")
  func absent() {
    var bench = ConnectorBench.live(markers: .both)
    bench.answer(Self.path, 200, Self.positions(home: "7"))
    bench.answer("/api/v1/statuses/7", 404, "{}")
    #expect(bench.batches().joined().contains(#"{"marker":{"in":"home","post":"a.example#7"}}"#))
    bench = ConnectorBench.live(markers: .both)
    bench.answer(Self.path, 404, "{}")
    bench.tell(Self.read(#""a.example#8""#))
    for _ in 0..<60 {
      bench.pass(seconds: 30)
      bench.take(.streamReceived(bench.streams[0].number, Array(":\n".utf8)))
    }
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    #expect(bench.fetches.isEmpty && bench.log.isEmpty)
  }

  @Test("one way only: what is only taken is not moved there, and without either nothing is asked") func oneWay() {
    var (bench, _) = Self.live(.take)
    bench.tell(Self.read(#""a.example#8""#))
    #expect(bench.fetches.isEmpty)
    bench = ConnectorBench.live(markers: .off)
    bench.tell(#"{"tell":"looking","login":"ann@a.example"}"#)
    bench.tell(Self.read(#""a.example#8""#))
    #expect(bench.fetches.isEmpty)
  }

  @Test("a failure is waited for, and costs no connection") func failing() {
    var (bench, _) = Self.live()
    bench.tell(Self.read(#""a.example#8""#))
    bench.answer(Self.path, 503, "{}")
    #expect(bench.fetches.isEmpty && bench.closed.isEmpty)
    bench.pass(seconds: 59)
    bench.take(.streamReceived(bench.streams[0].number, Array(":\n".utf8)))
    #expect(bench.fetches.isEmpty)
    bench.pass(seconds: 1)
    bench.answer(Self.path, 200, Self.positions(home: "7"))
    bench.answer(Self.path, 200, Self.positions(home: "8"))
    #expect(bench.fetches.isEmpty)
  }
}
