/// Answers of commands are kept with the stack that they made, in the same bytes: a client that asks again of a daemon
/// that has been killed and started again gets the answer, and the command is done once.
///
///     done 3 a%20request
extension Session {
  /// A stack as it is stored: with the answers so far, and that of the command which makes it.
  func encoded(_ stack: PaneStack, saving command: CommandQueue.Waiting?, pane: UInt64, limit: Int) -> [UInt8] {
    var told = commands.answers.map { (pane: $0.paneID, requestID: $0.requestID) }
    if let requestID = command?.command.requestID, !requestID.isEmpty { told.append((pane, requestID)) }
    let lines = told.suffix(limit).map { "done \($0.pane) \($0.requestID.percentEncoded)\n" }
    return stack.encoded + Array(lines.joined().utf8)
  }

  /// The answers in what was stored, oldest first, all as of its `revision`, at most `limit`.
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
