internal import ClientCore
internal import Messages
internal import ViewState

/// Commands on posts: following what stands in them, writing, marking, deleting.
extension App {
  // MARK: What rows lead to

  /// Opens what the selected row leads to (behaviour.md, rule 15).
  mutating func openRow() {
    guard let row = reader.currentRow else { return }
    let fields = row.content.fields
    switch fields.kind {
    case .list: push(.list(String(fields.rowID)))
    case .notice: return
    case .gap: explainGap(row)
    case _ where fields.direct != 0 && reader.focused?.header.kind == .messages: push(.direct(fields.direct))
    default: openThread()
    }
  }

  /// Says what a gap is, and how it is filled.
  private mutating func explainGap(_ row: PlacedRow) {
    let fields = row.content.fields
    dialog.show(
      .message(
        Message(
          title: "A gap",
          lines: [
            String(decoding: fields.text, as: UTF8.self), "From when to when: \(row.label).", "",
            "Nothing here can be asked for them by itself. Import a file that has them",
            "(:import FILE); a line {\"complete\": {\"newer\": …, \"older\": …}} in it says",
            "from when to when all are there, and closes the gap as far as that.",
          ])))
  }

  /// Says that nothing can be done to a row as to a post.
  private mutating func tellNoPost(_ row: PlacedRow) {
    tell(row.content.fields.kind == .gap ? "This is a gap, and no post." : "This is no post.", .warning)
  }

  /// The conversation around the selected post.
  mutating func openThread() {
    guard let row = reader.currentRow else { return }
    let post = row.content.fields.postID
    guard post != 0 else { return tellNoPost(row) }
    if let here = reader.focused?.header, here.kind == .conversation, here.subject == post {
      return tell("This is its conversation.")
    }
    reader.select(row.rowID, in: reader.focusID, &connection)
    // Where the pane right of this one shows it already, that gets the keys.
    if let index = reader.index(of: reader.focusID), index + 1 < snapshot.panes.count {
      let right = snapshot.panes[index + 1].header
      if right.kind == .conversation, right.subject == post { return focus(andReveal: right.paneID) }
    }
    push(.conversation(String(post)))
  }

  /// Its author.
  mutating func openAuthor() {
    guard let row = reader.currentRow else { return }
    if row.content.fields.kind == .gap { return tellNoPost(row) }
    push(.author(String(row.content.fields.author.id)))
  }

  /// Its link, or one of them; without one its attachments.
  mutating func openLink() {
    let links = reader.currentRow.map { RowTargets($0).links } ?? []
    let hasMedia = reader.currentRow?.content.fields.media.isEmpty == false
    if links.isEmpty {
      if hasMedia { showMedia() } else { tell("There is no link in this post.") }
    } else {
      choose("Links", links)
    }
  }

  /// An author who is named in the post, or whom the person names.
  mutating func openUser() {
    let people = reader.currentRow.map { RowTargets($0).people } ?? []
    if people.isEmpty { dialog.ask(for: .author) } else { dialog.choose("People", people) }
  }

  /// A topic of the post, or one that the person names.
  mutating func openTag() {
    let topics = reader.currentRow.map { RowTargets($0).topics } ?? []
    if topics.isEmpty { dialog.ask(for: .tag) } else { choose("Topics", topics) }
  }

  /// Has one of some things chosen; where there is one alone it is that.
  private mutating func choose(_ title: String, _ items: [(Menu.Item, Dialog.Choice)]) {
    if items.count == 1 { follow(items[0].1) } else { dialog.choose(title, items) }
  }

  /// Takes an item of the menu.
  mutating func choose(number: Int) { if let choice = dialog.chosen(number) { follow(choice) } }

  private mutating func follow(_ choice: Dialog.Choice) {
    switch choice {
    case .browse(let url): connection.want(.browse(url))
    case .author(let name): push(.author(name))
    case .tag(let tag): push(.search("#\(tag)"))
    case .session(let name): enter(session: name)
    }
  }

  /// The post in the browser.
  mutating func openInBrowser() {
    guard let fields = reader.currentRow?.content.fields else { return }
    if fields.permalink.isEmpty {
      tell("This post has no page on the web.")
    } else {
      connection.want(.browse(fields.permalink))
    }
  }

