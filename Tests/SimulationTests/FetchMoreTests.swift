import Messages
import Posts
import RPC
import Services
import Simulation
import Testing

@Suite("Posts that a person asks a source for")
struct FetchMoreTests {
  private final class Setting {
    private let source: FakeSource
    var daemon: DirectDaemon { source.daemon }
    var client: DirectClient { source.client }
    var program: FakeProgram { source.program }
    private(set) var ends: [Status] = []

    init(fetches: Bool = true) throws {
      source = try FakeSource(UpstreamHello(fetches: fetches))
      bring("n1", in: .home)
    }

    func bring(_ id: String, in lists: UpstreamLists, to parent: String? = nil) {
      source.bring(id, in: lists, to: parent)
    }

    func fetch(_ subject: FetchMoreRequest.Subject, source: String = "") throws -> ClientCall {
      let request = FetchMoreRequest(subject, source: source)
      let call = try client.begin(Method.fetchMore, request) { [unowned self] in ends.append($0) }
      daemon.runUntilIdle()
      return call
    }

    func answer(_ id: String, _ result: UpstreamAnswer.Result) {
      program.say(.answer(UpstreamAnswer(id: id, result)))
      daemon.runUntilIdle()
    }
  }

  private static let done = UpstreamAnswer.Result.done(nativeID: "", permalink: .empty)

  @Test("the program is asked, and the call ends when it has brought the posts") func conversation() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    _ = try setting.fetch(.post("fake:n1"))
    #expect(setting.program.heard.last == .want(id: "w1", .fetch(.conversation(post: "n1"), login: "fake")))
    setting.bring("n2", in: [], to: "n1")
    #expect(setting.ends.isEmpty)
    setting.answer("w1", Self.done)
    #expect(setting.ends.map(\.code) == [.ok])
    setting.answer("w1", Self.done)
    #expect(setting.ends.count == 1)
  }

  @Test("a refusal, and the end of the program, are the call's end") func failures() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    _ = try setting.fetch(.text("otters"), source: "fake")
    setting.answer("w1", .refused("not for you"))
    #expect(setting.ends.map(\.code) == [.failedPrecondition])
    #expect(setting.ends.last?.message.contains("not for you") == true)
    _ = try setting.fetch(.author("fake:a1"))
    setting.program.end(UpstreamEnd(reason: "it died"))
    setting.daemon.runUntilIdle()
    #expect(setting.ends.map(\.code) == [.failedPrecondition, .unavailable])
    let wrong: [(FetchMoreRequest.Subject, String)] = [(.text(" "), "fake"), (.text("x"), "nowhere"), (.gap(7), "")]
    for (subject, source) in wrong {
      _ = try setting.fetch(subject, source: source)
    }
    #expect(setting.ends.suffix(3).map(\.code) == [.invalidArgument, .notFound, .notFound])
  }

  @Test("a call that is cancelled takes the want back") func cancelled() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    let call = try setting.fetch(.post("fake:n1"))
    call.cancel()
    setting.daemon.runUntilIdle()
    #expect(setting.program.heard.last == .unwanted(id: "w1"))
    setting.answer("w1", Self.done)
  }

  @Test("a program that does not answer in time makes the call end") func late() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    _ = try setting.fetch(.post("fake:n1"))
    setting.daemon.advance(by: .seconds(119))
    #expect(setting.ends.isEmpty)
    setting.daemon.advance(by: .seconds(2))
    #expect(setting.ends.map(\.code) == [.unavailable])
    #expect(setting.program.heard.last == .unwanted(id: "w1"))
  }

  @Test("a program that cannot fetch is not asked") func unable() throws {
    let setting = try Setting(fetches: false)
    defer { setting.daemon.close() }
    _ = try setting.fetch(.post("fake:n1"))
    #expect(setting.ends.map(\.code) == [.failedPrecondition])
    #expect(!setting.program.heard.contains { if case .want = $0 { true } else { false } })
  }
}
