internal import Messages

/// Writing: what is in the editor goes to the daemon as a post. Until then the daemon keeps it, from the first letter,
/// so that nothing is lost with this program and other terminals have it.
struct Composer {
  /// The least time from one state that is sent to the next.
  private static let savePause: Int64 = 250
  /// Texts that are remembered here; of very many the others are the daemon's to remember.
  private static let leftLimit = 200

  /// The text that the daemon counts, or could not count: another one is counted when it has answered.
  private enum Counting: Equatable {
    case none
    case underWay(String)
    case failed(String)
  }

  private var draft: Draft?
  /// Texts that were left, until one writes there again.
  private var left: [Draft.Subject: Draft.Left] = [:]
  /// Drafts that are to be thrown away when their number is known.
  private var thrownAway: Set<String> = []
  private var counting = Counting.none

  // MARK: The editor

  /// Opens an editor on what was left of a subject, or else on `beginning`.
  mutating func begin(
    _ subject: Draft.Subject, from beginning: String, width: Int, _ dialog: inout Dialog,
    _ connection: inout Connection,
    _ editor: (String) -> ComposeEditor
  ) {
    // A post that somebody begins with words of their own is another than the one that was left.
    let before = subject == .post && !beginning.isEmpty ? nil : left.removeValue(forKey: subject)
    let start = subject == .post ? "" : beginning
    draft = Draft(
      requestID: connection.requestID(), subject: subject, beginning: start,
      copy: before?.copy ?? Draft.Copy(key: connection.requestID(), text: start))
    var editor = editor(before?.text ?? beginning)
    editor.width = width
    dialog.show(.compose(editor))
    askForDrafts(&connection)
  }

  /// Leaves the editor; what was written in it is kept, and comes back where it was begun.
  mutating func leave(_ dialog: inout Dialog, at now: Int64, _ connection: inout Connection) -> StatusNotice? {
    defer {
      draft = nil
      dialog.close()
    }
    guard let editor = dialog.editor, let draft else { return nil }
    guard editor.text != draft.beginning, !editor.text.allSatisfy(\.isWhitespace) else {
      throwAway(draft.copy, &connection)
      return nil
    }
    var copy = draft.copy
    // What is on its way is not there yet; the same once more does no harm.
    if editor.text != copy.text || copy.saving != nil, connection.isOpen {
      save(editor.text, of: draft, at: now, &connection)
      copy.text = editor.text
    }
    copy.saving = nil
    if left.count >= Self.leftLimit { left = [:] }
    left[draft.subject] = Draft.Left(text: editor.text, copy: copy)
    return StatusNotice("The text is kept; it comes back when you write there again.")
  }

  /// Sends what is written.
  mutating func send(_ dialog: inout Dialog, at now: Int64, _ connection: inout Connection) -> StatusNotice? {
    guard var editor = dialog.editor, editor.canSend else { return nil }
    guard connection.isOpen else {
      editor.failure = "There is no daemon; the text stays here."
      dialog.update(editor)
      return nil
    }
    guard var draft else { return nil }
    if case .edit = draft.subject, draft.sent == nil, editor.text == draft.beginning {
      _ = leave(&dialog, at: now, &connection)
      return StatusNotice("Nothing was changed.")
    }
    // Another text is another post, unless nothing came of the last.
    if let sent = draft.sent, sent != editor.text { draft.requestID = connection.requestID() }
    draft.sent = editor.text
    draft.sentDraft = draft.copy.id
    self.draft = draft
    editor.isSending = true
    editor.failure = ""
    dialog.update(editor)
    send(draft, editor.text, &connection)
    return nil
  }

  private func send(_ draft: Draft, _ text: String, _ connection: inout Connection) {
    if case .edit(let post) = draft.subject {
      var request = EditRequest(post: String(post), text: text)
      request.requestID = draft.requestID
      request.draftID = draft.sentDraft
      connection.call(.compose, Method.edit, request)
      return
    }
    var request = ComposeRequest(text: text)
    request.requestID = draft.requestID
    request.draftID = draft.sentDraft
    if case .answer(let post) = draft.subject { request.inReplyTo = String(post) }
    connection.call(.compose, Method.compose, request)
  }

  /// Takes the answer to what was sent.
  mutating func sent(
    _ result: Result<[UInt8], CallEnd>, _ dialog: inout Dialog, _ connection: inout Connection
  ) -> StatusNotice? {
    guard var editor = dialog.editor else { return nil }
    editor.isSending = false
    switch result {
    case .success:
      dialog.close()
      if let draft {
        left[draft.subject] = nil
        if draft.copy.saving != nil || draft.copy.id != draft.sentDraft { throwAway(draft.copy, &connection) }
      }
      draft = nil
      return StatusNotice(editor.isEdit ? "Edited." : "Posted.")
    case .failure(let end):
      // Where nobody knows whether it was done, the same name makes the next attempt safe; else a new one is as good.
      if !end.isTransient { draft?.sent = nil }
      editor.failure = LineWords.sentence(end.message)
      dialog.update(editor)
      return nil
    }
  }

  // MARK: Counting

  /// Has the daemon count what is being written, one text at a time; the last one is counted in the end.
  mutating func count(_ editor: ComposeEditor?, _ connection: inout Connection) {
    guard let text = editor?.text, connection.isOpen, !text.isEmpty, editor?.count?.text != text,
      counting != .failed(text)
    else { return }
    if case .underWay = counting { return }
    counting = .underWay(text)
    connection.call(.count, Method.measure, MeasureRequest(text: text, width: 10_000))
  }

