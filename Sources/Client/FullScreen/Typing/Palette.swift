/// The command line: actions and their arguments, found as the user types.
public struct Palette: Equatable, Sendable {
  /// An action that matches the line.
  public struct Suggestion: Equatable, Sendable {
    public var action: Action
    /// The placeholders of its arguments, such as "QUERY"; empty for none.
    public var argument: String
    public var summary: String
    /// The names of its keys; empty for none.
    public var keys: [String]
    /// The name of the action.
    public var name: String { action.rawValue }
  }

  /// The line. Changing it selects the first suggestion.
  public var field = LineField() {
    didSet { if field.text != oldValue.text { (selected, failure, isBrowsing, hasChosen) = (0, "", false, false) } }
  }
  /// The index of the selected entry in ``entries``.
  public private(set) var selected = 0
  /// The reason why the line could not be run; empty for none.
  public var failure = ""
  /// The lines entered before.
  public private(set) var history: LineHistory
  /// The values that complete arguments.
  public var values = KnownValues()
  private let all: [Suggestion]
  /// True while the line is an unchanged one from the history.
  private var isBrowsing = false
  /// True if the user has moved the selection.
  private var hasChosen = false

  /// An empty line. `keymap` provides the keys of suggestions.
  public init(_ keymap: Keymap = .standard, history: [String] = []) {
    self.history = LineHistory(history)
    let verbs = Action.allCases.compactMap { action in
      action.command.words.map {
        Suggestion(action: action, argument: $0.needs.joined(separator: " "), summary: $0.summary, keys: [])
      }
    }
    // An action that takes arguments is suggested only with them.
    let others = Self.actions.filter { $0.command.words == nil }.map {
      Suggestion(action: $0, argument: "", summary: $0.summary, keys: keymap.keys(for: $0, in: .panes))
    }
    all = verbs + others
  }

  /// The actions that can be run by name alone: those of the panes.
  private static let actions = StandardKeys.entries(in: .panes).map(\.action).filter {
    $0 != .palette && $0 != .interrupt
  }

  /// An entry of the list above the line.
  public enum Entry: Equatable, Sendable {
    case command(Suggestion)
    /// A value of the argument that is being typed.
    case value(String)
  }

  /// The entries to choose from: values of the argument that is being typed, or commands.
  public var entries: [Entry] {
    if let argument, !argument.matches.isEmpty { return argument.matches.map(Entry.value) }
    return suggestions.map(Entry.command)
  }

  /// The argument that is being typed.
  private struct Argument {
    let kind: KnownValues.Kind
    /// The line before the argument, and the argument.
    let head: String
    let word: String
    let matches: [String]
  }

  /// The kind of values that the argument being typed needs; nil for none.
  public var wantedKind: KnownValues.Kind? { argument?.kind }

  /// The argument being typed; it may not be empty for files.
  public var wantedWord: String { argument?.word ?? "" }

  private var argument: Argument? {
    guard let first = words.first, field.text.contains(" "), field.cursor == field.text.count,
      let needs = Action(rawValue: Self.fullName(first))?.command.words?.needs
    else { return nil }
    let rest = field.text.drop { $0 == " " }.dropFirst(first.count).drop { $0 == " " }
    let parts = rest.split(separator: " ", maxSplits: needs.count - 1, omittingEmptySubsequences: false)
    guard let last = parts.last ?? Optional(rest), needs.indices.contains(max(0, parts.count - 1)),
      let kind = KnownValues.Kind(rawValue: needs[max(0, parts.count - 1)])
    else { return nil }
    let word = String(last)
    return Argument(
      kind: kind, head: String(field.text.dropLast(word.count)), word: word,
      matches: values.matches(word, of: kind).filter { $0 != word })
  }

  /// The matching actions, best first: names equal to the first word of the line, names that begin with it, contain it,
  /// or contain its letters in order; then summaries that contain it.
  public var suggestions: [Suggestion] {
    let words = self.words
    guard let first = words.first else { return all }
    let wanted = Self.fullName(first)
    // Once arguments follow the name, only that action matches.
    if field.text.contains(" "), let exact = all.first(where: { $0.name == wanted }) { return [exact] }
    var ranked: [(rank: Int, suggestion: Suggestion)] = []
    for suggestion in all {
      let rank: Int
      if suggestion.name == wanted {
        rank = 0
      } else if suggestion.name.hasPrefix(wanted) {
        rank = 1
      } else if suggestion.name.contains(wanted) {
        rank = 2
      } else if Self.has(suggestion.name, lettersOf: wanted) {
        rank = 3
      } else if suggestion.summary.lowercased().contains(wanted) {
        rank = 4
      } else {
        continue
      }
      ranked.append((rank, suggestion))
    }
    // Equal ranks keep their order.
    return (0...4).flatMap { rank in ranked.filter { $0.rank == rank }.map(\.suggestion) }
  }

