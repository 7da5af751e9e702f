import HTTPSupport
import TestSupport
import Testing

/// One of the streams of the tables below.
struct StreamCase: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var bytes: [UInt8]
  var events: [EventStreamParser.Event]

  init(_ name: String, _ text: String, _ events: [(String, String)]) {
    (testDescription, bytes) = (name, Array(text.utf8))
    self.events = events.map { EventStreamParser.Event(name: $0.0, data: $0.1) }
  }
}

@Suite("Server-sent events")
struct EventStreamParserTests {
  /// The examples of the HTML standard (section 9.2.6) and the cases of web-platform-tests' eventsource/format-*.
  static let cases = [
    StreamCase("standard: two lines", "data: YHOO\ndata: +2\ndata: 10\n\n", [("message", "YHOO\n+2\n10")]),
    StreamCase(
      "standard: four blocks",
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      [("message", "first event"), ("message", "second event"), ("message", " third event")]),
    StreamCase("standard: empty data", "data\n\ndata\ndata\n\ndata:", [("message", ""), ("message", "\n")]),
    StreamCase("standard: the space", "data:test\n\ndata: test\n\n", [("message", "test"), ("message", "test")]),
    StreamCase("bom", "\u{FEFF}data:1\n\n\u{FEFF}data:2\n\ndata:3\n\n", [("message", "1"), ("message", "3")]),
    StreamCase("two boms", "\u{FEFF}\u{FEFF}data:1\n\ndata:2\n\n", [("message", "2")]),
    StreamCase(
      "comments", "data:1\n:\0\n:\ndata:2\n:x\r\n:\n\n:\0data:9\ndata:4\n\n", [("message", "1\n2"), ("message", "4")]),
    StreamCase("event", "event:test\ndata:x\n\ndata:x\n\n", [("test", "x"), ("message", "x")]),
    StreamCase("event, the last counts", "event: a\nevent: b\ndata: x\n\n", [("b", "x")]),
    StreamCase("event without data", "event: a\n\ndata: x\n\n", [("message", "x")]),
    StreamCase("event without a value", "event: a\nevent:\ndata: x\n\n", [("message", "x")]),
    StreamCase("newlines", "data:test\r\ndata\ndata:test\r\n\r\n", [("message", "test\n\ntest")]),
    StreamCase("returns", "data:a\rdata:b\r\rdata:c\n\r", [("message", "a\nb"), ("message", "c")]),
    StreamCase(
      "unknown fields", "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\n\n",
      [("message", "test\n")]),
    StreamCase("names have case", "Data:1\ndata:2\n\n", [("message", "2")]),
    StreamCase("null character", "data:\0\n\ndata:x\n\n", [("message", "\0"), ("message", "x")]),
    StreamCase("leading spaces", "data:\ttest\rdata: \ndata:test\n\n", [("message", "\ttest\n\ntest")]),
    StreamCase("ends in its middle", "data:x\n\ndata:lost\n", [("message", "x")]),
    StreamCase("utf-8", "data:ok…\n\n", [("message", "ok…")]),
    StreamCase(
      "Mastodon",
      ":)\nevent: update\ndata: {\"id\":\"1\"}\n\n:thump\nevent: delete\ndata: 1\n\nevent: filters_changed\ndata: undefined\n\n",
      [("update", "{\"id\":\"1\"}"), ("delete", "1"), ("filters_changed", "undefined")]),
  ]

  @Test("follow the standard, wherever their bytes are cut", arguments: cases)
  func follow(stream: StreamCase) {
    for size in [stream.bytes.count, 1, 2, 3] {
      var parser = EventStreamParser()
      var events: [EventStreamParser.Event] = []
      for start in stride(from: 0, to: stream.bytes.count, by: size) {
        events += parser.consume(stream.bytes[start..<min(start + size, stream.bytes.count)])
      }
      #expect(events == stream.events, "in pieces of \(size)")
    }
  }

  @Test("replace invalid UTF-8") func invalid() {
    var parser = EventStreamParser()
    #expect(parser.consume([0x64, 0x61, 0x74, 0x61, 0x3A, 0xFF, 0x0A, 0x0A]).map(\.data) == ["\u{FFFD}"])
  }

  @Test("are limited in their lines and in their data") func limits() {
    for text in [String(repeating: "x", count: 101), String(repeating: "data:xxxxxxxx\n", count: 12)] {
      var parser = EventStreamParser(byteLimit: 100)
      #expect(parser.consume("data: first\n\n\(text)\n\ndata: lost\n\n".utf8).map(\.data) == ["first"])
      #expect(parser.isTooLong)
    }
    var parser = EventStreamParser(byteLimit: 100)
    #expect(parser.consume(String(repeating: "data:xxxxxxxx\n\n", count: 100).utf8).count == 100 && !parser.isTooLong)
  }
}
