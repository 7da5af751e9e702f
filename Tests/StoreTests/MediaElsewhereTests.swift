import Dates
import Posts
import Testing

@testable import Store

@Suite("Files of posts for servers elsewhere")
struct MediaElsewhereTests {
  private struct Wrong: Error {}

  private let fixture: Fixture
  private var store: PostStore { fixture.store }
  private let media = [
    Media(kind: .image, url: "https://a.example/1.png", altText: "A cat", uploadID: "1142"),
    Media(kind: .image, url: "", altText: "", uploadID: "1143"),
  ]

  init() throws {
    fixture = try Fixture(upstreams: ["fake"])
    let hello = UpstreamHello(commands: [.post, .delete], signsIn: true)
    _ = try store.commit([.greetProgram(UpstreamGreeting(source: "fake", hello: hello, account: fixture.ann))])
    _ = try store.commit([.openLogin(AccountLogin(source: "fake", name: "ann@a.example", account: fixture.ann))])
  }

  private func compose(_ source: String) throws -> Outcome {
    var composition = fixture.composition("look")
    (composition.source, composition.body.media) = (source, media)
    return try store.commit([.compose(composition)]).outcomes[0]
  }

  private func commands(again: Bool = false) throws -> [UpstreamCommand] {
    let outcome = try store.commit([.takeOutgoing(source: "fake", limit: 9, again: again)]).outcomes[0]
    guard case .outgoing(let commands) = outcome else { throw Wrong() }
    return commands
  }

  @Test("the command names them, also when it comes again") func command() throws {
    guard case .composed(let composed) = try compose("fake") else { throw Wrong() }
    #expect(composed.post.body.unpacked()?.media == media)
    #expect(try commands().map { $0.writing?.media ?? [] } == [["1142", "1143"]])
    #expect(try commands(again: true).map { $0.writing?.media ?? [] } == [["1142", "1143"]])
  }

  @Test("a post that stays here has none") func here() throws {
    #expect(try compose("") == .refused(.mediaHere) && compose("stack") == .refused(.mediaHere))
    #expect(try store.integrity() == [])
  }

  @Test("they go where their post goes") func destination() throws {
    let here = try fixture.write("here")
    func destination(_ source: String, _ account: AccountID, to parent: String = "") throws -> UploadDestination {
      try store.uploadDestination(source: source, parent: parent, for: account)
    }
    #expect(try destination("fake", fixture.ann) == .login("ann@a.example", source: "fake"))
    #expect(try destination("fake", fixture.bob) == .noLogin(source: "fake"))
    #expect(try destination("", fixture.ann) == .here && destination("stack", fixture.ann) == .here)
    #expect(try destination("nowhere", fixture.ann) == .unknown && destination("", fixture.ann, to: "77") == .unknown)
    #expect(try destination("", fixture.ann, to: "\(here.id.rawValue)") == .here)
    guard case .composed(let parent) = try compose("fake") else { throw Wrong() }
    #expect(
      try destination("", fixture.ann, to: "\(parent.post.id.rawValue)") == .login("ann@a.example", source: "fake"))
  }
}
