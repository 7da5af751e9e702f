internal import ClientCore
internal import Messages
internal import ViewState

/// Commands on posts: opening their links, writing, marking, deleting.
extension App {
  /// Returns the current row. Without one, says why.
  mutating func rowOrNotice() -> PlacedRow? {
    if let row = reader.currentRow { return row }
    if let pane = reader.focused { showNotice(pane.status.isLoading ? "Still loading." : "This pane is empty.") }
    return nil
  }

  // MARK: Opening

  /// Opens what the selected row leads to (docs/BEHAVIOUR.md, rule 15).
  mutating func openRow() {
    guard let row = rowOrNotice() else { return }
    switch (row.content.fields.kind, reader.subject(of: row)) {
    case (.notice, _): return
    case (.gap, _): explainGap(row)
    case (_, .list(let list)?): push(.list(list))
    case (_, .direct(let conversation)?): push(.direct(conversation))
    default: openThread()
    }
  }

  /// Explains what a gap is and how to fill it.
  private mutating func explainGap(_ row: PlacedRow) {
    let fields = row.content.fields
    dialog.show(
      .message(
        Message(
          title: "Missing posts",
          lines: [
            String(decoding: fields.text, as: UTF8.self), "Period: \(row.label).", "",
            "Stack cannot fetch them by itself. Import a file that contains them",
            "(:import FILE). A line {\"complete\": {\"newer\": …, \"older\": …}} in the file",
            "states the period that is then complete, and closes the gap there.",
          ])))
  }

  /// Reports that a row is not a post.
  private mutating func tellNoPost(_ row: PlacedRow) {
    showNotice(row.content.fields.kind == .gap ? "This is a gap, not a post." : "This is not a post.", .warning)
  }

  /// Opens the conversation of the selected post.
  mutating func openThread() {
    guard let row = rowOrNotice() else { return }
    let post = row.content.fields.postID
    guard post != 0 else { return tellNoPost(row) }
    if let here = reader.focused?.header, here.kind == .conversation, here.subject == post {
      return showNotice("Already showing this conversation.")
    }
    reader.select(row.rowID, in: reader.focusID, &connection)
    // If the next pane to the right already shows it, that pane gets the focus.
    if let index = reader.index(of: reader.focusID), index + 1 < snapshot.panes.count {
      let right = snapshot.panes[index + 1].header
      if right.kind == .conversation, right.subject == post { return focus(andReveal: right.paneID) }
    }
    push(.conversation(String(post)))
  }

  /// Opens the author of the current row.
  mutating func openAuthor() {
    guard let row = rowOrNotice() else { return }
    if row.content.fields.kind == .gap { return tellNoPost(row) }
    push(.author(String(row.content.fields.author.id)))
  }

  /// Opens the link of the current row, or lists its links. Without links, lists its attachments.
  mutating func openLink() {
    guard let row = rowOrNotice() else { return }
    let links = RowTargets(row).links
    let hasMedia = !row.content.fields.media.isEmpty
    if links.isEmpty {
      if hasMedia { showMedia() } else { showNotice("No links in this post.") }
    } else {
      choose("Links", links)
    }
  }

  /// Opens a mentioned author, or asks for one.
  mutating func openUser() {
    let people = reader.currentRow.map { RowTargets($0).people } ?? []
    if people.isEmpty { dialog.ask(for: .author) } else { dialog.choose("People", people) }
  }

  /// Opens a hashtag of the post, or asks for one.
  mutating func openTag() {
    let topics = reader.currentRow.map { RowTargets($0).topics } ?? []
    if topics.isEmpty { dialog.ask(for: .tag) } else { choose("Hashtags", topics) }
  }

  /// Shows a menu. A single item is opened at once.
  private mutating func choose(_ title: String, _ items: [(Menu.Item, Dialog.Choice)]) {
    if items.count == 1 { openChoice(items[0].1) } else { dialog.choose(title, items) }
  }

  /// Opens an item of the menu.
  mutating func choose(number: Int) { if let choice = dialog.chosen(number) { openChoice(choice) } }

