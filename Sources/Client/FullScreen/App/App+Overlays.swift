internal import ClientCore
internal import Messages
internal import ViewState

/// Questions, prompts, the command line, sessions.
extension App {
  /// What a yes does.
  enum Confirming: Equatable {
    case quit
    case delete(UInt64)
    case discard(UInt64)
    case deleteList(String)
    case deleteSession(String)
  }

  /// What a line is asked for.
  enum Prompting: Equatable {
    case search
    case author
    case tag
    case date
    case pipe
    case limit
  }

  // MARK: Questions

  mutating func ask(_ purpose: Confirming, _ question: Confirmation) {
    confirming = purpose
    state.overlay = .confirm(question)
  }

  mutating func askToQuit() {
    ask(.quit, Confirmation(question: "Leave?", detail: "The daemon keeps your panes and your place.", verb: "leave"))
  }

  mutating func settleQuestion(_ isYes: Bool) {
    state.overlay = nil
    defer { confirming = nil }
    guard isYes, let confirming else { return }
    switch confirming {
    case .quit: quit()
    case .delete(let post): delete(post)
    case .discard(let post): discard(post)
    case .deleteList(let list): call(.say("Deleted."), Method.deleteList, ListRequest(list: list))
    case .deleteSession(let name):
      var request = SessionRequest()
      request.command.session = name
      request.command.requestID = requestID()
      call(.say("Deleted."), Method.deleteSession, request)
    }
  }

  mutating func quit() {
    if isAttached { effects.append(.send(.bye)) }
    effects.append(.quit(failure: nil))
  }

  // MARK: Prompts

  mutating func prompt(_ purpose: Prompting, _ text: String = "") {
    prompting = purpose
    let field = LineField(text)
    let prompt =
      switch purpose {
      case .search:
        Prompt(title: "Search", field: field, hint: "words, \"phrases\", from:, #tag, before:, after:, has:link")
      case .author: Prompt(title: "Author", field: field, hint: "@handle")
      case .tag: Prompt(title: "Topic", field: field, hint: "#tag")
      case .date: Prompt(title: "Go to", field: field, hint: "2024-03-03, 2024-03-03T12:30, 3d, 2h")
      case .pipe:
        Prompt(title: "Pipe to", field: field, hint: "a command and its words, as they are: no shell reads them")
      case .limit:
        Prompt(
          title: "Limit to", field: field,
          hint: "is:repost, is:reply, is:unread, has:media, lang:de, words, /pattern/; - for the others")
      }
    state.overlay = .prompt(prompt)
  }

  mutating func prompted(_ text: String) {
    state.overlay = nil
    defer { prompting = nil }
    let words = App.trimmed(text)
    if prompting == .limit { return limit(to: words) }
    guard !words.isEmpty, let prompting else { return }
    switch prompting {
    case .search: search(words)
    case .author: push(.author(App.author(words)))
    case .tag: push(.search(words.hasPrefix("#") ? words : "#\(words)"))
    case .date: goToDate(words)
    case .pipe: pipe(to: words)
    case .limit: break
    }
  }

  /// In a pane to the right; where the root is a search for nothing yet, there.
  private mutating func search(_ words: String) {
    if let root = snapshot.panes.first, snapshot.panes.count == 1, root.header.kind == .search,
      root.header.query.isEmpty
    {
      open(.search, query: words)
    } else {
      push(.search(words))
    }
  }

