internal import ClientCore
internal import Messages
internal import ViewState

/// Calls to the daemon and what their answers mean. Commands on the stack are shown by frames; here only what went
/// wrong is told.
extension App {
  /// What a call was made for.
  enum Purpose: Equatable {
    case select(pane: UInt64, row: UInt64)
    /// A command on the stack; what is done when it changes the topmost pane is in ``Opening``.
    case stack
    case slide
    case detail
    case compose
    /// Counts the text that is being written.
    case count
    /// Keeps what is being written, under this name.
    case saveDraft(key: String)
    case throwAway
    case drafts
    case mark(Marked)
    /// Says of posts that they are read, or unread.
    case readMarks([UInt64], isRead: Bool)
    case undo(isRedo: Bool)
    /// Says what is done then.
    case say(String)
    case sessions
    case renamedSession(String)
  }

  /// The head of a command, with an id of its own: sent again, it is done once.
  mutating func command() -> SessionCommand {
    var command = SessionCommand()
    command.session = session
    command.requestID = requestID()
    return command
  }

  /// A new one each time.
  mutating func requestID() -> String {
    lastRequest += 1
    return "\(options.requestPrefix)-\(lastRequest)"
  }

  mutating func call(_ purpose: Purpose, _ method: String, _ request: some WireMessage) {
    lastCall += 1
    calls[lastCall] = purpose
    effects.append(.call(lastCall, method: method, request: request.encoded()))
  }

  mutating func answered(_ number: UInt64, _ result: Result<[UInt8], CallEnd>) {
    guard let purpose = calls.removeValue(forKey: number) else { return }
    switch (purpose, result) {
    case (.select(let pane, let row), _): selectionAnswered(pane: pane, row: row, result)
    case (.slide, .success(let bytes)):
      if (try? MoveStackResponse(decoding: bytes))?.hasMoved == false { tell("The panes end here.") }
    case (.compose, _): composed(result)
    case (.count, _): counted(result)
    case (.saveDraft(let key), _): draftSaved(key, result)
    // Who may not write has none.
    case (.drafts, .success(let bytes)): draftsListed((try? ListDraftsResponse(decoding: bytes))?.drafts ?? [])
    case (.throwAway, _), (.drafts, _): break
    case (.mark(let marked), _):
      markAnswered(marked, result)
      if case .failure(let end) = result { complain(end) }
    case (.readMarks(let posts, let isRead), _): readMarksAnswered(posts, isRead: isRead, result)
    case (.undo(let isRedo), .success(let bytes)):
      let answer = try? UndoResponse(decoding: bytes)
      let sentence = answer?.sentence(isRedo: isRedo) ?? "Done"
      tell(isRedo || answer?.isIrrevocable == true ? "\(sentence)." : "\(sentence). Redo brings it back.")
    case (.detail, _):
      isDetailUnderWay = false
      if case .failure(let end) = result { complain(end) } else { sendDetail() }
    case (.say(let words), .success): tell(words)
    case (.sessions, .success(let bytes)): showSessions((try? ListSessionsResponse(decoding: bytes))?.sessions ?? [])
    case (.renamedSession(let name), .success):
      session = name
      tell("It is called \(name) now.")
    case (.stack, .success(let bytes)):
      guard opening?.call == number, let revision = try? PaneResponse(decoding: bytes).revision else { return }
      opening = revision > snapshot.revision ? Opening(call: number, revision: revision) : nil
    case (.stack, .failure(let end)):
      // Keys for a pane that never comes go with it.
      if opening?.call == number { forgetHeld() }
      complain(end)
    case (.sessions, .failure(let end)):
      (held, holdEnd) = ([], nil)
      complain(end)
    case (_, .failure(let end)): complain(end)
    }
    releaseHeld()
  }

  mutating func complain(_ end: CallEnd) {
    tell(end.message.isEmpty ? "The daemon refused that." : App.sentence(end.message), .warning)
  }

  /// The daemon's words as a sentence.
  static func sentence(_ words: String) -> String {
    let head = words.prefix(1).uppercased() + words.dropFirst()
    return head.hasSuffix(".") || head.hasSuffix("?") || head.hasSuffix("!") ? head : head + "."
  }
}
