internal import Messages

/// Drafts: the daemon keeps what is being written, from the first letter, so that nothing is lost with this program and
/// other terminals have it.
extension App {
  /// A post on its way, or in the editor.
  struct Draft: Equatable {
    /// What it is called by, so that sending twice makes one post.
    var requestID: String
    /// The text that was last sent under that name.
    var sent: String?
    var subject: Subject
    /// What stood in the editor before anything was written.
    var beginning = ""
    /// What the daemon keeps of it.
    var copy: Copy
    /// The number of the draft that was sent with it, to go with it.
    var sentDraft: UInt64 = 0

    /// What is written.
    enum Subject: Hashable {
      case post
      case answer(to: UInt64)
      case edit(of: UInt64)
    }

    /// What the daemon keeps.
    struct Copy: Equatable {
      /// What it is called by before its number is known.
      var key: String
      /// 0 until the daemon has told it.
      var id: UInt64 = 0
      /// The text that it has; where it has none, the one that is not worth keeping.
      var text: String
      /// The text on its way there.
      var saving: String?
      /// One that it did not take: not tried again.
      var refused: String?
      /// When the next may be sent.
      var next: Int64 = 0
    }
  }

  /// A text that was left, and what the daemon keeps of it.
  struct Kept: Equatable {
    var text: String
    var copy: Draft.Copy
  }

  /// The least time from one state that is sent to the next.
  static let draftPause: Int64 = 250

  /// When a state of the draft is due that has to wait; nil for never.
  var draftDue: Int64? {
    guard let draft, hasUnkept, draft.copy.saving == nil, draft.copy.next > now else { return nil }
    return draft.copy.next
  }

  /// What is written is not what the daemon has, and could be.
  private var hasUnkept: Bool {
    guard case .compose(let editor) = state.overlay, let copy = draft?.copy, viewID != 0 else { return false }
    return !editor.isSending && editor.text != copy.text && editor.text != copy.refused
  }

  /// Has the daemon keep what is written: one state at a time, the last one in the end.
  mutating func keepDraft() {
    guard hasUnkept, let draft, draft.copy.saving == nil, draft.copy.next <= now,
      case .compose(let editor) = state.overlay
    else { return }
    keep(editor.text)
  }

  private mutating func keep(_ text: String) {
    guard var draft else { return }
    draft.copy.saving = text
    draft.copy.next = now + App.draftPause
    self.draft = draft
    var request = SaveDraftRequest(text: text)
    request.requestID = draft.copy.key
    request.draftID = draft.copy.id
    switch draft.subject {
    case .post: break
    case .answer(let post): (request.kind, request.post) = (.answer, String(post))
    case .edit(let post): (request.kind, request.post) = (.edit, String(post))
    }
    call(.saveDraft(key: draft.copy.key), Method.saveDraft, request)
  }

  mutating func draftSaved(_ key: String, _ result: Result<[UInt8], CallEnd>) {
    let id = (try? result.get()).flatMap { try? DraftReference(decoding: $0) }?.draftID ?? 0
    if thrownAway.remove(key) != nil {
      if id != 0 { throwAway(id) }
      return
    }
    guard draft?.copy.key == key else {
      // It was left meanwhile.
      if id != 0, let subject = kept.first(where: { $0.value.copy.key == key })?.key { kept[subject]?.copy.id = id }
      return
    }
    let text = draft?.copy.saving
    draft?.copy.saving = nil
    switch result {
    case .success:
      draft?.copy.id = id
      draft?.copy.text = text ?? ""
      draft?.copy.refused = nil
    case .failure(let end) where end.code == CallEnd.notFound && draft?.copy.id != 0:
      // Somebody has posted it or thrown it away; what is here is another one now.
      let key = requestID()
      draft?.copy = Draft.Copy(key: key, text: "")
    case .failure(let end):
      draft?.copy.refused = text
      if !end.isTransient { tell("Not kept: \(end.message)", .warning) }
    }
  }

  /// Leaves the editor; what was written in it is kept, and comes back where it was begun.
  mutating func leavePost() {
    defer {
      draft = nil
      state.overlay = nil
    }
    guard case .compose(let editor) = state.overlay, let draft else { return }
    guard editor.text != draft.beginning, !editor.text.allSatisfy(\.isWhitespace) else { return throwAway(draft.copy) }
    var copy = draft.copy
    // What is on its way is not there yet; the same once more does no harm.
    if editor.text != copy.text || copy.saving != nil, viewID != 0 {
      keep(editor.text)
      copy.text = editor.text
    }
    copy.saving = nil
    if kept.count >= App.keptLimit { kept = [:] }
    kept[draft.subject] = Kept(text: editor.text, copy: copy)
    tell("The text is kept; it comes back when you write there again.")
  }

  /// Texts that are remembered here; of very many the others are the daemon's to remember.
  private static let keptLimit = 200

  /// Has the daemon forget what has become a post, or nothing.
  mutating func throwAway(_ copy: Draft.Copy) {
    if copy.saving != nil {
      thrownAway.insert(copy.key)
    } else if copy.id != 0 {
      throwAway(copy.id)
    }
  }

  private mutating func throwAway(_ id: UInt64) { call(.throwAway, Method.deleteDraft, DraftReference(id)) }

  // MARK: Drafts of other terminals

  /// Asks for all there are: from other terminals, or from before.
  mutating func askForDrafts() { call(.drafts, Method.listDrafts, EmptyMessage()) }

  mutating func draftsListed(_ drafts: [DraftSummary]) {
    kept = kept.filter { $0.value.copy.id == 0 }
    for summary in drafts.prefix(App.keptLimit) where summary.draftID != draft?.copy.id {
      let subject: Draft.Subject =
        switch summary.kind {
        case .answer: .answer(to: summary.postID)
        case .edit: .edit(of: summary.postID)
        case nil: .post
        }
      // The one that was saved last comes first, and what is on its way is later still.
      guard kept[subject] == nil else { continue }
      let copy = Draft.Copy(key: "draft-\(summary.draftID)", id: summary.draftID, text: summary.text)
      kept[subject] = Kept(text: summary.text, copy: copy)
    }
    takeDraft()
  }

  /// Puts what was begun elsewhere into an editor in which nothing has been written yet.
  private mutating func takeDraft() {
    guard case .compose(var editor) = state.overlay, var draft, draft.copy.id == 0, draft.copy.saving == nil,
      !editor.isSending,
      editor.text == draft.beginning, let left = kept.removeValue(forKey: draft.subject)
    else { return }
    draft.copy = left.copy
    self.draft = draft
    editor.replace(with: left.text)
    state.overlay = .compose(editor)
  }
}