  /// Its attachments.
  mutating func showMedia() {
    let items = reader.currentRow.map { RowTargets($0).attachments } ?? []
    if items.isEmpty { tell("There are no attachments.") } else { dialog.choose("Attachments", items) }
  }

  /// Its address into the clipboard.
  mutating func copyLink() {
    guard let row = reader.currentRow else { return }
    let address = RowTargets(row).address
    guard !address.isEmpty else { return tell("There is no address to copy.") }
    connection.want(.copy(address))
    tell("The address is copied, where the terminal lets programs copy.")
  }

  /// Its text into the clipboard.
  mutating func copyText() {
    guard let fields = reader.currentRow?.content.fields, !fields.text.isEmpty else { return }
    connection.want(.copy(fields.text))
    tell("The text is copied, where the terminal lets programs copy.")
  }

  /// Shows or folds the text under a warning.
  mutating func reveal() {
    guard let row = reader.currentRow else { return }
    guard !row.content.fields.contentWarning.isEmpty || row.content.fields.flags.contains(.sensitive) else {
      return tell("Nothing is hidden in this post.")
    }
    if screen.revealed.remove(row.rowID) == nil { screen.revealed.insert(row.rowID) }
  }

  /// Asks which command gets the post.
  mutating func askForPipe() {
    guard let row = reader.currentRow else { return tell("There is nothing to give to a command.") }
    guard row.content.fields.kind != .notice else { return tellNoPost(row) }
    dialog.ask(for: .pipe)
  }

  // MARK: Writing

  /// Begins a post, with words of the person's own or none.
  mutating func beginPost(_ text: String = "") {
    if dialog.editor != nil { return }
    begin(.post, from: text) { ComposeEditor(text: $0) }
  }

  private mutating func begin(
    _ subject: Draft.Subject, from beginning: String, _ editor: (String) -> ComposeEditor
  ) {
    composer.begin(subject, from: beginning, width: screen.panelWidth, &dialog, &connection, editor)
  }

  /// Begins an answer to the selected post.
  mutating func beginReply() {
    guard let row = reader.currentRow, row.content.fields.postID != 0 else {
      return tell("There is no post to answer.")
    }
    let author = row.content.fields.author
    let isOwn = author.id == snapshot.navigation.account?.id
    let beginning = isOwn ? "" : "@\(String(decoding: author.handle, as: UTF8.self)) "
    begin(.answer(to: row.content.fields.postID), from: beginning) { ComposeEditor(text: $0, parent: row) }
  }

  /// Begins another text for the selected post.
  mutating func beginEdit() {
    guard let fields = reader.currentRow?.content.fields, fields.postID != 0 else {
      return tell("There is no post to edit.")
    }
    guard isOwn(fields) else { return tell("Only what you wrote here can be edited.", .warning) }
    begin(.edit(of: fields.postID), from: String(decoding: fields.text, as: UTF8.self)) {
      ComposeEditor(text: $0, isEdit: true)
    }
  }

  /// True where a post may be the account's own: where no account is told, the daemon decides.
  private func isOwn(_ fields: RowContent.Fields) -> Bool {
    snapshot.navigation.account.map { $0.id == fields.author.id } ?? true
  }

  /// Leaves the editor.
  mutating func leavePost() { tell(composer.leave(&dialog, at: now, &connection)) }

  /// Goes on in the person's own editor.
  mutating func editElsewhere() {
    beginPost()
    if let editor = dialog.editor { connection.want(.edit(editor.text)) }
  }

  /// Takes what that made of the text.
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

