public import Posts

/// The protocol with the program that acts for a source: one JSON object a line in both directions (docs/UPSTREAM.md).
public struct UpstreamLine {
  /// The maximum length of a line in bytes, in either direction.
  public static let limitBytes = 64 << 10

  private let parser = JSONParser()
  private var framer = LineFramer(limit: limitBytes)

  /// Creates a reader for a new connection.
  public init() {}

  /// Returns a command as a line, with its end.
  public static func line(_ command: UpstreamCommand) -> [UInt8] {
    var writer = JSONLinesWriter()
    writer.begin()
    writer.field("id", command.id)
    writer.field("do", command.action.rawValue)
    writer.field("account", command.account)
    if !command.post.isEmpty { writer.field("post", command.post) }
    if let writing = command.writing {
      writer.field("text") { $0.string(writing.text.utf8) }
      writer.field("visibility", JSONLinesNames.name(of: writing.visibility))
      if !writing.inReplyTo.isEmpty { writer.field("in_reply_to", writing.inReplyTo) }
    }
    writer.end()
    return writer.bytes + [0x0A]
  }

  /// Reads output of the program and passes each reply to `body`, or a description of an invalid line. O(bytes).
  public mutating func read(_ bytes: [UInt8], _ body: (Result<UpstreamAnswer, UpstreamMistake>) -> Void) {
    var index = 0
    while let output = framer.next(bytes.span, from: &index) {
      guard output == .line else {
        body(.failure(UpstreamMistake(reason: "a line is longer than \(Self.limitBytes) bytes")))
        continue
      }
      body(answer(framer.line))
    }
  }

  private func answer(_ line: [UInt8]) -> Result<UpstreamAnswer, UpstreamMistake> {
    var line = line
    do {
      return .success(try parser.parse(&line) { value, _ in try Self.answer(value) })
    } catch let mistake as UpstreamMistake {
      return .failure(mistake)
    } catch {
      return .failure(UpstreamMistake(reason: "a line is not JSON"))
    }
  }

  private static func answer(_ value: JSONValue) throws -> UpstreamAnswer {
    guard let id = value["id"]?.string, !id.isEmpty else { throw UpstreamMistake(reason: "a reply has no id") }
    guard let isDone = value["ok"]?.bool else {
      throw UpstreamMistake(reason: "a reply has neither \"ok\": true nor \"ok\": false")
    }
    let reason = SafeText(line: value.line("reason").string.shortened)
    guard isDone else {
      let shown = reason.hasVisibleCharacter ? reason : "no reason given"
      return UpstreamAnswer(id: id, value["retry"]?.bool == true ? .later(shown) : .refused(shown))
    }
    let native: String
    do {
      native = try value.nativeID("native_id") ?? ""
    } catch {
      throw UpstreamMistake(reason: "a native_id is longer than \(nativeIDLimit) bytes")
    }
    let permalink = value.line("permalink")
    let isAddress = permalink.count <= nativeIDLimit && !WebAddress(permalink.string).host.isEmpty
    return UpstreamAnswer(id: id, .done(nativeID: native, permalink: isAddress ? permalink : .empty))
  }
}

/// A line of a source's program that is not a reply.
public struct UpstreamMistake: Error, Equatable, Sendable {
  /// The problem, as a clause.
  public let reason: String

  public init(reason: String) { self.reason = reason }
}
