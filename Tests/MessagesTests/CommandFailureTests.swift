import Messages
import TestSupport
import Testing
import ViewState

@Suite("Errors in commands name the field")
struct CommandFailureTests {
  /// Returns a field of a message, with its bytes.
  private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [number << 3 | 2, UInt8(bytes.count)] + bytes
  }

  /// A request for rows with nothing but a layout.
  private static let rows = GetRowsRequest(layout: LayoutParameters(width: 80, height: 24)).encoded()

  /// Returns the failure of decoding `bytes`; nil if they can be decoded.
  private func failure<Value: WireMessage>(_ type: Value.Type, _ bytes: [UInt8]) -> DecodingFailure? {
    do throws(DecodingFailure) {
      _ = try Value(decoding: bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test("missing fields") func missing() {
    #expect(failure(PushRequest.self, [])?.field == "subject")
    #expect(failure(ReplaceRequest.self, [])?.field == "push")
    #expect(failure(ReplaceRequest.self, Self.field(1, []))?.field == "push.subject")
    #expect(failure(PushRequest.self, Self.field(3, []))?.field == "subject", "an empty subject")
    #expect(failure(PushRequest.self, Self.field(3, [0x78, 1]))?.field == "subject", "a subject of a later version")
    #expect(failure(GetRowsRequest.self, Self.rows + Self.field(2, []))?.field == "subject")
    #expect(failure(ComposeRequest.self, Self.field(2, [0x61]))?.field == "visibility")
    #expect(failure(OpenRequest.self, [])?.field == "section")
    #expect(failure(SetReadingPositionRequest.self, [])?.field == "section")
    #expect(failure(MoveStackRequest.self, [])?.field == "move")
    #expect(failure(CreateListRequest.self, [])?.field == "name")
    #expect(failure(RenameListRequest.self, [])?.field == "name")
    #expect(failure(RenameSessionRequest.self, [])?.field == "name")
    #expect(failure(CreateAccountRequest.self, [])?.field == "name")
    #expect(failure(BackupRequest.self, [])?.field == "path")
    #expect(failure(GetProfileResponse.self, [])?.field == "profile")
  }

  @Test("unknown enum values") func unknown() {
    #expect(
      failure(OpenRequest.self, [0x10, 7])
        == DecodingFailure("section is 7, which is not a known value", field: "section"))
    #expect(failure(OpenRequest.self, [0x10, 0x80, 2])?.field == "section")
    #expect(failure(MoveStackRequest.self, [0x10, 3])?.field == "slide")
    #expect(failure(MoveStackRequest.self, [0x10, 0])?.field == "slide")
    #expect(failure(MoveStackRequest.self, Self.field(3, [0x18, 3]))?.field == "drag.direction")
    #expect(failure(ComposeRequest.self, [0x20, 5])?.field == "visibility")
    #expect(failure(IssueTokenRequest.self, Self.field(2, [1, 5]))?.field == "scopes")
    #expect(failure(IssueTokenRequest.self, [0x10, 0])?.field == "scopes")
    #expect(failure(GetRowsRequest.self, Self.rows + Self.field(2, [0x08, 7]))?.field == "subject.section")
  }

  @Test("subjects that a call does not accept") func subjects() {
    #expect(failure(PushRequest.self, PushRequest(.section(.mentions)).encoded())?.field == "subject")
    #expect(failure(ReplaceRequest.self, ReplaceRequest(.post("1")).encoded())?.field == "push.subject")
    for subject in [Subject.post("1"), .conversation("1"), .author("@ann"), .list("friends"), .direct(1)] {
      let hello = Hello(subject: subject, layout: LayoutParameters(width: 80, height: 24), client: "")
      #expect(failure(WatchRequest.self, WatchRequest(hello: hello).encoded())?.field == "hello.subject")
    }
  }

  @Test("unknown scopes in a response are left out") func laterScope() throws {
    #expect(try WhoAmIResponse(decoding: Self.field(2, [1, 9, 3])).scopes == [.view, .admin])
  }

  @Test("scopes are read packed and unpacked") func packing() throws {
    #expect(try IssueTokenRequest(decoding: [0x10, 1, 0x10, 3]).scopes == [.view, .admin])
  }

  @Test("strings above their limit") func long() {
    var request = SessionRequest()
    request.command.requestID = String(repeating: "é", count: 32)
    #expect(failure(SessionRequest.self, request.encoded()) == nil)
    request.command.requestID += "x"
    let expected = DecodingFailure(
      "command.request_id has 65 bytes; the limit is 64", field: "command.request_id", limit: 64)
    #expect(failure(SessionRequest.self, request.encoded()) == expected)
    let long = String(repeating: "x", count: 65)
    #expect(failure(CreateListRequest.self, CreateListRequest(name: long).encoded())?.limit == 64)
    #expect(failure(CreateAccountRequest.self, CreateAccountRequest(name: long).encoded())?.limit == 64)
    #expect(failure(IssueTokenRequest.self, IssueTokenRequest(name: long).encoded())?.field == "name")
    #expect(failure(DeleteRequest.self, Self.field(1, Array(long.utf8)))?.field == "request_id")
    let path = "/" + String(repeating: "p", count: 4095)
    #expect(failure(BackupRequest.self, BackupRequest(path: path).encoded())?.limit == 4095)
  }

  @Test("strings with a NUL, at any depth") func nul() {
    #expect(failure(AuthorRequest.self, Self.field(1, [0x40, 0, 0x61]))?.field == "author")
    #expect(failure(PushRequest.self, Self.field(3, Self.field(7, [0x61, 0])))?.field == "subject.search")
    #expect(
      failure(ReplaceRequest.self, Self.field(1, Self.field(1, Self.field(2, [0]))))?.field == "push.command.request_id"
    )
    #expect(
      failure(GetRowsRequest.self, Self.rows + Self.field(2, Self.field(7, [0x61, 0])))?.field == "subject.search")
  }

  @Test("widths out of range and relative paths") func ranges() {
    var request = ResizePaneRequest()
    request.width = 10_000
    #expect(failure(ResizePaneRequest.self, request.encoded()) == nil)
    request.width = 10_001
    #expect(failure(ResizePaneRequest.self, request.encoded())?.field == "width")
    #expect(failure(BackupRequest.self, Self.field(1, Array("copy.db".utf8)))?.field == "path")
  }

  @Test(
    "invalid messages",
    arguments: [
      [0xFF], [0x0A], [0x0A, 2, 1], [0x08, 1], [0x0A, 1, 0xFF], [0x0B], [0x00, 0], [0x09, 0], [0x0D, 1],
      [0x10] + Array(repeating: 0xFF, count: 11),
    ]
      as [[UInt8]])
  func broken(bytes: [UInt8]) {
    #expect(failure(PopToRequest.self, bytes) == DecodingFailure("not a message of type PopToRequest"))
  }

  @Test("unknown fields are skipped, the last of several counts, bad UTF-8 is replaced") func lenient() throws {
    let bytes =
      Self.field(1, [0x61]) + [0x78, 5, 0x79, 0, 0, 0, 0, 0, 0, 0, 0, 0x7D, 0, 0, 0, 0] + Self.field(14, [0, 0])
    #expect(try AuthorRequest(decoding: bytes + Self.field(1, [0x62])).author == "b")
    #expect(try AuthorRequest(decoding: Self.field(1, [0x61, 0xFF])).author == "a\u{FFFD}")
  }

  @Test("damaged commands decode or fail", arguments: seeds(0..<300 as Range<UInt64>)) func damage(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var push = PushRequest(.search("what is looked for"))
    push.command.session = "session"
    push.command.requestID = "request"
    var bytes = ReplaceRequest(.search("what is looked for")).encoded() + push.encoded()
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
    }
    _ = failure(ReplaceRequest.self, bytes)
    _ = failure(PushRequest.self, bytes)
    _ = failure(MoveStackRequest.self, bytes)
    _ = failure(IssueTokenRequest.self, bytes)
    _ = failure(ListListsResponse.self, bytes)
  }
}