  private mutating func openChoice(_ choice: Dialog.Choice) {
    switch choice {
    case .browse(let url): connection.want(.browse(url))
    case .author(let name): push(.author(name))
    case .tag(let tag): push(.search("#\(tag)"))
    case .session(let name): enter(session: name)
    case .post(let post): push(.conversation(String(post)))
    case .draft(let draft): open(draft)
    case .nothing: break
    }
  }

  /// Opens the post in the browser.
  mutating func openInBrowser() {
    guard let fields = rowOrNotice()?.content.fields else { return }
    if fields.permalink.isEmpty {
      showNotice("This post has no web page.")
    } else {
      connection.want(.browse(fields.permalink))
    }
  }

  /// Lists the attachments of the current row.
  mutating func showMedia() {
    guard let row = rowOrNotice() else { return }
    let items = RowTargets(row).attachments
    if items.isEmpty { showNotice("No attachments.") } else { dialog.choose("Attachments", items) }
  }

  /// Copies the address of the post on the web.
  mutating func copyLink() {
    guard let fields = rowOrNotice()?.content.fields else { return }
    guard fields.permalink.isEmpty else {
      connection.want(.copy(fields.permalink))
      return showNotice("Address copied (if your terminal allows it).")
    }
    let links = fields.spans.contains { $0.kind == .link } ? [(Action.openLink, "opens its links")] : []
    let others = ([(Action.copyText, "copies its text")] + links).compactMap { action, does in
      firstKey(of: action).map { "\($0) \(does)" }
    }
    showNotice((["This post has no address"] + others).joined(separator: " · ") + ".")
  }

  /// Copies the text of the current row.
  mutating func copyText() {
    guard let fields = rowOrNotice()?.content.fields else { return }
    guard !fields.text.isEmpty else { return showNotice("No text to copy.") }
    connection.want(.copy(fields.text))
    showNotice("Text copied (if your terminal allows it).")
  }

  /// Shows what is hidden of the current post, behind a content warning or in a folded text, or hides it again.
  mutating func reveal() {
    guard let row = rowOrNotice() else { return }
    let fields = row.content.fields
    let isFolded = row.layout.foldedLines > 0
    let hasWarning = !fields.contentWarning.isEmpty || fields.flags.contains(.sensitive)
    guard hasWarning || isFolded || fields.isUnfolded else { return showNotice("Nothing is hidden in this post.") }
    let shows = isFolded || hasWarning && !screen.revealed.contains(row.rowID)
    if shows { screen.revealed.insert(row.rowID) } else { screen.revealed.remove(row.rowID) }
    if shows ? isFolded : fields.isUnfolded { fold(row, !shows) }
  }

  /// Folds the current row or unfolds it. A row that is folded is shown from its top.
  private mutating func fold(_ row: PlacedRow, _ isFolded: Bool) {
    var request = FoldRequest()
    request.command = connection.command()
    (request.paneID, request.rowID, request.isFolded) = (reader.focusID, row.rowID, isFolded)
    connection.call(.stack, Method.fold, request)
    guard isFolded, let pane = reader.focused, let lines = PaneScroll(pane).lines(of: row.rowID) else { return }
    if lines.lowerBound < reader.window(of: pane).seen.lowerBound { reader.scroll(pane, to: lines.lowerBound) }
  }

  /// Asks for what is known about the current post, to show it in a box.
  mutating func askForDetails() {
    guard let row = reader.currentRow, row.content.fields.postID != 0 else {
      return showNotice("No post here.", .warning)
    }
    connection.call(.details, Method.getDetails, GetDetailsRequest(post: String(row.content.fields.postID)))
  }

  /// Asks for the command that receives the post.
  mutating func askForPipe() {
    guard let row = rowOrNotice() else { return }
    guard row.content.fields.kind != .notice else { return tellNoPost(row) }
    dialog.ask(for: .pipe)
  }

  // MARK: Writing

  /// Starts a post, with `text` or empty.
  mutating func beginPost(_ text: String = "") {
    if dialog.editor != nil { return }
    begin(.post, from: text) { ComposeEditor(text: $0) }
  }

  /// Starts a post, or in a direct conversation a reply to its newest post.
  mutating func beginHere() {
    guard let pane = reader.focused, pane.header.kind == .direct, let row = pane.rows.last else { return beginPost() }
    beginReply(to: row)
  }

