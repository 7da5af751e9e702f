internal import ViewState

/// The overlay that has the keys, together with its subject.
struct Dialog {
  /// The subject of a question, which a yes does.
  enum Question: Equatable {
    case quit
    case delete(UInt64)
    case discard(UInt64)
    case deleteList(String)
    case deleteSession(String)
  }

  /// The subject of a line that is asked for.
  enum Line: Equatable {
    case search
    case author
    case tag
    case date
    case pipe
    case limit
  }

  /// The subject of an item of a menu.
  enum Choice: Equatable {
    case browse([UInt8])
    case author(String)
    case tag(String)
    case session(String)
  }

  /// The subject of an overlay that is answered.
  private enum Subject {
    case nothing
    case question(Question)
    case line(Line)
    case choices([Choice])
  }

  /// The overlay that is shown; nil for none.
  private(set) var overlay: Overlay?
  private var subject = Subject.nothing
  /// Lines that were entered in the palette.
  private var history: [String] = []

  /// The context in which keys are looked up.
  var context: KeyContext { overlay?.context ?? .panes }

  /// Nothing lies over the panes.
  var isClosed: Bool { overlay == nil }

  /// The post that is being written; nil for none.
  var editor: ComposeEditor? { if case .compose(let editor) = overlay { editor } else { nil } }

  // MARK: Opening and closing

  /// Takes it away.
  mutating func close() { (overlay, subject) = (nil, .nothing) }

  /// Shows an overlay that is about nothing but itself, or as it is now.
  mutating func show(_ overlay: Overlay) { (self.overlay, subject) = (overlay, .nothing) }

  /// Shows the command line.
  mutating func showPalette(_ keymap: Keymap) { show(.palette(Palette(keymap, history: history))) }

  /// Asks a question.
  mutating func ask(_ question: Question, _ confirmation: Confirmation) {
    (overlay, subject) = (.confirm(confirmation), .question(question))
  }

  /// Asks for a line.
  mutating func ask(for line: Line, _ text: String = "") {
    let field = LineField(text)
    let prompt =
      switch line {
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
    (overlay, subject) = (.prompt(prompt), .line(line))
  }

  /// Shows a menu.
  mutating func choose(_ title: String, _ items: [(Menu.Item, Choice)]) {
    (overlay, subject) = (.menu(Menu(title: title, items: items.map(\.0))), .choices(items.map(\.1)))
  }

  // MARK: Answers

  /// Takes the answer to a question away; returns what is to be done, nil for nothing.
  mutating func answered(_ isYes: Bool) -> Question? {
    defer { close() }
    guard isYes, case .question(let question) = subject else { return nil }
    return question
  }

  /// Takes the line that was asked for, without the blanks at its ends.
  mutating func entered(_ text: String) -> (line: Line, words: String)? {
    defer { close() }
    guard case .line(let line) = subject else { return nil }
    return (line, LineWords.trimmed(text))
  }

  /// Takes an item of a menu; nil where there is none of that number.
  mutating func chosen(_ number: Int) -> Choice? {
    defer { close() }
    guard case .choices(let choices) = subject, choices.indices.contains(number) else { return nil }
    return choices[number]
  }

  /// Takes the line of the palette: what it asks for; nil where that is nothing, which the palette tells.
  mutating func entered(_ palette: Palette) -> PaletteCommand? {
    var palette = palette
    switch palette.command() {
    case .failure(let failure):
      palette.failure = failure.message
      if failure.message.isEmpty { close() } else { show(.palette(palette)) }
      return nil
    case .success(let command):
      palette.remember()
      history = palette.history
      close()
      return command
    }
  }

  // MARK: Within

  /// Does what an action does within it; false where it does nothing there.
  mutating func perform(_ action: Action, viewHeight: Int) -> Bool {
    overlay?.perform(action, viewHeight: viewHeight) ?? false
  }

  /// Puts text where text is typed in it.
  mutating func insert(_ text: String, isPaste: Bool) { overlay?.insert(text, isPaste: isPaste) }

  /// Puts an editor in the place of the one that is shown.
  mutating func update(_ editor: ComposeEditor) { overlay = .compose(editor) }

  /// Has the post that is being written changed, where there is one.
  mutating func updateEditor(_ change: (inout ComposeEditor) -> Void) {
    guard var editor else { return }
    change(&editor)
    update(editor)
  }
}
