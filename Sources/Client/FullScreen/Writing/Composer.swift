internal import ClientCore
internal import Messages
internal import ViewState

/// Sends the text in the editor to the daemon as a post. Until then the daemon keeps it as a draft from the first
/// letter, so that it survives this program and is available on other terminals.
struct Composer {
  /// The shortest pause between two drafts sent.
  private static let savePause: Int64 = 250
  /// The number of unfinished texts remembered here. If there are more, the daemon remembers the others.
  private static let unfinishedLimit = 200

  /// The state of counting. After an answer, the next text is counted.
  private enum Counting: Equatable {
    case none
    case underWay(Counted)
    case failed(Counted)
  }

  /// A text, and the content warning that counts with it.
  private struct Counted: Equatable {
    var text: String
    var warning: String
  }

  private var draft: Draft?
  /// Unfinished texts, until they are opened again.
  private var unfinished: [Draft.Subject: Draft.Unfinished] = [:]
  /// The number of drafts that were sent and not answered yet.
  private var savesUnderWay = 0
  /// True if a draft was under way when drafts were asked for last: what is known here may be newer than the answer.
  private var isListOld = false
  /// Keys of drafts to delete once their numbers are known.
  private var draftsToDelete: Set<String> = []
  private var counting = Counting.none
  /// The names of the accounts here, in lower case; empty until they are known.
  private var names: Set<String> = []
  /// The @names of the other accounts.
  private var others: [String] = []
  /// The text whose unknown name has been pointed out.
  private var warned: String?

  // MARK: The editor

  /// Opens an editor on the unfinished text of a subject, or else on `beginning`.
  mutating func begin(
    _ subject: Draft.Subject, from beginning: String, width: Int, _ dialog: inout Dialog,
    _ connection: inout Connection,
    _ editor: (String) -> ComposeEditor
  ) {
    // A post that begins with a given text, or with a name, is not the unfinished one.
    let isGiven = !beginning.isEmpty && (subject == .post || subject == .direct && beginning != "@")
    let before = isGiven ? nil : unfinished.removeValue(forKey: subject)
    let start = subject == .post ? "" : beginning
    var editor = editor(before?.post.text ?? beginning)
    if subject == .direct { editor.audience = .direct }
    // Whoever may see a post that no pane shows is known to the daemon alone.
    if case .answer = subject, editor.parent == nil { editor.audience = .parent }
    if let before { editor.resume(before.post, audience: before.audience) }
    let untouched = WrittenPost(text: start, audience: editor.audience)
    drop(&connection)
    draft = Draft(
      requestID: connection.requestID(), subject: subject, beginning: start, isGiven: isGiven,
      copy: before?.copy ?? Draft.Copy(key: connection.requestID(), post: untouched))
    editor.width = width
    dialog.show(.compose(editor))
    askForDrafts(&connection)
    connection.call(.names, Method.listPeople, PageRequest())
  }

  /// Learns who is here.
  mutating func meet(_ people: [ProfileSummary]) {
    names = Set(people.map { String(decoding: $0.author.handle, as: UTF8.self).lowercased() })
    others = people.filter { !$0.isMe }.map { "@" + String(decoding: $0.author.handle, as: UTF8.self) }
  }

  /// Completes in a direct message the names of accounts alone: no one else can get it.
  func completeNames(_ dialog: inout Dialog) {
    guard dialog.editor?.audience == .direct, !others.isEmpty else { return }
    dialog.updateEditor { [others] in $0.values.set(others, of: .author) }
  }

  /// Forgets the draft, whose file need not be at its source any more.
  private mutating func drop(_ connection: inout Connection) {
    if let draft { connection.cancelUpload(draft.call) }
    draft = nil
  }

  /// Closes the editor. Its text is kept, and returns when the same subject is opened again.
  mutating func leave(_ dialog: inout Dialog, at now: Int64, _ connection: inout Connection) -> StatusNotice? {
    defer {
      drop(&connection)
      dialog.close()
    }
    guard let editor = dialog.editor, let draft else { return nil }
    guard editor.text != draft.beginning, !editor.text.allSatisfy(\.isWhitespace) else {
      deleteDraft(draft.copy, &connection)
      return nil
    }
    var copy = draft.copy
    // A draft under way may not have arrived; sending it twice does no harm.
    if editor.post != copy.post || copy.saving != nil, connection.isOpen {
      save(editor.post, of: draft, at: now, &connection)
      copy.post = editor.post
    }
    copy.saving = nil
    if unfinished.count >= Self.unfinishedLimit { unfinished = [:] }
    unfinished[draft.subject] = Draft.Unfinished(post: editor.post, audience: editor.audience, copy: copy)
    return StatusNotice("Draft kept; it comes back when you write here again.")
  }

