/// Answers of commands are stored with the stack that they made, in the same bytes. A client that repeats a request
/// after the daemon was killed and restarted gets the same answer, and the command is done once.
///
///     done 3 a%20request
extension Session {
  /// Encodes a stack for the store: with the answers so far, and that of the command which makes it.
  func encoded(_ stack: PaneStack, saving command: CommandQueue.Waiting?, pane: UInt64, limit: Int) -> [UInt8] {
    var entries = commands.answers.map { (pane: $0.paneID, requestID: $0.requestID) }
    if let requestID = command?.command.requestID, !requestID.isEmpty { entries.append((pane, requestID)) }
    let lines = entries.suffix(limit).map { "done \($0.pane) \($0.requestID.percentEncoded)\n" }
    return stack.encoded + Array(lines.joined().utf8)
  }

  /// Decodes the stored answers, oldest first, all as of `revision`, at most `limit`.
  static func answers(in bytes: [UInt8], revision: UInt64, limit: Int) -> [CommandQueue.Answer] {
    let all = bytes.split(separator: 0x0A).compactMap { line -> CommandQueue.Answer? in
      let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 3, words[0] == "done", let pane = UInt64(words[1]), let requestID = words[2].percentDecoded
      else { return nil }
      return CommandQueue.Answer(requestID: requestID, paneID: pane, revision: revision)
    }
    return all.suffix(limit)
  }
}