  static func trimmed(_ text: String) -> String {
    String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// A bare handle is one too: `@` is the first thing to be forgotten.
  static func author(_ text: String) -> String {
    text.hasPrefix("@") || PostReference.isPlausible(text) ? text : "@\(text)"
  }

  mutating func goToDate(_ words: String) {
    let offset = options.localOffset
    guard
      case .instant(let milliseconds) = SinceBound(
        words, now: now + options.wallClockOffset, localOffset: { _ in offset })
    else {
      return tell("'\(words)' is no time: try 2024-03-03, 2024-03-03T12:30, 3d or 2h.", .warning)
    }
    // A day means all of it: in a list with the newest first its last post stands at the top.
    let isDay = words.utf8.count == 10 && !words.contains("T")
    go(toInstant: isDay && focusedPane.map(isNewestFirst) == true ? milliseconds + 86_399_999 : milliseconds)
  }

  // MARK: Sessions

  mutating func showSessions(_ sessions: [SessionSummary]) {
    let current = session.isEmpty ? "main" : session
    choose(
      "Sessions",
      sessions.map { summary in
        let place = summary.name == current ? " (here)" : ""
        return (Menu.Item(summary.name + place, detail: summary.panes.joined(separator: ", ")), .session(summary.name))
      })
  }

  // MARK: The command line

  mutating func enterCommand(_ palette: Palette) {
    var palette = palette
    switch palette.command() {
    case .failure(let failure):
      palette.failure = failure.message
      state.overlay = failure.message.isEmpty ? nil : .palette(palette)
    case .success(let command):
      palette.remember()
      paletteHistory = palette.history
      state.overlay = nil
      // What the last one was told is not about this one.
      state.status.message = ""
      switch command {
      case .action(let action): perform(action)
      case .verb(let verb, let arguments): perform(verb, arguments.map(App.trimmed))
      }
    }
  }

  /// `words` are as many as the verb needs.
  private mutating func perform(_ verb: PaletteVerb, _ words: [String]) {
    let first = words.first ?? ""
    let last = words.last ?? ""
    switch verb {
    case .search: search(first)
    case .author: push(.author(App.author(first)))
    case .conversation: push(.conversation(first))
    case .list: push(.list(first))
    case .tag: push(.search(first.hasPrefix("#") ? first : "#\(first)"))
    case .direct:
      if let number = UInt64(first) {
        push(.direct(number))
      } else {
        tell("A direct conversation has a number.", .warning)
      }
    case .post: beginPost(first)
    case .follow: call(.say("You follow \(first)."), Method.follow, AuthorRequest(author: App.author(first)))
    case .unfollow:
      call(.say("You no longer follow \(first)."), Method.unfollow, AuthorRequest(author: App.author(first)))
    case .mute: quiet(Method.mute, first, "is muted")
    case .unmute: quiet(Method.unmute, first, "is no longer muted")
    case .block: quiet(Method.block, first, "is blocked")
    case .unblock: quiet(Method.unblock, first, "is no longer blocked")
    case .muteWord: call(.say("Posts with \(first) are hidden."), Method.muteWord, MutedWordRequest(word: first))
    case .unmuteWord: call(.say("Posts with \(first) are shown."), Method.unmuteWord, MutedWordRequest(word: first))
    case .makeList: call(.say("There is a list \(first)."), Method.makeList, MakeListRequest(name: first))
    case .renameList:
      call(.say("It is called \(last) now."), Method.renameList, RenameListRequest(list: first, name: last))
    case .deleteList: ask(.deleteList(first), Confirmation(question: "Delete the list \(first)?", verb: "delete"))
    case .addToList:
      call(.say("\(last) is in \(first)."), Method.addToList, ListMemberRequest(list: first, author: App.author(last)))
    case .removeFromList:
      call(
        .say("\(last) is no longer in \(first)."), Method.removeFromList,
        ListMemberRequest(list: first, author: App.author(last)))
    case .session: enter(session: first)
    case .renameSession: renameSession(first, last)
    case .deleteSession:
      ask(.deleteSession(first), Confirmation(question: "Forget the session \(first)?", verb: "forget"))
    case .date: goToDate(first)
    case .theme: choose(theme: first)
    case .width: setWidth(first)
    case .importFile: effects.append(.importFile(first))
    }
  }

  mutating func askForSessions() { call(.sessions, Method.listSessions, EmptyMessage()) }

  private mutating func renameSession(_ old: String, _ new: String) {
    var request = RenameSessionRequest(name: new)
    request.command.session = old
    request.command.requestID = requestID()
    // The views of a session stay with it; only commands have to know its new name.
    let isThis = old == (session.isEmpty ? "main" : session)
    call(isThis ? .renamedSession(new) : .say("It is called \(new) now."), Method.renameSession, request)
  }

  private mutating func setWidth(_ words: String) {
    guard let width = Int(words), 0...10_000 ~= width else {
      return tell("A width is a number of cells, 0 to 10000.", .warning)
    }
    resizePane(state.focused.paneID, to: width)
  }

  private mutating func choose(theme name: String) {
    guard let theme = options.themes.first(where: { $0.name == name }) else {
      return tell("There is no theme '\(name)': \(options.themes.map(\.name).joined(separator: ", ")).", .warning)
    }
    painter.theme = theme
    tell("This is \(theme.name).")
  }
}
