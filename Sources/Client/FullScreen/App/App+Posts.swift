internal import Messages
internal import ViewState

/// What is done with posts: writing, answering, deleting, and following what stands in them.
extension App {
  /// What is chosen from a menu.
  enum Choice: Equatable {
    case browse([UInt8])
    case author(String)
    case tag(String)
    case session(String)
  }

  // MARK: Writing

  mutating func beginPost(_ text: String = "") {
    if case .compose = state.overlay { return }
    begin(.post, from: text) { ComposeEditor(text: $0) }
  }

  /// Opens an editor on what was left of a subject, or else on `beginning`.
  private mutating func begin(_ subject: Draft.Subject, from beginning: String, _ editor: (String) -> ComposeEditor) {
    // A post that somebody begins with words of their own is another than the one that was left.
    let left = subject == .post && !beginning.isEmpty ? nil : kept.removeValue(forKey: subject)
    let start = subject == .post ? "" : beginning
    draft = Draft(
      requestID: requestID(), subject: subject, beginning: start,
      copy: left?.copy ?? Draft.Copy(key: requestID(), text: start))
    var editor = editor(left?.text ?? beginning)
    editor.width = state.panelWidth
    state.overlay = .compose(editor)
    askForDrafts()
  }

  mutating func beginReply() {
    guard let row = currentRow, row.content.fields.postID != 0 else { return tell("There is no post to answer.") }
    let handle = String(decoding: row.content.fields.author.handle, as: UTF8.self)
    let isOwn = row.content.fields.author.id == snapshot.navigation.account?.id
    let subject = Draft.Subject.answer(to: row.content.fields.postID)
    let beginning = isOwn ? "" : "@\(handle) "
    begin(subject, from: beginning) { ComposeEditor(text: $0, parent: row) }
  }

  mutating func beginEdit() {
    guard let fields = currentRow?.content.fields, fields.postID != 0 else { return tell("There is no post to edit.") }
    if let account = snapshot.navigation.account, account.id != fields.author.id {
      return tell("Only what you wrote here can be edited.", .warning)
    }
    let subject = Draft.Subject.edit(of: fields.postID)
    let text = String(decoding: fields.text, as: UTF8.self)
    begin(subject, from: text) { ComposeEditor(text: $0, isEdit: true) }
  }

  mutating func sendPost() {
    guard case .compose(var editor) = state.overlay, editor.canSend else { return }
    guard viewID != 0 else {
      editor.failure = "There is no daemon; the text stays here."
      state.overlay = .compose(editor)
      return
    }
    guard var draft else { return }
    if case .edit = draft.subject, draft.sent == nil, editor.text == draft.beginning {
      leavePost()
      return tell("Nothing was changed.")
    }
    // Another text is another post, unless nothing came of the last.
    if let sent = draft.sent, sent != editor.text { draft.requestID = requestID() }
    draft.sent = editor.text
    draft.sentDraft = draft.copy.id
    self.draft = draft
    editor.isSending = true
    editor.failure = ""
    state.overlay = .compose(editor)
    if case .edit(let post) = draft.subject {
      var request = EditRequest(post: String(post), text: editor.text)
      request.requestID = draft.requestID
      request.draftID = draft.sentDraft
      return call(.compose, Method.edit, request)
    }
    var request = ComposeRequest(text: editor.text)
    request.requestID = draft.requestID
    request.draftID = draft.sentDraft
    if case .answer(let post) = draft.subject { request.inReplyTo = String(post) }
    call(.compose, Method.compose, request)
  }

  /// Has the daemon count what is being written, one text at a time; the last one is counted in the end.
  mutating func countText() {
    guard case .compose(let editor) = state.overlay, viewID != 0, !editor.text.isEmpty,
      editor.count?.text != editor.text,
      counting?.isUnderWay != true, counting?.text != editor.text
    else { return }
    counting = (editor.text, true)
    call(.count, Method.measure, MeasureRequest(text: editor.text, width: 10_000))
  }

  mutating func counted(_ result: Result<[UInt8], CallEnd>) {
    guard let text = counting?.text else { return }
    counting?.isUnderWay = false
    // What nobody counted is sent as it is: the daemon says then what is wrong with it.
    guard case .compose(var editor) = state.overlay, case .success(let bytes) = result,
      let answer = try? MeasureResponse(decoding: bytes),
      answer.weightedLength > 0
    else { return }
    counting = nil
    editor.count = ComposeEditor.Count(text: text, remaining: answer.remaining)
    state.overlay = .compose(editor)
  }

  mutating func composed(_ result: Result<[UInt8], CallEnd>) {
    guard case .compose(var editor) = state.overlay else { return }
    editor.isSending = false
    switch result {
    case .success:
      state.overlay = nil
      tell(editor.isEdit ? "Edited." : "Posted.")
      if let draft { kept[draft.subject] = nil }
      if let draft, draft.copy.saving != nil || draft.copy.id != draft.sentDraft { throwAway(draft.copy) }
      draft = nil
    case .failure(let end):
      // Where nobody knows whether it was done, the same name makes the next attempt safe; else a new one is as good.
      if !end.isTransient { draft?.sent = nil }
      editor.failure = App.sentence(end.message)
      state.overlay = .compose(editor)
    }
  }