  private static func has(_ name: String, lettersOf wanted: String) -> Bool {
    var rest = wanted[...]
    for letter in name where letter == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  private var words: [Substring] { field.text.split(separator: " ") }

  /// Returns the command on the line, or the selected suggestion if its first word is no command; else the reason why
  /// it cannot be run.
  public func command() -> Result<PaletteCommand, PaletteFailure> {
    guard let first = words.first else { return .failure(PaletteFailure(message: "")) }
    let name = Self.fullName(first)
    let rest = field.text.drop { $0 == " " }.dropFirst(first.count).drop { $0 == " " }
    if let action = Action(rawValue: name) {
      if let words = action.command.words { return Self.command(action, words, rest) }
      if Self.actions.contains(action) {
        guard rest.isEmpty else { return .failure(PaletteFailure(message: "\(name) takes no arguments")) }
        return .success(.action(action))
      }
    }
    let found = suggestions
    guard rest.isEmpty, found.indices.contains(selected) else {
      let hint = ConfigurationFile.nearest(to: name, in: all.map(\.name)).map { "; did you mean \($0)?" } ?? ""
      return .failure(PaletteFailure(message: "Unknown command: \(first)\(hint)"))
    }
    let chosen = found[selected].action
    return chosen.command.words.map { Self.command(chosen, $0, "") } ?? .success(.action(chosen))
  }

  /// Short names known from other programs.
  private static let synonyms = ["q": "quit", "thread": "conversation", "goto": "date", "user": "author", "w": "width"]

  private static func fullName(_ word: Substring) -> String { synonyms[word.lowercased()] ?? word.lowercased() }

  private static func command(
    _ action: Action, _ words: Command.Words, _ text: Substring
  ) -> Result<PaletteCommand, PaletteFailure> {
    let needed = words.needs
    var arguments = text.split(separator: " ", maxSplits: needed.count - 1).map(String.init)
    if let last = arguments.popLast() { arguments.append(String(last.drop { $0 == " " })) }
    guard arguments.count == needed.count, arguments.allSatisfy({ !$0.isEmpty }) else {
      return .failure(
        PaletteFailure(
          message: "\(action.rawValue) needs more: type \(action.rawValue) \(needed.joined(separator: " "))"))
    }
    return .success(.verb(action, arguments: arguments))
  }

  /// Performs an action of editing, choosing or completing. Returns false for other actions. On an empty line, and on
  /// an unchanged one from the history, "previous" and "next" go through the history; otherwise through the
  /// suggestions.
  @discardableResult public mutating func perform(_ action: Action) -> Bool {
    switch action {
    case .next, .previous:
      let step = action == .next ? 1 : -1
      if isBrowsing || field.text.isEmpty {
        if history.lines.isEmpty || (action == .next && !isBrowsing) { choose(step) } else { browse(step) }
      } else {
        choose(step)
      }
    case .complete:
      complete()
    default: return field.perform(action)
    }
    return true
  }

  /// Completes the word before the cursor with the selected entry.
  private mutating func complete() {
    let entries = self.entries
    guard entries.indices.contains(selected) else { return }
    switch entries[selected] {
    case .value(let value): if let argument { field = LineField(argument.head + value) }
    case .command(let chosen):
      let rest = field.text.contains(" ") ? field.text.drop { $0 != " " } : chosen.argument.isEmpty ? "" : " "
      field = LineField(chosen.name + rest)
    }
  }

  /// Completes an argument with the value that the user has chosen, before the line is run.
  mutating func completeChosen() {
    guard hasChosen, let argument, !argument.matches.isEmpty else { return }
    complete()
  }

  private mutating func choose(_ step: Int) {
    selected = min(max(0, selected + step), max(0, entries.count - 1))
    hasChosen = true
  }

  private mutating func browse(_ step: Int) {
    field = LineField(history.move(step, from: field.text))
    isBrowsing = history.isShowing
  }

  /// Adds the line to the history, without duplicates.
  public mutating func remember() { history.remember(field.text) }
}

/// A line that cannot be run.
public struct PaletteFailure: Error, Equatable, Sendable {
  /// A message for people; empty if the line is empty.
  public let message: String

  /// A failure with a message.
  public init(message: String) { self.message = message }
}

/// A command entered in the palette.
public enum PaletteCommand: Equatable, Sendable {
  /// An action without arguments, as a key performs it.
  case action(Action)
  /// An action with as many arguments as it needs.
  case verb(Action, arguments: [String])
}
