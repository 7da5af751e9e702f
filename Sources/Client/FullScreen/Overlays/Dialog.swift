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
  enum Line: Hashable {
    case search
    case author
    case tag
    case date
    case pipe
    case find
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
  /// The lines entered in the palette and in prompts.
  private var history: [String] = []
  private var lines: [Line: [String]] = [:]
  /// What completes the words that are typed.
  var completions = Completions()
  /// The line entered last, as long as it may be refused.
  private var lastLine: Entered?

  /// A line that was entered. If it is refused, its box opens again.
  private struct Entered {
    let overlay: Overlay
    let subject: Subject
    var awaited = Awaited.command
  }

  /// What may refuse a line.
  enum Awaited: Equatable {
    /// Its command, which is being carried out.
    case command
    /// The call with this number.
    case call(UInt64)
    /// A program.
    case program
  }

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
  mutating func show(_ overlay: Overlay) { open(overlay, .nothing) }

  private mutating func open(_ overlay: Overlay, _ subject: Subject) {
    (self.overlay, self.subject) = (overlay, subject)
    lastLine = nil
  }

  /// The command line; nil if it is closed.
  var palette: Palette? { if case .palette(let palette) = overlay { palette } else { nil } }

  /// Shows the command line.
  mutating func showPalette(_ keymap: Keymap) { show(.palette(Palette(keymap, history: history))) }

  /// Changes the command line, if it is open.
  mutating func updatePalette(_ change: (inout Palette) -> Void) {
    guard var palette else { return }
    change(&palette)
    overlay = .palette(palette)
  }

  /// Asks a question.
  mutating func ask(_ question: Question, _ confirmation: Confirmation) {
    open(.confirm(confirmation), .question(question))
  }

  /// Asks for a line.
  mutating func ask(for line: Line, _ text: String = "") {
    var prompt = line.prompt(LineField(text))
    prompt.history = LineHistory(lines[line] ?? [])
    open(.prompt(prompt), .line(line))
  }

  /// Shows a menu.
  mutating func choose(_ title: String, _ items: [(Menu.Item, Choice)]) {
    open(.menu(Menu(title: title, items: items.map(\.0))), .choices(items.map(\.1)))
  }

  // MARK: Answers

  /// Closes a question. Returns what to carry out; nil for nothing.
  mutating func answered(_ isYes: Bool) -> Question? {
    defer { close() }
    guard isYes, case .question(let question) = subject else { return nil }
    return question
  }

  /// Closes a prompt. Returns its line without leading and trailing blanks. The prompt opens again if the line is
  /// refused.
  mutating func entered(_ prompt: Prompt) -> (line: Line, words: String)? {
    defer { close() }
    guard case .line(let line) = subject else { return nil }
    var prompt = prompt
    prompt.history.remember(prompt.field.text)
    lines[line] = prompt.history.lines
    lastLine = Entered(overlay: .prompt(prompt), subject: subject)
    return (line, LineWords.trimmed(prompt.field.text))
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
    palette.completeChosen()
    palette.remember()
    history = palette.history.lines
    switch palette.command() {
    case .failure(let failure):
      palette.failure = failure.message
      if failure.message.isEmpty { close() } else { overlay = .palette(palette) }
      return nil
    case .success(let command):
      close()
      lastLine = Entered(overlay: .palette(palette), subject: .nothing)
      return command
    }
  }

  /// Records what may still refuse the line entered last.
  mutating func wait(for awaited: Awaited) { lastLine?.awaited = awaited }

  /// Opens the box of the line entered last again, with the reason why it was refused. Returns false if no line waits
  /// for `awaited`, or if another box is open.
  mutating func refused(by awaited: Awaited, _ reason: String) -> Bool {
    guard let entered = lastLine, entered.awaited == awaited else { return false }
    lastLine = nil
    guard isClosed else { return false }
    switch entered.overlay {
    case .prompt(var prompt):
      prompt.failure = reason
      overlay = .prompt(prompt)
    case .palette(var palette):
      palette.failure = reason
      overlay = .palette(palette)
    default: return false
    }
    subject = entered.subject
    return true
  }

  /// Records that a call has succeeded.
  mutating func succeeded(_ call: UInt64) { if lastLine?.awaited == .call(call) { lastLine = nil } }

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