  /// Starts a direct post.
  mutating func beginDirect(_ text: String = "@") {
    if dialog.editor != nil { return }
    begin(.direct, from: text) { ComposeEditor(text: $0) }
  }

  private mutating func begin(
    _ subject: Draft.Subject, from beginning: String, _ editor: (String) -> ComposeEditor
  ) {
    composer.begin(subject, from: beginning, width: screen.panelWidth, &dialog, &connection, editor)
  }

  /// Starts a reply to the selected post.
  mutating func beginReply() {
    guard let row = reader.currentRow, row.content.fields.postID != 0 else {
      return showNotice("No post to reply to.")
    }
    if row.content.fields.flags.contains(.notice) { return showNotice("A notice cannot be replied to.", .warning) }
    beginReply(to: row)
  }

  private mutating func beginReply(to row: PlacedRow) {
    let author = row.content.fields.author
    let isOwn = author.id == snapshot.navigation.account?.id
    // In a direct conversation at a server the daemon adds the names, as that server has them.
    let isNamed = PostAudience.isDirect(row.content.fields.visibility) && !author.source.isEmpty
    let beginning = isOwn || isNamed ? "" : "@\(String(decoding: author.handle, as: UTF8.self)) "
    begin(.answer(to: row.content.fields.postID), from: beginning) { ComposeEditor(text: $0, parent: row) }
  }

  /// Starts editing the selected post.
  mutating func beginEdit() {
    guard let fields = reader.currentRow?.content.fields, fields.postID != 0 else {
      return showNotice("No post to edit.")
    }
    guard isOwn(fields) else { return showNotice("You can only edit your own posts.", .warning) }
    begin(.edit(of: fields.postID), from: String(decoding: fields.text, as: UTF8.self)) {
      ComposeEditor(text: $0, isEdit: true)
    }
  }

  /// True if a post may be the account's own. The daemon decides about those of other sources, and without a known
  /// account.
  private func isOwn(_ fields: RowContent.Fields) -> Bool {
    !fields.author.source.isEmpty || snapshot.navigation.account.map { $0.id == fields.author.id } ?? true
  }

  /// Closes the editor.
  mutating func leavePost() { showNotice(composer.leave(&dialog, at: now, &connection)) }

  /// Continues in the user's own editor.
  mutating func editElsewhere() {
    beginPost()
    if let editor = dialog.editor { connection.want(.edit(editor.text)) }
  }

  /// Takes over the text from the user's own editor.
  mutating func edited(_ result: Result<String, CallEnd>) {
    dialog.updateEditor { editor in
      switch result {
      case .success(var text):
        while text.hasSuffix("\n") { text.removeLast() }
        editor.replace(with: text)
        editor.failure = ""
      case .failure(let end): editor.failure = LineWords.sentence(end.message)
      }
    }
  }

  // MARK: Marks

  /// Sets or removes a mark of the selected post.
  mutating func toggle(_ kind: MarkKind) {
    guard let row = rowOrNotice() else { return }
    let fields = row.content.fields
    guard fields.postID != 0 else { return tellNoPost(row) }
    marks.forgetShown(at: snapshot.revision)
    let marked = Marked(post: fields.postID, kind: .mark(kind))
    let isOn = !(marks.isOn(marked, shown: snapshot.revision) ?? fields.flags.contains(kind.flag))
    marks.want(marked, isOn)
    var request = MarkRequest(kind, post: String(fields.postID), isUnmark: !isOn)
    request.requestID = connection.requestID()
    connection.call(.mark(marked), Method.mark, request)
  }

  /// Marks the selected post as read, or as unread if it was read.
  mutating func toggleRead() {
    guard let row = rowOrNotice(), let pane = reader.focused else { return }
    guard row.content.fields.postID != 0 else { return tellNoPost(row) }
    mark([row.content.fields.postID], isRead: marks.isUnread(row, in: pane, shown: snapshot.revision))
  }

  /// Marks the unread posts that are visible in the focused pane as read.
  mutating func markVisibleRead() {
    guard let pane = reader.focused else { return }
    let window = reader.window(of: pane)
    let unread = pane.rows.filter { row in
      window.scroll.lines(of: row.rowID).map { $0.overlaps(window.seen) } == true
        && marks.isUnread(row, in: pane, shown: snapshot.revision)
    }
    guard !unread.isEmpty else { return showNotice("No unread posts on screen.") }
    mark(unread.map(\.content.fields.postID), isRead: true)
  }

