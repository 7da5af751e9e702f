@testable import Messages
import Testing
import ViewState

@Suite("Strings with a NUL")
struct TextFieldsTests {
  private func message(_ fields: (UInt8, [UInt8])...) -> [UInt8] {
    fields.flatMap { [$0.0 << 3 | 2, UInt8($0.1.count)] + $0.1 }
  }

  @Test("are refused instead of truncated, with the name of the field") func refused() {
    let cut = message((1, Array("id".utf8)), (2, Array("before\0behind".utf8)))
    #expect(throws: DecodingFailure(field: "text", "contains a NUL character (U+0000); remove it")) {
      try ComposeRequest(decoding: cut)
    }
    #expect(throws: DecodingFailure.self) { try MeasureRequest(decoding: message((1, [0])) + [0x18, 10]) }
    let hello = message(
      (1, message((2, [0x10, 80, 0x18, 24]), (4, Array("a".utf8)), (6, message((7, Array("before\0behind".utf8)))))))
    for decode in [{ try ClientFrame(decoding: $0) }, { try WatchRequest(decoding: $0) }] as [([UInt8]) throws -> Any] {
      #expect(throws: DecodingFailure(field: "hello.subject.search", "contains a NUL character (U+0000); remove it")) {
        try decode(hello)
      }
    }
  }

  @Test("a hello may name a session or a subject, not both") func subject() {
    let both = Hello(
      session: "work", subject: .section(.mentions), layout: LayoutParameters(width: 80, height: 24), client: "")
    #expect { try WatchRequest(decoding: WatchRequest(hello: both).encoded()) } throws: { failure in
      (failure as? DecodingFailure)?.field == "hello.session"
    }
  }

  @Test("do not matter in other fields") func elsewhere() throws {
    let bytes =
      message((15, [0, 0])) + [0x50, 0xFF, 0x01, 0x59, 0, 0, 0, 0, 0, 0, 0, 0, 0x65, 0, 0, 0, 0]
      + message((2, Array("hi".utf8))) + [0x20, 1]
    #expect(try ComposeRequest(decoding: bytes).text == "hi")
  }

  @Test(
    "invalid messages are refused",
    arguments: [[0x12], [0x12, 5, 0], [0xFF], [0x13, 0], [0x11, 0]] as [[UInt8]])
  func broken(bytes: [UInt8]) { #expect(throws: DecodingFailure.self) { try ComposeRequest(decoding: bytes) } }
}