  /// Sends the text in the editor.
  mutating func send(_ dialog: inout Dialog, at now: Int64, _ connection: inout Connection) -> StatusNotice? {
    guard var editor = dialog.editor, !editor.isSending else { return nil }
    guard editor.canSend else {
      editor.failure = editor.obstacle
      dialog.update(editor)
      return nil
    }
    guard connection.isOpen else {
      editor.failure = "Not connected to the daemon; your text is kept."
      dialog.update(editor)
      return nil
    }
    guard var draft else { return nil }
    if let name = unknownName(in: editor, beginning: draft.beginning), warned != editor.text {
      warned = editor.text
      editor.failure = "There is no @\(name) here. Send again to post anyway."
      dialog.update(editor)
      return nil
    }
    if case .edit = draft.subject, draft.sent == nil, editor.text == draft.beginning {
      _ = leave(&dialog, at: now, &connection)
      return StatusNotice("No changes.")
    }
    // Another text is another post, unless the last request failed.
    if let sent = draft.sent, sent != editor.post {
      (draft.requestID, draft.media) = (connection.requestID(), nil)
    }
    draft.sent = editor.post
    draft.sentDraft = draft.copy.id
    editor.isSending = true
    editor.failure = ""
    dialog.update(editor)
    if editor.post.file.isEmpty || draft.media != nil {
      draft.call = send(draft, editor.post, &connection)
    } else {
      var header = UploadMediaHeader()
      if case .answer(let post) = draft.subject { header.inReplyTo = String(post) }
      header.description = editor.post.description == "-" ? "" : editor.post.description
      draft.call = connection.upload(editor.post.file, header)
    }
    self.draft = draft
    return nil
  }

  /// The file of a post is at its source, which lets the post be sent, or cannot be.
  mutating func uploaded(
    _ number: UInt64, _ result: Result<UploadedMedia, CallEnd>, _ dialog: inout Dialog, _ connection: inout Connection
  ) {
    guard var editor = dialog.editor, var draft, draft.call == number, let written = draft.sent else { return }
    switch result {
    case .success(let media):
      draft.media = media
      draft.call = send(draft, written, &connection)
      self.draft = draft
    case .failure(let end):
      self.draft?.sent = nil
      editor.isSending = false
      editor.failure = LineWords.sentence(end.message)
      dialog.update(editor)
    }
  }

  /// Returns the first name in a public post that no account has; nil if there is none, or no one else is here. Names
  /// that the text began with are those of authors. The daemon itself checks those of direct posts.
  private func unknownName(in editor: ComposeEditor, beginning: String) -> String? {
    guard names.count > 1, [.everyone, .unlisted].contains(editor.audience) else { return nil }
    return MentionedNames.unknown(in: editor.text, known: names.union(MentionedNames.names(in: beginning)))
  }

  /// Sends a post or an edit and returns the number of the call.
  private func send(_ draft: Draft, _ written: WrittenPost, _ connection: inout Connection) -> UInt64 {
    if case .edit(let post) = draft.subject {
      var request = EditRequest(post: String(post), text: written.text)
      request.requestID = draft.requestID
      request.draftID = draft.sentDraft
      return connection.call(.compose, Method.edit, request)
    }
    var request = ComposeRequest(text: written.text)
    request.visibility = written.audience.visibility
    (request.contentWarning, request.language) = (written.warning, written.language)
    request.requestID = draft.requestID
    request.draftID = draft.sentDraft
    if case .answer(let post) = draft.subject { request.inReplyTo = String(post) }
    if !written.file.isEmpty, let media = draft.media { request.media = [media] }
    return connection.call(.compose, Method.compose, request)
  }