  mutating func editElsewhere() {
    if case .compose(let editor) = state.overlay {
      effects.append(.edit(editor.text))
    } else {
      beginPost()
      if case .compose(let editor) = state.overlay { effects.append(.edit(editor.text)) }
    }
  }

  mutating func edited(_ result: Result<String, CallEnd>) {
    guard case .compose(var editor) = state.overlay else { return }
    switch result {
    case .success(var text):
      while text.hasSuffix("\n") { text.removeLast() }
      editor.replace(with: text)
      editor.failure = ""
    case .failure(let end): editor.failure = App.sentence(end.message)
    }
    state.overlay = .compose(editor)
  }

  // MARK: Deleting

  mutating func askToDelete() {
    guard let row = currentRow else { return }
    guard row.content.fields.postID != 0 else { return tellNoPost(row) }
    let fields = row.content.fields
    if let account = snapshot.navigation.account, account.id != fields.author.id {
      return tell("Only your own posts can be deleted.", .warning)
    }
    let text = String(decoding: fields.text, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    ask(.delete(fields.postID), Confirmation(question: "Delete this post?", detail: text, verb: "delete"))
  }

  mutating func delete(_ post: UInt64) {
    var request = DeleteRequest(post: String(post))
    request.requestID = requestID()
    call(.say("Deleted."), Method.delete, request)
  }

  // MARK: What stands in a post

  /// Where a span of a kind leads, each once.
  private func targets(of kind: RowSpan.Kind) -> [(text: String, target: [UInt8])] {
    guard let fields = currentRow?.content.fields else { return [] }
    var known: Set<[UInt8]> = []
    return fields.spans.filter { $0.kind == kind && known.insert($0.target).inserted }.map { span in
      let range = span.range.clamped(to: 0..<fields.text.count)
      return (String(decoding: fields.text[range], as: UTF8.self), span.target)
    }
  }

  mutating func openLink() {
    let links = targets(of: .link)
    let media = currentRow?.content.fields.media ?? []
    switch links.count {
    case 0: if media.isEmpty { tell("There is no link in this post.") } else { showMedia() }
    case 1: effects.append(.browse(links[0].target))
    default:
      choose(
        "Links",
        links.map { (Menu.Item($0.text, detail: String(decoding: $0.target, as: UTF8.self)), .browse($0.target)) })
    }
  }

  mutating func openInBrowser() {
    guard let fields = currentRow?.content.fields else { return }
    if fields.permalink.isEmpty {
      tell("This post has no page on the web.")
    } else {
      effects.append(.browse(fields.permalink))
    }
  }

  mutating func showMedia() {
    guard let media = currentRow?.content.fields.media, !media.isEmpty else { return tell("There are no attachments.") }
    choose(
      "Attachments",
      media.map { item in
        let text = item.altText.isEmpty ? "(no description)" : String(decoding: item.altText, as: UTF8.self)
        return (Menu.Item(text, detail: "\(item.kind)"), .browse(item.url))
      })
  }

  mutating func copyLink() {
    guard let fields = currentRow?.content.fields else { return }
    let text = fields.permalink.isEmpty ? targets(of: .link).first?.target ?? [] : fields.permalink
    guard !text.isEmpty else { return tell("There is no address to copy.") }
    effects.append(.copy(text))
    tell("The address is copied, where the terminal lets programs copy.")
  }

  mutating func copyText() {
    guard let fields = currentRow?.content.fields, !fields.text.isEmpty else { return }
    effects.append(.copy(fields.text))
    tell("The text is copied, where the terminal lets programs copy.")
  }

  /// An author who is named in the post, or whom the person names.
  mutating func openUser() {
    let people = targets(of: .mention).map { String(decoding: $0.target, as: UTF8.self) }
    guard !people.isEmpty else { return prompt(.author) }
    choose("People", people.map { (Menu.Item("@\($0)"), .author("@\($0)")) })
  }

  mutating func openTag() {
    let tags = targets(of: .hashtag).map { String(decoding: $0.target, as: UTF8.self) }
    switch tags.count {
    case 0: prompt(.tag)
    case 1: push(.search("#\(tags[0])"))
    default: choose("Topics", tags.map { (Menu.Item("#\($0)"), .tag($0)) })
    }
  }

  /// Shows or folds the text under a warning.
  mutating func reveal() {
    guard let row = currentRow else { return }
    guard !row.content.fields.contentWarning.isEmpty || row.content.fields.flags.contains(.sensitive) else {
      return tell("Nothing is hidden in this post.")
    }
    if state.revealed.remove(row.rowID) == nil { state.revealed.insert(row.rowID) }
  }

  // MARK: Choosing

  mutating func choose(_ title: String, _ items: [(Menu.Item, Choice)]) {
    choices = items.map(\.1)
    state.overlay = .menu(Menu(title: title, items: items.map(\.0)))
  }

  mutating func choose(number: Int) {
    state.overlay = nil
    guard choices.indices.contains(number) else { return }
    switch choices[number] {
    case .browse(let url): effects.append(.browse(url))
    case .author(let name): push(.author(name))
    case .tag(let tag): push(.search("#\(tag)"))
    case .session(let name): enter(session: name)
    }
    choices = []
  }
}
