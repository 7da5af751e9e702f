import ClientCore
import Messages
import TestSupport
import Testing
import ViewState

/// Reads output as a terminal does: text, and the escape sequences that the client may use. Anything else is a violation.
private struct TerminalReader {
  private(set) var text: [UInt8] = []
  private(set) var violation: String?

  init(_ bytes: [UInt8]) {
    var index = 0
    while index < bytes.count, violation == nil {
      if bytes[index] == 0x1B {
        index = skipSequence(bytes, index)
      } else {
        text.append(bytes[index])
        index += 1
      }
    }
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars where Self.isForbidden(scalar) {
      violation = "U+\(String(scalar.value, radix: 16)) in the text"
    }
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private mutating func skipSequence(_ bytes: [UInt8], _ start: Int) -> Int {
    // Byte by byte: in a string, a joiner after the sequence would combine with its last letter.
    let rest = bytes[start...]
    for known in ["0", "1", "2", "36", "35", "4;34", "33"] where rest.starts(with: "\u{1B}[\(known)m".utf8) {
      return start + known.utf8.count + 3
    }
    if rest.starts(with: "\u{1B}]8;;".utf8), let end = bytes[(start + 1)...].firstIndex(of: 0x1B) {
      let target = bytes[(start + 5)..<end]
      let schemes = ["", "http:", "https:", "gemini:", "mailto:"]
      let head = String(decoding: target, as: UTF8.self).lowercased()
      if target.allSatisfy({ 0x21...0x7E ~= $0 }),
        schemes.contains(where: { $0.isEmpty ? target.isEmpty : head.hasPrefix($0) }),
        end + 1 < bytes.count, bytes[end + 1] == 0x5C
      {
        return end + 2
      }
    }
    violation = "an escape sequence that is not the client's: \(rest.prefix(20))"
    return bytes.count
  }
}

@Suite("No post can send escape sequences to the terminal")
struct EscapeLawTests {
  /// Hostile texts: every byte, every control, every bidi control, and whole sequences.
  static let harm: [[UInt8]] = {
    var texts = (0...255).map { [0x61, UInt8($0), 0x62] }
    let scalars =
      Array(0x00...0x9F as ClosedRange<UInt32>) + Array(0x2000...0x206F as ClosedRange<UInt32>) + [0x61C, 0xFEFF]
    for value in scalars { texts.append(Array("a\(Unicode.Scalar(value)!)b".utf8)) }
    let sequences = [
      "\u{1B}[31mred", "\u{1B}]0;title\u{7}", "\u{1B}]8;;http://evil\u{1B}\\x", "\u{9B}2J", "\u{1B}c",
      "\u{1B}P1$r\u{1B}\\",
      "\r\noverwritten", "\u{8}\u{8}\u{8}", "\u{1B}[0m", "%1B]", "http://x/\u{1B}\\\u{1B}[2J", "https://a\u{7}b\u{9C}c",
    ]
    texts += sequences.map { Array($0.utf8) }
    texts.append(Array(0...255))
    texts.append([0xED, 0xA0, 0x80, 0xC0, 0x80, 0xF5, 0x80, 0x80, 0x80, 0xE2, 0x80])
    return texts
  }()

  /// Returns a row with `bad` in every field.
  static func row(_ bad: [UInt8]) -> PlacedRow {
    let author = RowAuthor(
      id: 1, handle: bad, displayName: bad, avatarURL: bad, source: bad, isNamesake: true)
    var fields = RowContent.Fields(rowID: 1, author: author)
    fields.repostedBy = author
    fields.text = Array("https://".utf8) + bad + bad
    fields.spans = [
      RowSpan(kind: .link, range: 0..<(8 + bad.count), target: Array("https://".utf8) + bad),
      RowSpan(kind: .mention, range: (8 + bad.count)..<fields.text.count, target: bad),
    ]
    fields.media = [
      RowMedia(kind: .image, url: Array("http:".utf8) + bad, altText: bad),
      RowMedia(kind: .audio, url: bad, altText: bad),
    ]
    fields.inReplyToHandle = bad
    fields.language = bad
    fields.permalink = Array("mailto:".utf8) + bad
    let layout = RowLayout(height: 4, lineEnds: [9, UInt32(fields.text.count)])
    return PlacedRow(content: RowContent(fields), layout: layout, caps: [], label: String(decoding: bad, as: UTF8.self))
  }