  /// Handles the answer to a post or an edit. The editor that is open may be a later one.
  mutating func sent(
    _ number: UInt64, _ result: Result<[UInt8], CallEnd>, _ dialog: inout Dialog, _ connection: inout Connection
  ) -> StatusNotice? {
    guard var editor = dialog.editor, let draft, draft.call == number else { return nil }
    editor.isSending = false
    switch result {
    case .success(let bytes):
      dialog.close()
      unfinished[draft.subject] = nil
      if draft.copy.saving != nil || draft.copy.id != draft.sentDraft { deleteDraft(draft.copy, &connection) }
      self.draft = nil
      if editor.isEdit { return StatusNotice("Post edited.") }
      let isPending = (try? ComposeResponse(decoding: bytes))?.isPending ?? false
      return StatusNotice(isPending ? "Sending the post to its source…" : "Posted.")
    case .failure(let end):
      // If the outcome is unknown, the same request id makes another attempt safe. Otherwise a new one will do, and
      // the file may be another by then.
      if !end.isTransient {
        self.draft?.sent = nil
        self.draft?.media = nil
      }
      editor.failure = LineWords.sentence(end.message)
      dialog.update(editor)
      return nil
    }
  }

  // MARK: Counting

  /// Asks the daemon to count the text in the editor: one text at a time, and the last one in the end.
  mutating func count(_ editor: ComposeEditor?, _ connection: inout Connection) {
    guard let editor, connection.isOpen, !editor.text.isEmpty, !editor.isCounted else { return }
    let wanted = Counted(text: editor.text, warning: editor.warning.text)
    guard counting != .failed(wanted) else { return }
    if case .underWay = counting { return }
    counting = .underWay(wanted)
    var request = MeasureRequest(text: wanted.text, width: 10_000)
    request.contentWarning = wanted.warning
    // A reply may go to the source of its parent, and an edit goes to that of its post, which have limits of their own.
    switch draft?.subject {
    case .answer(let post)?: request.inReplyTo = String(post)
    case .edit(let post)?: request.editedPost = String(post)
    case .post?, .direct?, nil: break
    }
    connection.call(.count, Method.measure, request)
  }

  /// Handles the answer to a count.
  mutating func counted(_ result: Result<[UInt8], CallEnd>, _ dialog: inout Dialog) {
    guard case .underWay(let counted) = counting else { return }
    // A text that could not be counted may still be sent: the daemon reports what is wrong with it. Whether one may
    // edit a post at all is better known before one has written.
    counting = .failed(counted)
    if case .failure(let end) = result, end.code == CallEnd.permissionDenied, var editor = dialog.editor {
      editor.failure = LineWords.sentence(end.message)
      return dialog.update(editor)
    }
    guard var editor = dialog.editor, let bytes = try? result.get(), let answer = try? MeasureResponse(decoding: bytes),
      answer.weightedLength > 0
    else { return }
    counting = .none
    let length = Int(answer.weightedLength)
    editor.count = ComposeEditor.Count(
      text: counted.text, warning: counted.warning, length: length, limit: length + Int(answer.remaining))
    dialog.update(editor)
  }

  // MARK: Saving

  /// The time at which a delayed draft is to be sent; nil for none.
  func saveDue(_ editor: ComposeEditor?, at now: Int64, _ connection: Connection) -> Int64? {
    guard let copy = draft?.copy, isToSave(editor, connection), copy.saving == nil, copy.next > now else { return nil }
    return copy.next
  }

  /// Sends the draft to the daemon: one state at a time, and the last one in the end.
  mutating func save(_ editor: ComposeEditor?, at now: Int64, _ connection: inout Connection) {
    guard let editor, let draft, isToSave(editor, connection), draft.copy.saving == nil, draft.copy.next <= now
    else { return }
    save(editor.post, of: draft, at: now, &connection)
  }

  /// True if the daemon's copy differs from the text in the editor, and may be replaced.
  private func isToSave(_ editor: ComposeEditor?, _ connection: Connection) -> Bool {
    guard let editor, let copy = draft?.copy, connection.isOpen else { return false }
    return !editor.isSending && editor.post != copy.post && editor.post != copy.refused
  }

