internal import ClientCore
internal import Messages
internal import ViewState

/// Questions, prompts, the command line, sessions.
extension App {
  /// What a yes does.
  enum Confirming: Equatable {
    case quit
    case delete(UInt64)
    case deleteList(String)
    case deleteSession(String)
  }

  /// What a line is asked for.
  enum Prompting: Equatable {
    case search
    case author
    case tag
    case date
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
      case .search: Prompt(title: "Search", field: field, hint: "words, \"phrases\", from:, #tag, before:, after:, has:link")
      case .author: Prompt(title: "Author", field: field, hint: "@handle")
      case .tag: Prompt(title: "Topic", field: field, hint: "#tag")
      case .date: Prompt(title: "Go to", field: field, hint: "2024-03-03, 2024-03-03T12:30, 3d, 2h")
      }
    state.overlay = .prompt(prompt)
  }

  mutating func prompted(_ text: String) {
    state.overlay = nil
    defer { prompting = nil }
    let words = App.trimmed(text)
    guard !words.isEmpty, let prompting else { return }
    switch prompting {
    case .search: push(.search(words))
    case .author: push(.author(App.author(words)))
    case .tag: push(.search(words.hasPrefix("#") ? words : "#\(words)"))
    case .date: goToDate(words)
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
    guard case .instant(let milliseconds) = SinceBound(words, now: now + options.wallClockOffset, localOffset: { _ in offset }) else {
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
    case .failure(let failure): tell(failure.message, .warning)
    case .success(let command):
      palette.remember()
      paletteHistory = palette.history
      state.overlay = nil
      switch command {
      case .action(let action): perform(action)
      case .verb(let verb, let argument): perform(verb, App.trimmed(argument))
      }
    }
  }

  private mutating func perform(_ verb: PaletteVerb, _ argument: String) {
    switch verb {
    case .search: argument.isEmpty ? prompt(.search) : push(.search(argument))
    case .author: argument.isEmpty ? openUser() : push(.author(App.author(argument)))
    case .conversation: push(.conversation(argument))
    case .list: push(.list(argument))
    case .tag: argument.isEmpty ? openTag() : push(.search(argument.hasPrefix("#") ? argument : "#\(argument)"))
    case .direct: if let number = UInt64(argument) { push(.direct(number)) } else { tell("A direct conversation has a number.", .warning) }
    case .post:
      beginPost()
      if case .compose(var editor) = state.overlay {
        editor.insert(argument)
        state.overlay = .compose(editor)
      }
    case .follow, .unfollow: follow(argument, isFollowing: verb == .follow)
    case .makeList: call(.say("There is a list \(argument)."), Method.makeList, MakeListRequest(name: argument))
    case .renameList:
      guard let (list, name) = two(argument, "list-rename LIST NAME") else { return }
      call(.say("It is called \(name) now."), Method.renameList, RenameListRequest(list: list, name: name))
    case .deleteList: ask(.deleteList(argument), Confirmation(question: "Delete the list \(argument)?", verb: "delete"))
    case .addToList, .removeFromList:
      guard let (list, author) = two(argument, "\(verb.rawValue) LIST NAME") else { return }
      let isAdding = verb == .addToList
      call(
        .say(isAdding ? "\(author) is in \(list)." : "\(author) is no longer in \(list)."),
        isAdding ? Method.addToList : Method.removeFromList, ListMemberRequest(list: list, author: App.author(author)))
    case .session: argument.isEmpty ? askForSessions() : enter(session: argument)
    case .renameSession:
      guard let (old, new) = two(argument, "session-rename OLD NEW") else { return }
      var request = RenameSessionRequest(name: new)
      request.command.session = old
      request.command.requestID = requestID()
      let isThis = old == (session.isEmpty ? "main" : session)
      call(isThis ? .enterSession(new) : .say("It is called \(new) now."), Method.renameSession, request)
    case .deleteSession: ask(.deleteSession(argument), Confirmation(question: "Forget the session \(argument)?", verb: "forget"))
    case .date: argument.isEmpty ? prompt(.date) : goToDate(argument)
    case .theme: choose(theme: argument)
    case .width:
      if let width = Int(argument), 1...10_000 ~= width { resizePane(state.focused.paneID, to: width) }
      else { tell("A width is a number of cells, 1 to 10000.", .warning) }
    case .importFile: effects.append(.importFile(argument))
    }
  }

  mutating func askForSessions() { call(.sessions, Method.listSessions, EmptyMessage()) }

  private mutating func follow(_ argument: String, isFollowing: Bool) {
    let author = argument.isEmpty ? currentRow.map { String($0.content.fields.author.id) } ?? "" : App.author(argument)
    guard !author.isEmpty else { return }
    let name = argument.isEmpty ? "@" + String(decoding: currentRow?.content.fields.author.handle ?? [], as: UTF8.self) : author
    call(
      .say(isFollowing ? "You follow \(name)." : "You no longer follow \(name)."), isFollowing ? Method.follow : Method.unfollow,
      AuthorRequest(author: author))
  }

  private mutating func choose(theme name: String) {
    guard let theme = options.themes.first(where: { $0.name == name }) else {
      return tell("There is no theme '\(name)': \(options.themes.map(\.name).joined(separator: ", ")).", .warning)
    }
    painter.theme = theme
  }

  /// The first word and the rest.
  private mutating func two(_ argument: String, _ form: String) -> (String, String)? {
    let parts = argument.split(separator: " ", maxSplits: 1).map { App.trimmed(String($0)) }
    guard parts.count == 2, !parts[1].isEmpty else {
      tell("It is written: \(form)", .warning)
      return nil
    }
    return (parts[0], parts[1])
  }
}