  static func warned(_ bad: [UInt8]) -> PlacedRow {
    var fields = row(bad).content.fields
    fields.contentWarning = bad
    return PlacedRow(content: RowContent(fields), layout: RowLayout(height: 4, lineEnds: []), caps: [], label: "")
  }

  @Test(
    "a row paints only text and the client's own sequences, whatever its fields contain",
    arguments: [(12, 1), (1, 9), (80, 7)])
  func painted(width: Int, every step: Int) {
    for bad in stride(from: 0, to: Self.harm.count, by: step).map({ Self.harm[$0] }) {
      for row in [Self.row(bad), Self.warned(bad)] {
        for isDetailed in [false, true] {
          let bare = LinePainter(width: width, traits: .bare, isDetailed: isDetailed).paint(row)
          let colored = LinePainter(
            width: width, traits: TerminalTraits(usesColor: true, isolatesDirections: false), isDetailed: isDetailed
          ).paint(row)
          let seen = TerminalReader(colored)
          let violation = TerminalReader(bare).violation ?? seen.violation
          let isRight =
            violation == nil && !bare.contains(0x1B) && seen.text == bare
            && String(validating: bare, as: UTF8.self) != nil
          // An expectation for each of ten thousand rows would take longer than painting them.
          if !isRight { Issue.record("\(bad): \(violation ?? "") \(bare) \(colored)") }
        }
      }
    }
  }

  @Test("formats for programs contain no control characters either") func programs() {
    for bad in Self.harm {
      for format in [RowFormat.plain, .json, .jsonl] {
        var writer = RowWriter(format, painter: LinePainter(width: 80, traits: .bare))
        var output = writer.row(Self.row(bad)) + writer.row(Self.warned(bad)) + writer.end()
        output.removeAll { $0 == 0x09 && format == .plain }
        #expect(TerminalReader(output).violation == nil, "\(format) \(bad)")
      }
      let events = [TimelineEvent.inserted(Self.row(bad)), .changed(Self.row(bad))]
      for event in events {
        let output = EventWriter(.jsonl, painter: LinePainter(width: 80, traits: .bare)).bytes(of: event)
        #expect(TerminalReader(output).violation == nil)
      }
    }
  }

  @Test("errors, reports and status quote no escape sequences") func quoted() {
    for bad in Self.harm {
      let said = String(decoding: bad, as: UTF8.self)
      let failure = ClientFailure(.failure, said, hint: said)
      var status = DaemonStatus()
      status.account = said
      status.storePath = said
      status.daemonVersion = said
      var response = ImportResponse()
      response.format = said
      let skips = [ImportResponse.Skip(file: said, position: 1, reason: said)]
      let outputs =
        [
          failure.report(asJSON: true), failure.report(asJSON: false), Notice.line(said),
          ImportProgress.json(response, skips: skips, isDryRun: false, isWhole: true),
        ]
        + [RowFormat.lines, .json].flatMap { format in
          [status.record(socket: said, now: 0), Record.versions(of: status)].map {
            RecordWriter(format, traits: .bare).bytes(of: $0)
          }
        }
      for output in outputs { #expect(TerminalReader(output).violation == nil, "\(bad)") }
      #expect(failure.report(asJSON: false).count { $0 == 0x0A } == 1, "one line")
    }
  }

  @Test("random rows paint the same text with and without colour", arguments: seeds(0..<100 as Range<UInt64>))
  func seeded(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let row = RandomView.row(7, using: &random)
    let bare = LinePainter(width: 40, traits: .bare).paint(row)
    let colored = TerminalReader(
      LinePainter(width: 40, traits: TerminalTraits(usesColor: true, isolatesDirections: false)).paint(row))
    #expect(colored.violation == nil)
    #expect(colored.text == bare)
  }
}