  private mutating func mark(_ posts: [UInt64], isRead: Bool) {
    marks.forgetShown(at: snapshot.revision)
    for post in posts { marks.want(Marked(post: post, kind: .unread), !isRead) }
    var request = MarkReadRequest(isRead ? .read : .unread, posts: posts.map(String.init))
    request.requestID = connection.requestID()
    connection.call(.readMarks(posts, isRead: isRead), Method.markRead, request)
  }

  /// Undoes the account's last action, on whichever terminal it was made, or redoes it.
  mutating func undo(isRedo: Bool) {
    var request = UndoRequest(isRedo: isRedo)
    request.requestID = connection.requestID()
    // Wanted marks may be outdated now: the rows are authoritative.
    marks = WantedMarks()
    connection.call(.undo(isRedo: isRedo), Method.undo, request)
  }

  /// Mutes or unmutes the author of the focused pane.
  mutating func toggleMute() {
    guard let profile = reader.focused?.status.profile, !profile.isMe else {
      return showNotice("To mute an author, open their profile first (a).", .warning)
    }
    let name = "@" + String(decoding: profile.author.handle, as: UTF8.self)
    let (method, words) = profile.isMuted ? (Method.unmute, "Unmuted") : (Method.mute, "Muted")
    connection.call(.notice("\(words) \(name)."), method, AuthorRequest(author: String(profile.author.id)))
  }

  // MARK: Failures and deleting

  /// Retries a request that the source of the selected post refused.
  mutating func retry() {
    guard let row = rowOrNotice() else { return }
    let fields = row.content.fields
    guard fields.postID != 0 else { return tellNoPost(row) }
    guard fields.delivery != .none else { return showNotice("No failed action on this post.", .warning) }
    var request = RetryRequest(post: String(fields.postID))
    request.requestID = connection.requestID()
    connection.call(.notice("Retrying."), Method.retry, request)
  }

  /// Asks whether to discard a refused request. A refused post is deleted with it.
  mutating func askToDiscard() {
    guard let row = rowOrNotice() else { return }
    let fields = row.content.fields
    guard fields.postID != 0 else { return tellNoPost(row) }
    guard fields.delivery != .none else {
      return showNotice("No failed or waiting action on this post.", .warning)
    }
    let text = String(decoding: fields.text, as: UTF8.self)
    let isFailed = fields.delivery == .failed
    dialog.ask(
      .discard(fields.postID, givesUp: !isFailed),
      Confirmation(
        question: isFailed ? "Discard the failed action?" : "Give up what waits for the source?", detail: text,
        verb: isFailed ? "discard" : "give up"))
  }

  /// Asks whether to delete the selected post.
  mutating func askToDelete() {
    guard let row = rowOrNotice() else { return }
    let fields = row.content.fields
    guard fields.postID != 0 else { return tellNoPost(row) }
    guard isOwn(fields) else { return showNotice("You can only delete your own posts.", .warning) }
    let text = String(decoding: fields.text, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    dialog.ask(.delete(fields.postID), Confirmation(question: "Delete this post?", detail: text, verb: "delete"))
  }

  /// Carries out what a question was about if the answer is yes.
  mutating func settleQuestion(_ isYes: Bool) {
    guard let question = dialog.answered(isYes) else { return }
    switch question {
    case .quit: quit()
    case .delete(let post):
      var request = DeleteRequest(post: String(post))
      request.requestID = connection.requestID()
      connection.call(.notice("Post deleted."), Method.delete, request)
    case .discard(let post, let givesUp):
      var request = DiscardRequest(post: String(post))
      request.givesUpPending = givesUp
      request.requestID = connection.requestID()
      connection.call(.notice("Discarded."), Method.discard, request)
    case .deleteList(let list):
      connection.call(.notice("List deleted."), Method.deleteList, DeleteListRequest(list: list))
    case .deleteSession(let name):
      var request = SessionRequest()
      request.command.session = name
      request.command.requestID = connection.requestID()
      connection.call(.notice("Session deleted."), Method.deleteSession, request)
    }
  }
}
