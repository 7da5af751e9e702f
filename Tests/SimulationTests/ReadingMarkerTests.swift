import Dates
import Messages
import Posts
import RPC
import Services
import Simulation
import Testing
import ViewState

@Suite("Reading positions here and at sources")
struct ReadingMarkerTests {
  private static let hello = Hello(session: "", layout: LayoutParameters(width: 80, height: 24), client: "test")

  /// A source that keeps reading positions, with posts n1 to n5, one a second.
  private static func source() throws -> FakeSource {
    let source = try FakeSource(UpstreamHello(keepsMarkers: true))
    for number in 1...5 { source.bring("n\(number)", in: .home, at: Int64(number)) }
    return source
  }

  private static func marker(_ post: String, _ seconds: Int64?, isTaken: Bool = true) -> UpstreamItem {
    .marker(
      UpstreamMarker(list: .home, post: post, createdAt: seconds.map { Instant(seconds: $0) }, isTaken: isTaken))
  }

  /// Reads up to the post of this number; they were stored in order.
  private static func read(_ number: UInt64, _ source: FakeSource) throws -> Status {
    try source.client.status(of: Method.setReadingPosition, SetReadingPositionRequest(.timeline, rowID: number))
  }

  /// What the program was told of positions.
  private static func told(_ source: FakeSource) -> [[String]] {
    source.program.heard.compactMap { if case .read("fake", .home, let posts) = $0 { posts } else { nil } }
  }

  @Test("a position at the source moves the session's, forward only") func taking() throws {
    let source = try Self.source()
    defer { source.daemon.close() }
    source.bring([Self.marker("n3", 3)])
    #expect(try Self.read(2, source).code == .failedPrecondition, "read up to 3")
    source.bring([Self.marker("n1", 1)])
    #expect(try Self.read(2, source).code == .failedPrecondition)
    #expect(try Self.read(4, source).isOK)
  }

  @Test("a position at a post that is not here is that of the next older one; one that is compared moves nothing")
  func unknownPosts() throws {
    let source = try Self.source()
    defer { source.daemon.close() }
    source.bring([Self.marker("n5", 5, isTaken: false)])
    #expect(try Self.read(1, source).isOK)
    source.bring([Self.marker("gone", 4)])
    #expect(try Self.read(3, source).code == .failedPrecondition)
    #expect(try Self.read(5, source).isOK)
  }

  @Test("while the place of the source's position is not known nothing is told; without a date it is looked up")
  func unknownPlace() throws {
    let source = try Self.source()
    defer { source.daemon.close() }
    source.bring([Self.marker("n1", nil)])
    #expect(try Self.read(3, source).isOK, "the position was not moved to the newest post")
    source.daemon.advance(by: .seconds(10))
    #expect(Self.told(source) == [["n3", "n2"]])
    source.bring([Self.marker("gone", nil)])
    #expect(try Self.read(4, source).isOK)
    source.daemon.advance(by: .seconds(60))
    #expect(Self.told(source).count == 1)
    source.bring([Self.marker("n3", 3)])
    source.daemon.advance(by: .seconds(10))
    #expect(Self.told(source).last == ["n4"])
  }

  @Test("what was read here is told ten seconds after the last movement, with the posts above the source's position")
  func giving() throws {
    let source = try Self.source()
    defer { source.daemon.close() }
    source.bring([Self.marker("n1", 1)])
    #expect(try Self.read(3, source).isOK)
    source.daemon.advance(by: .seconds(6))
    #expect(try Self.read(4, source).isOK)
    source.daemon.advance(by: .seconds(9))
    #expect(Self.told(source).isEmpty)
    source.daemon.advance(by: .seconds(1))
    #expect(Self.told(source) == [["n4", "n3", "n2"]])
    source.daemon.advance(by: .seconds(60))
    #expect(Self.told(source).count == 1)
    source.bring([Self.marker("n4", 4)])
    source.daemon.advance(by: .seconds(60))
    #expect(Self.told(source).count == 1, "the source knows")
  }

  @Test("a source that has read less is told, also at its start; of one that has said nothing nothing is known")
  func behind() throws {
    let source = try Self.source()
    defer { source.daemon.close() }
    #expect(try Self.read(4, source).isOK)
    source.daemon.advance(by: .seconds(60))
    #expect(Self.told(source).isEmpty)
    source.bring([Self.marker("", nil)])
    source.daemon.advance(by: .seconds(10))
    #expect(Self.told(source) == [["n4", "n3", "n2", "n1"]])
    source.bring([Self.marker("n2", 2, isTaken: false)])
    source.daemon.advance(by: .seconds(10))
    #expect(Self.told(source).last == ["n4", "n3"])
  }

  @Test("the program is told when a view is opened, and every five minutes while one is") func looking() throws {
    let source = try Self.source()
    defer { source.daemon.close() }
    func looks() -> Int { source.program.heard.count { $0 == .looking(login: "fake") } }
    let view = try source.client.attach(Self.hello)
    #expect(looks() == 1)
    source.bring([Self.marker("n1", 1)])
    source.daemon.advance(by: .seconds(299))
    #expect(looks() == 1)
    source.daemon.advance(by: .seconds(1))
    #expect(looks() == 2)
    view.call.cancel()
    source.daemon.advance(by: .seconds(600))
    #expect(looks() == 2)
  }

  @Test("a program that keeps no positions is told of none") func unable() throws {
    let source = try FakeSource(UpstreamHello())
    defer { source.daemon.close() }
    source.bring("n1", in: .home)
    _ = try source.client.attach(Self.hello)
    source.bring([Self.marker("", nil)])
    #expect(try Self.read(1, source).isOK)
    source.daemon.advance(by: .seconds(600))
    #expect(
      source.program.heard.allSatisfy {
        switch $0 {
        case .read, .looking: false
        default: true
        }
      })
  }
}