  /// Takes the answer to that.
  mutating func counted(_ result: Result<[UInt8], CallEnd>, _ dialog: inout Dialog) {
    guard case .underWay(let text) = counting else { return }
    // What nobody counted is sent as it is: the daemon says then what is wrong with it.
    counting = .failed(text)
    guard var editor = dialog.editor, let bytes = try? result.get(), let answer = try? MeasureResponse(decoding: bytes),
      answer.weightedLength > 0
    else { return }
    counting = .none
    editor.count = ComposeEditor.Count(text: text, remaining: answer.remaining)
    dialog.update(editor)
  }

  // MARK: Keeping

  /// When a state of the draft is due that has to wait; nil for never.
  func saveDue(_ editor: ComposeEditor?, at now: Int64, _ connection: Connection) -> Int64? {
    guard let copy = draft?.copy, isToSave(editor, connection), copy.saving == nil, copy.next > now else { return nil }
    return copy.next
  }

  /// Has the daemon keep what is written: one state at a time, the last one in the end.
  mutating func save(_ editor: ComposeEditor?, at now: Int64, _ connection: inout Connection) {
    guard let editor, let draft, isToSave(editor, connection), draft.copy.saving == nil, draft.copy.next <= now
    else { return }
    save(editor.text, of: draft, at: now, &connection)
  }

  /// True where the daemon has another text than what is written, and may have this.
  private func isToSave(_ editor: ComposeEditor?, _ connection: Connection) -> Bool {
    guard let editor, let copy = draft?.copy, connection.isOpen else { return false }
    return !editor.isSending && editor.text != copy.text && editor.text != copy.refused
  }

  private mutating func save(_ text: String, of draft: Draft, at now: Int64, _ connection: inout Connection) {
    var draft = draft
    draft.copy.saving = text
    draft.copy.next = now + Self.savePause
    self.draft = draft
    var request = SaveDraftRequest(text: text)
    request.requestID = draft.copy.key
    request.draftID = draft.copy.id
    switch draft.subject {
    case .post: break
    case .answer(let post): (request.kind, request.post) = (.answer, String(post))
    case .edit(let post): (request.kind, request.post) = (.edit, String(post))
    }
    connection.call(.saveDraft(key: draft.copy.key), Method.saveDraft, request)
  }

  /// Takes the answer to that.
  mutating func saved(
    _ key: String, _ result: Result<[UInt8], CallEnd>, _ connection: inout Connection
  ) -> StatusNotice? {
    let id = (try? result.get()).flatMap { try? DraftReference(decoding: $0) }?.draftID ?? 0
    if thrownAway.remove(key) != nil {
      if id != 0 { throwAway(id, &connection) }
      return nil
    }
    guard var draft, draft.copy.key == key else {
      // It was left meanwhile.
      if id != 0, let subject = left.first(where: { $0.value.copy.key == key })?.key { left[subject]?.copy.id = id }
      return nil
    }
    defer { self.draft = draft }
    let text = draft.copy.saving
    draft.copy.saving = nil
    switch result {
    case .success:
      draft.copy.id = id
      draft.copy.text = text ?? ""
      draft.copy.refused = nil
    case .failure(let end) where end.code == CallEnd.notFound && draft.copy.id != 0:
      // Somebody has posted it or thrown it away; what is here is another one now.
      draft.copy = Draft.Copy(key: connection.requestID(), text: "")
    case .failure(let end):
      draft.copy.refused = text
      if !end.isTransient { return StatusNotice("Not kept: \(end.message)", .warning) }
    }
    return nil
  }

  /// Tries once more what another daemon did not take.
  mutating func reconnected() { draft?.copy.refused = nil }

  /// Has the daemon forget what has become a post, or nothing.
  private mutating func throwAway(_ copy: Draft.Copy, _ connection: inout Connection) {
    if copy.saving != nil {
      thrownAway.insert(copy.key)
    } else if copy.id != 0 {
      throwAway(copy.id, &connection)
    }
  }

  private func throwAway(_ id: UInt64, _ connection: inout Connection) {
    connection.call(.throwAway, Method.deleteDraft, DraftReference(id))
  }

  // MARK: Drafts of other terminals

  /// Asks for all there are: from other terminals, or from before.
  func askForDrafts(_ connection: inout Connection) { connection.call(.drafts, Method.listDrafts, PageRequest()) }

  /// Takes all there are. What was begun elsewhere goes into an editor in which nothing has been written yet.
  mutating func listed(_ drafts: [DraftSummary], _ dialog: inout Dialog) {
    left = left.filter { $0.value.copy.id == 0 }
    for summary in drafts.prefix(Self.leftLimit) where summary.draftID != draft?.copy.id {
      let subject: Draft.Subject =
        switch summary.kind {
        case .answer: .answer(to: summary.postID)
        case .edit: .edit(of: summary.postID)
        case nil: .post
        }
      // The one that was saved last comes first, and what is on its way is later still.
      guard left[subject] == nil else { continue }
      let copy = Draft.Copy(key: "draft-\(summary.draftID)", id: summary.draftID, text: summary.text)
      left[subject] = Draft.Left(text: summary.text, copy: copy)
    }
    guard var editor = dialog.editor, var draft, draft.copy.id == 0, draft.copy.saving == nil, !editor.isSending,
      editor.text == draft.beginning, let before = left.removeValue(forKey: draft.subject)
    else { return }
    draft.copy = before.copy
    self.draft = draft
    editor.replace(with: before.text)
    dialog.update(editor)
  }
}
