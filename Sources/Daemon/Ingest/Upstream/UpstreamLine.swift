public import Posts

/// What is said to the program that speaks for a source, and what it says: one JSON object a line (docs/UPSTREAM.md).
public struct UpstreamLine {
  /// Bytes of a line, either way.
  public static let limitBytes = 64 << 10

  private let parser = JSONParser()
  private var framer = LineFramer(limit: limitBytes)

  /// Nothing has been said yet.
  public init() {}

  /// A command as a line, with its end.
  public static func line(_ command: UpstreamCommand) -> [UInt8] {
    var writer = JSONWriter()
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

  /// Reads what the program has written, and hands on each answer, or why a line is none. O(bytes).
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
      return .failure(UpstreamMistake(reason: "a line is no JSON"))
    }
  }

  private static func answer(_ value: JSONValue) throws -> UpstreamAnswer {
    guard let id = value["id"]?.string, !id.isEmpty else { throw UpstreamMistake(reason: "an answer has no id") }
    guard let isDone = value["ok"]?.bool else {
      throw UpstreamMistake(reason: "an answer says neither that it is ok nor that it is not")
    }
    let reason = SafeText(line: value.line("reason").string.shortened)
    guard isDone else {
      let said = reason.hasVisibleCharacter ? reason : "it was refused without a reason"
      return UpstreamAnswer(id: id, value["retry"]?.bool == true ? .later(said) : .refused(said))
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

/// A line of a source's program that is no answer.
public struct UpstreamMistake: Error, Equatable, Sendable {
  /// Half a sentence: what is wrong with it.
  public let reason: String

  /// For this reason.
  public init(reason: String) { self.reason = reason }
}