  /// Favourites, reposts or saves the selected post, or takes that back.
  mutating func toggle(_ kind: MarkKind) {
    guard let row = reader.currentRow else { return }
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

  /// Marks the selected post as read, or as unread where it was read.
  mutating func toggleRead() {
    guard let pane = reader.focused, let row = reader.currentRow else { return }
    guard row.content.fields.postID != 0 else { return tellNoPost(row) }
    mark([row.content.fields.postID], isRead: marks.isUnread(row, in: pane, shown: snapshot.revision))
  }

  /// Marks the posts as read of which anything is seen in the focused pane.
  mutating func markVisibleRead() {
    guard let pane = reader.focused else { return }
    let window = reader.window(of: pane)
    let unread = pane.rows.filter { row in
      window.scroll.lines(of: row.rowID).map { $0.overlaps(window.seen) } == true
        && marks.isUnread(row, in: pane, shown: snapshot.revision)
    }
    guard !unread.isEmpty else { return tell("Nothing that is seen here is unread.") }
    mark(unread.map(\.content.fields.postID), isRead: true)
  }

  private mutating func mark(_ posts: [UInt64], isRead: Bool) {
    marks.forgetShown(at: snapshot.revision)
    for post in posts { marks.want(Marked(post: post, kind: .unread), !isRead) }
    var request = MarkReadRequest(isRead ? .read : .unread, posts: posts.map(String.init))
    request.requestID = connection.requestID()
    connection.call(.readMarks(posts, isRead: isRead), Method.markRead, request)
  }

  /// Takes back what the account did last, wherever that was, or does it again.
  mutating func undo(isRedo: Bool) {
    var request = UndoRequest(isRedo: isRedo)
    request.requestID = connection.requestID()
    // How a mark was last wanted may be otherwise now: the rows tell.
    marks = WantedMarks()
    connection.call(.undo(isRedo: isRedo), Method.undo, request)
  }

  /// Mutes the author of the pane that has the focus, or takes that back.
  mutating func toggleMute() {
    guard let profile = reader.focused?.status.profile, !profile.isMe else {
      return tell("Open an author's posts to mute them: a.", .warning)
    }
    let name = "@" + String(decoding: profile.author.handle, as: UTF8.self)
    let (method, words) = profile.isMuted ? (Method.unmute, "is no longer muted") : (Method.mute, "is muted")
    connection.call(.say("\(name) \(words)."), method, AuthorRequest(author: String(profile.author.id)))
  }

  // MARK: What failed, and deleting

  /// Has the source of the selected post asked again for what it refused.
  mutating func retry() {
    guard let fields = reader.currentRow?.content.fields, fields.postID != 0 else { return }
    var request = RetryRequest(post: String(fields.postID))
    request.requestID = connection.requestID()
    connection.call(.say("Asked again."), Method.retry, request)
  }

  /// Asks whether what was refused is to be forgotten: a post that was refused goes with it.
  mutating func askToDiscard() {
    guard let fields = reader.currentRow?.content.fields, fields.postID != 0 else { return }
    guard fields.delivery != .none else { return tell("Nothing that you did to this post has failed.", .warning) }
    let text = String(decoding: fields.text, as: UTF8.self)
    dialog.ask(.discard(fields.postID), Confirmation(question: "Forget what failed?", detail: text, verb: "forget"))
  }

  /// Asks whether the selected post is to be deleted.
  mutating func askToDelete() {
    guard let row = reader.currentRow else { return }
    let fields = row.content.fields
    guard fields.postID != 0 else { return tellNoPost(row) }
    guard isOwn(fields) else { return tell("Only your own posts can be deleted.", .warning) }
    let text = String(decoding: fields.text, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    dialog.ask(.delete(fields.postID), Confirmation(question: "Delete this post?", detail: text, verb: "delete"))
  }

  /// Does what was asked about, where the answer is yes.
  mutating func settleQuestion(_ isYes: Bool) {
    guard let question = dialog.answered(isYes) else { return }
    switch question {
    case .quit: quit()
    case .delete(let post):
      var request = DeleteRequest(post: String(post))
      request.requestID = connection.requestID()
      connection.call(.say("Deleted."), Method.delete, request)
    case .discard(let post):
      var request = DiscardRequest(post: String(post))
      request.requestID = connection.requestID()
      connection.call(.say("Forgotten."), Method.discard, request)
    case .deleteList(let list): connection.call(.say("Deleted."), Method.deleteList, DeleteListRequest(list: list))
    case .deleteSession(let name):
      var request = SessionRequest()
      request.command.session = name
      request.command.requestID = connection.requestID()
      connection.call(.say("Deleted."), Method.deleteSession, request)
    }
  }
}
