/// An overlay over the panes, which has the keys.
public enum Overlay: Sendable {
  /// The keys available in a context.
  case help(Help)
  /// The command line.
  case palette(Palette)
  /// A question answered with yes or no.
  case confirm(Confirmation)
  /// A post that is being written.
  case compose(ComposeEditor)
  /// A one-line input, such as a query, an author or a date.
  case prompt(Prompt)
  /// A menu: links, attachments, sessions.
  case menu(Menu)
  /// A message. Any key closes it.
  case message(Message)

  /// The context in which keys are looked up (``Keymap/action(for:in:)``).
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
  /// Performs an action on the text or the selection of the overlay. Returns false if the action has no meaning there.
  /// The consequences are up to the program.
  mutating func perform(_ action: Action, viewHeight: Int) -> Bool {
    switch self {
    case .compose(var editor):
      guard editor.perform(action) else { return false }
      self = .compose(editor)
    case .palette(var palette):
      guard palette.perform(action) else { return false }
      self = .palette(palette)
    case .prompt(var prompt):
      guard prompt.perform(action) else { return false }
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

  /// Inserts text into the overlay's text field, if it has one.
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

/// A question before an action.
public struct Confirmation: Equatable, Sendable {
  /// The question, such as "Delete this post?".
  public var question: String
  /// The subject, such as the beginning of the post; may be empty.
  public var detail: String
  /// A word or two for what `Action.confirm` does: "delete".
  public var verb: String
  /// A word or two for what `Action.cancel` does.
  public var refusal: String
  /// True if nothing is lost by it: then Enter confirms, too.
  public var isHarmless: Bool

  public init(
    question: String, detail: String = "", verb: String, refusal: String = "cancel", isHarmless: Bool = false
  ) {
    self.question = question
    self.detail = detail
    self.verb = verb
    self.refusal = refusal
    self.isHarmless = isHarmless
  }

  /// Returns the names of the keys to show for yes and no.
  func keys(_ keymap: Keymap) -> (yes: String, no: String) {
    let no = keymap.keys(for: .cancel, in: .confirm)
    return (
      keymap.keys(for: isHarmless ? .choose : .confirm, in: .confirm).first
        ?? keymap.keys(for: .confirm, in: .confirm).first ?? "y",
      isHarmless && no.contains("esc") ? "esc" : no.first ?? "n"
    )
  }
}

/// A list of items to choose from.
public struct Menu: Equatable, Sendable {
  /// An item of a menu.
  public struct Item: Equatable, Sendable {
    public var text: String
    /// Faint text after the item; may be empty.
    public var detail: String

    public init(_ text: String, detail: String = "") {
      self.text = text
      self.detail = detail
    }
  }

  /// The most items that are shown.
  static let limit = 1_000

  public var title: String
  /// The items. At most ``limit`` are shown; digits choose the first nine.
  public var items: [Item]
  /// An index into `items`.
  public var selected = 0

  /// A menu with the first item selected.
  public init(title: String, items: [Item]) {
    self.title = title
    self.items = items
  }

  /// Moves the selection by `steps`, stopping at the ends.
  public mutating func move(by steps: Int) { selected = min(max(0, selected + steps), max(0, items.count - 1)) }

  /// Performs an action on the selection. Returns false for other actions.
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

/// A message.
public struct Message: Equatable, Sendable {
  public var title: String
  /// The lines, wrapped by an upper bound of their widths.
  public var lines: [String]

  public init(title: String, lines: [String]) {
    self.title = title
    self.lines = lines
  }
}
