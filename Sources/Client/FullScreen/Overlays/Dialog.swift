internal import Messages
internal import ViewState

/// The overlay that has the keys, together with its subject.
struct Dialog {
  /// The subject of a question, which a yes carries out.
  enum Question: Equatable {
    case quit
    case delete(UInt64)
    case discard(UInt64, givesUp: Bool)
    case deleteList(String)
    case deleteSession(String)
  }

  /// The subject of a prompt.
  enum Line: Equatable {
    case search
    case author
    case tag
    case date
    case pipe
    case limit
  }

  /// The subject of a menu item.
  enum Choice: Equatable {
    case browse([UInt8])
    case author(String)
    case tag(String)
    case session(String)
    /// The conversation of a post.
    case post(UInt64)
    case draft(DraftSummary)
    /// An item that only informs.
    case nothing
  }

  /// The subject of an overlay that expects an answer.
  private enum Subject {
    case nothing
    case question(Question)
    case line(Line)
    case choices([Choice])
  }

  /// The current overlay; nil for none.
  private(set) var overlay: Overlay?
  private var subject = Subject.nothing
  /// The lines entered in the palette.
  private var history: [String] = []

  /// The context in which keys are looked up.
  var context: KeyContext { overlay?.context ?? .panes }

  /// True if no overlay is open.
  var isClosed: Bool { overlay == nil }

  /// The post in the editor; nil for none.
  var editor: ComposeEditor? { if case .compose(let editor) = overlay { editor } else { nil } }

  // MARK: Opening and closing

  /// Closes the overlay.
  mutating func close() { (overlay, subject) = (nil, .nothing) }

  /// Shows an overlay without a subject.
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
      case .tag: Prompt(title: "Hashtag", field: field, hint: "#tag")
      case .date: Prompt(title: "Go to date", field: field, hint: "2024-03-03, 2024-03-03T12:30, 3d, 2h")
      case .pipe:
        Prompt(title: "Pipe to", field: field, hint: "a command and its arguments; it runs without a shell")
      case .limit:
        Prompt(
          title: "Filter", field: field,
          hint: "is:repost, is:reply, is:unread, has:media, lang:de, words, /pattern/; - excludes")
      }
    (overlay, subject) = (.prompt(prompt), .line(line))
  }

  /// Shows a menu.
  mutating func choose(_ title: String, _ items: [(Menu.Item, Choice)]) {
    (overlay, subject) = (.menu(Menu(title: title, items: items.map(\.0))), .choices(items.map(\.1)))
  }

  // MARK: Answers

  /// Closes a question. Returns what to carry out; nil for nothing.
  mutating func answered(_ isYes: Bool) -> Question? {
    defer { close() }
    guard isYes, case .question(let question) = subject else { return nil }
    return question
  }

  /// Closes a prompt. Returns its line without leading and trailing blanks.
  mutating func entered(_ text: String) -> (line: Line, words: String)? {
    defer { close() }
    guard case .line(let line) = subject else { return nil }
    return (line, LineWords.trimmed(text))
  }

  /// Closes a menu. Returns the item with this number; nil if there is none.
  mutating func chosen(_ number: Int) -> Choice? {
    defer { close() }
    guard case .choices(let choices) = subject, choices.indices.contains(number) else { return nil }
    return choices[number]
  }

  /// Returns the command on the palette's line; nil if there is none, in which case the palette shows the reason.
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

  // MARK: Editing

  /// Performs an action inside the overlay. Returns false if it has no meaning there.
  mutating func perform(_ action: Action, viewHeight: Int) -> Bool {
    overlay?.perform(action, viewHeight: viewHeight) ?? false
  }

  /// Inserts text into the overlay's text field.
  mutating func insert(_ text: String, isPaste: Bool) { overlay?.insert(text, isPaste: isPaste) }

  /// Replaces the editor that is shown.
  mutating func update(_ editor: ComposeEditor) { overlay = .compose(editor) }

  /// Adapts the list of keys to a screen with this many columns.
  mutating func resize(columns: Int) {
    guard case .help(var help) = overlay else { return }
    help.columns = columns
    overlay = .help(help)
  }

  /// Changes the post in the editor, if one is open.
  mutating func updateEditor(_ change: (inout ComposeEditor) -> Void) {
    guard var editor else { return }
    change(&editor)
    update(editor)
  }
}
