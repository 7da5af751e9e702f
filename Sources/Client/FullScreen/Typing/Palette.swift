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
    didSet { if field.text != oldValue.text { (selected, failure, isBrowsing) = (0, "", false) } }
  }
  /// The index of the selected suggestion in ``suggestions``.
  public private(set) var selected = 0
  /// The reason why the line could not be run; empty for none.
  public var failure = ""
  /// The lines entered before, oldest first; at most ``historyLimit``.
  public private(set) var history: [String]
  private let all: [Suggestion]
  /// The index of the current line in the history; its count for the line being typed.
  private var place: Int
  private var draft = ""
  /// True while the line is an unchanged one from the history.
  private var isBrowsing = false

  /// The length of the history.
  public static let historyLimit = 100

  /// An empty line. `keymap` provides the keys of suggestions.
  public init(_ keymap: Keymap = .standard, history: [String] = []) {
    self.history = Array(history.suffix(Self.historyLimit))
    place = self.history.count
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

  /// The matching actions, best first: names equal to the first word of the line, names that begin with it, contain it,
  /// or contain its letters in order; then summaries that contain it.
  public var suggestions: [Suggestion] {
    let words = self.words
    guard let first = words.first else { return all }
    let wanted = first.lowercased()
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
    let name = Self.synonyms[first.lowercased()] ?? first.lowercased()
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

  private static func command(
    _ action: Action, _ words: Command.Words, _ text: Substring
  ) -> Result<PaletteCommand, PaletteFailure> {
    let needed = words.needs
    var arguments = text.split(separator: " ", maxSplits: needed.count - 1).map(String.init)
    if let last = arguments.popLast() { arguments.append(String(last.drop { $0 == " " })) }
    guard arguments.count == needed.count, arguments.allSatisfy({ !$0.isEmpty }) else {
      return .failure(PaletteFailure(message: "\(action.rawValue) needs \(needed.joined(separator: " and "))"))
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
        if history.isEmpty || (action == .next && !isBrowsing) { selected = moved(by: step) } else { browse(step) }
      } else {
        selected = moved(by: step)
      }
    case .complete:
      guard suggestions.indices.contains(selected) else { return true }
      let chosen = suggestions[selected]
      let rest = field.text.contains(" ") ? field.text.drop { $0 != " " } : chosen.argument.isEmpty ? "" : " "
      field = LineField(chosen.name + rest)
    default: return field.perform(action)
    }
    return true
  }

  private func moved(by step: Int) -> Int { min(max(0, selected + step), max(0, suggestions.count - 1)) }

  private mutating func browse(_ step: Int) {
    if place == history.count { draft = field.text }
    place = min(max(0, place + step), history.count)
    field = LineField(place == history.count ? draft : history[place])
    isBrowsing = place < history.count
  }

  /// Adds the line to the history, without duplicates.
  public mutating func remember() {
    let line = field.text
    guard !line.allSatisfy({ $0 == " " }) else { return }
    history.removeAll { $0 == line }
    history.append(line)
    if history.count > Self.historyLimit { history.removeFirst() }
    place = history.count
  }
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
