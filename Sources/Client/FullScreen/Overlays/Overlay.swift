/// What lies over the panes and has the keys.
public enum Overlay: Sendable {
  /// The keys that are valid where one is.
  case help(Help)
  /// The command line.
  case palette(Palette)
  /// A question that is answered with yes or no.
  case confirm(Confirmation)
  /// A post that is being written.
  case compose(ComposeEditor)
  /// A line that is asked for: what to search for, an author, a date.
  case prompt(Prompt)
  /// Things to choose from: links, attachments, sessions.
  case menu(Menu)
  /// Some lines to read; any key takes them away.
  case message(Message)

  /// Where keys are looked up (``Keymap/action(for:in:)``).
  public var context: KeyContext {
    switch self {
    case .help: .help
    case .palette: .palette
    case .confirm: .confirm
    case .compose: .compose
    case .prompt: .prompt
    case .menu: .menu
    case .message: .message
    }
  }
}

extension Overlay {
  /// Does what an action does within it: to its text, or to what is chosen or seen in it. False where it does nothing
  /// there; what it leads to is the program's.
  mutating func perform(_ action: Action, viewHeight: Int) -> Bool {
    switch self {
    case .compose(var editor):
      guard editor.perform(action) else { return false }
      self = .compose(editor)
    case .palette(var palette):
      guard palette.perform(action) else { return false }
      self = .palette(palette)
    case .prompt(var prompt):
      guard prompt.field.perform(action) else { return false }
      self = .prompt(prompt)
    case .help(var help):
      guard help.perform(action, viewHeight: viewHeight) else { return false }
      self = .help(help)
    case .menu(var menu):
      guard menu.perform(action, viewHeight: viewHeight) else { return false }
      self = .menu(menu)
    case .confirm, .message: return false
    }
    return true
  }

  /// Puts text where text is typed in it; nothing is done elsewhere.
  mutating func insert(_ text: String, isPaste: Bool) {
    switch self {
    case .compose(var editor):
      editor.insert(text, isPaste: isPaste)
      self = .compose(editor)
    case .palette(var palette):
      palette.field.insert(text)
      self = .palette(palette)
    case .prompt(var prompt):
      prompt.field.insert(text)
      self = .prompt(prompt)
    case .help(var help):
      help.filter.insert(text)
      help.scroll = 0
      self = .help(help)
    case .menu, .confirm, .message: break
    }
  }
}

/// A question before something that cannot be taken back.
public struct Confirmation: Equatable, Sendable {
  /// "Delete this post?"
  public var question: String
  /// What it is about, such as the beginning of the post; may be empty.
  public var detail: String
  /// What `Action.confirm` does, in a word or two: "delete".
  public var verb: String

  /// Puts the parts together.
  public init(question: String, detail: String = "", verb: String) {
    self.question = question
    self.detail = detail
    self.verb = verb
  }
}

/// A line that is asked for.
public struct Prompt: Equatable, Sendable {
  /// What stands before the line: "Search".
  public var title: String
  public var field: LineField
  /// What one may write, in faint letters; may be empty.
  public var hint: String

  /// Puts the parts together.
  public init(title: String, field: LineField = LineField(), hint: String = "") {
    self.title = title
    self.field = field
    self.hint = hint
  }
}

/// Things to choose from.
public struct Menu: Equatable, Sendable {
  /// One of them.
  public struct Item: Equatable, Sendable {
    public var text: String
    /// Said behind it in faint letters; may be empty.
    public var detail: String

    /// Puts the parts together.
    public init(_ text: String, detail: String = "") {
      self.text = text
      self.detail = detail
    }
  }

  public var title: String
  /// At most 1,000 are shown; the first nine bear the digits that choose them.
  public var items: [Item]
  /// An index of `items`.
  public var selected = 0

  /// A menu on whose first item one is.
  public init(title: String, items: [Item]) {
    self.title = title
    self.items = items
  }

  /// Goes on by so many items, and stops at the ends.
  public mutating func move(by steps: Int) { selected = min(max(0, selected + steps), max(0, items.count - 1)) }

  /// Does what an action does to the choice; false where it is none of its actions.
  mutating func perform(_ action: Action, viewHeight: Int) -> Bool {
    let page = max(1, viewHeight / 2)
    switch action {
    case .next: move(by: 1)
    case .previous: move(by: -1)
    case .pageDown: move(by: page)
    case .pageUp: move(by: -page)
    case .firstRow: move(by: -items.count)
    case .lastRow: move(by: items.count)
    default: return false
    }
    return true
  }
}

/// Some lines to read.
public struct Message: Equatable, Sendable {
  public var title: String
  /// Wrapped by an upper bound of their widths.
  public var lines: [String]

  /// Puts the parts together.
  public init(title: String, lines: [String]) {
    self.title = title
    self.lines = lines
  }
}