  private mutating func save(_ written: WrittenPost, of draft: Draft, at now: Int64, _ connection: inout Connection) {
    var draft = draft
    draft.copy.saving = written
    draft.copy.next = now + Self.savePause
    self.draft = draft
    var request = SaveDraftRequest(text: written.text)
    request.visibility = written.audience.visibility
    (request.contentWarning, request.language) = (written.warning, written.language)
    request.requestID = draft.copy.key
    request.draftID = draft.copy.id
    switch draft.subject {
    case .post, .direct: break
    case .answer(let post): (request.kind, request.post) = (.answer, String(post))
    case .edit(let post): (request.kind, request.post) = (.edit, String(post))
    }
    savesUnderWay += 1
    connection.call(.saveDraft(key: draft.copy.key), Method.saveDraft, request)
  }

  /// Handles the answer to a draft.
  mutating func saved(
    _ key: String, _ result: Result<[UInt8], CallEnd>, _ connection: inout Connection
  ) -> StatusNotice? {
    savesUnderWay = max(0, savesUnderWay - 1)
    let id = (try? result.get()).flatMap { try? DraftReference(decoding: $0) }?.draftID ?? 0
    if draftsToDelete.remove(key) != nil {
      if id != 0 { deleteDraft(id, &connection) }
      return nil
    }
    guard var draft, draft.copy.key == key else {
      // The editor was closed meanwhile.
      if id != 0, let subject = unfinished.first(where: { $0.value.copy.key == key })?.key {
        unfinished[subject]?.copy.id = id
      }
      return nil
    }
    defer { self.draft = draft }
    let saved = draft.copy.saving
    draft.copy.saving = nil
    switch result {
    case .success:
      draft.copy.id = id
      if let saved { draft.copy.post = saved }
      draft.copy.refused = nil
    case .failure(let end) where end.code == CallEnd.notFound && draft.copy.id != 0:
      // The draft was posted or deleted elsewhere. The text here becomes a new draft.
      draft.copy = Draft.Copy(
        key: connection.requestID(), post: WrittenPost(text: "", audience: draft.copy.post.audience))
    case .failure(let end):
      draft.copy.refused = saved
      if !end.isTransient { return StatusNotice("Draft not saved: \(end.message)", .warning) }
    }
    return nil
  }

  /// Retries a draft that the daemon refused before the connection was lost.
  mutating func reconnected() {
    draft?.copy.refused = nil
    savesUnderWay = 0
  }

  /// Deletes a draft that was posted or emptied.
  private mutating func deleteDraft(_ copy: Draft.Copy, _ connection: inout Connection) {
    if copy.saving != nil {
      draftsToDelete.insert(copy.key)
    } else if copy.id != 0 {
      deleteDraft(copy.id, &connection)
    }
  }

  private func deleteDraft(_ id: UInt64, _ connection: inout Connection) {
    connection.call(.deleteDraft, Method.deleteDraft, DraftReference(id))
  }

  // MARK: Drafts of other terminals

  /// Makes a draft the unfinished text of its subject, which it returns.
  mutating func takeOver(_ summary: DraftSummary) -> Draft.Subject {
    let subject = Draft.Subject(summary)
    if isListOld, unfinished[subject]?.copy.id == summary.draftID { return subject }
    unfinished[subject] = Draft.Unfinished(summary)
    return subject
  }

  /// Asks for all drafts, including those of other terminals and earlier sessions.
  mutating func askForDrafts(for purpose: CallPurpose = .drafts, _ connection: inout Connection) {
    isListOld = savesUnderWay > 0
    connection.call(purpose, Method.listDrafts, PageRequest())
  }

  /// Handles the list of drafts. A draft begun elsewhere goes into an editor in which nothing has been typed yet.
  mutating func listed(_ drafts: [DraftSummary], _ dialog: inout Dialog) {
    unfinished = unfinished.filter { isListOld || $0.value.copy.id == 0 }
    for summary in drafts.prefix(Self.unfinishedLimit) where summary.draftID != draft?.copy.id {
      let subject = Draft.Subject(summary)
      // The list begins with the draft saved last; a draft under way here is later still.
      guard unfinished[subject] == nil else { continue }
      unfinished[subject] = Draft.Unfinished(summary)
    }
    guard var editor = dialog.editor, var draft, !draft.isGiven, draft.copy.id == 0, draft.copy.saving == nil,
      !editor.isSending, editor.text == draft.beginning, let before = unfinished.removeValue(forKey: draft.subject)
    else { return }
    draft.copy = before.copy
    self.draft = draft
    editor.replace(with: before.post.text)
    editor.resume(before.post, audience: before.audience)
    dialog.update(editor)
  }
}
