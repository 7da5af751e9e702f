/// The command line: actions with what they need, found as one types.
public struct Palette: Equatable, Sendable {
  /// An action that may be meant.
  public struct Suggestion: Equatable, Sendable {
    public var action: Action
    /// What it needs, such as "QUERY"; empty for nothing.
    public var argument: String
    public var summary: String
    /// As people write them; empty for none.
    public var keys: [String]
    /// What it is called.
    public var name: String { action.rawValue }
  }

  /// The line; a change of it chooses the first suggestion.
  public var field = LineField() {
    didSet { if field.text != oldValue.text { (selected, failure, isBrowsing) = (0, "", false) } }
  }
  /// Which of ``suggestions`` is chosen.
  public private(set) var selected = 0
  /// Why the line could not be done; empty for no reason.
  public var failure = ""
  /// Lines that were entered before, the oldest first; at most ``historyLimit``.
  public private(set) var history: [String]
  private let all: [Suggestion]
  /// Where in the history one is; its count for the line that is being written.
  private var place: Int
  private var draft = ""
  /// The line is one of the history, as it was.
  private var isBrowsing = false

  /// Lines that are remembered.
  public static let historyLimit = 100

  /// An empty line. `keymap` tells the keys of what is suggested.
  public init(_ keymap: Keymap = .standard, history: [String] = []) {
    self.history = Array(history.suffix(Self.historyLimit))
    place = self.history.count
    let verbs = Action.allCases.compactMap { action in
      action.command.words.map {
        Suggestion(action: action, argument: $0.needs.joined(separator: " "), summary: $0.summary, keys: [])
      }
    }
    // One that takes words is suggested with them alone.
    let others = Self.actions.filter { $0.command.words == nil }.map {
      Suggestion(action: $0, argument: "", summary: $0.summary, keys: keymap.keys(for: $0, in: .panes))
    }
    all = verbs + others
  }

  /// The actions that can be asked for by name alone: those of the panes.
  private static let actions = StandardKeys.entries(in: .panes).map(\.action).filter {
    $0 != .palette && $0 != .interrupt
  }

  /// What may be meant, the best first: names that are the first word of the line, that begin with it, that have it
  /// somewhere, that have its letters in that order; then summaries that have it.
  public var suggestions: [Suggestion] {
    let words = self.words
    guard let first = words.first else { return all }
    let wanted = first.lowercased()
    // Behind the verb come its words: then it is meant, and no other.
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
    // Equal ranks stay in their order.
    return (0...4).flatMap { rank in ranked.filter { $0.rank == rank }.map(\.suggestion) }
  }

  private static func has(_ name: String, lettersOf wanted: String) -> Bool {
    var rest = wanted[...]
    for letter in name where letter == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  private var words: [Substring] { field.text.split(separator: " ") }

  /// What the line asks for, or the chosen suggestion where its first word is none; else the reason why that is nothing
  /// that can be done.
  public func command() -> Result<PaletteCommand, PaletteFailure> {
    guard let first = words.first else { return .failure(PaletteFailure(message: "")) }
    let name = Self.synonyms[first.lowercased()] ?? first.lowercased()
    let rest = field.text.drop { $0 == " " }.dropFirst(first.count).drop { $0 == " " }
    if let action = Action(rawValue: name) {
      if let words = action.command.words { return Self.command(action, words, rest) }
      if Self.actions.contains(action) {
        guard rest.isEmpty else { return .failure(PaletteFailure(message: "\(name) needs nothing behind it")) }
        return .success(.action(action))
      }
    }
    let found = suggestions
    guard rest.isEmpty, found.indices.contains(selected) else {
      let hint = ConfigurationFile.nearest(to: name, in: all.map(\.name)).map { "; do you mean \($0)?" } ?? ""
      return .failure(PaletteFailure(message: "there is no \(first)\(hint)"))
    }
    let chosen = found[selected].action
    return chosen.command.words.map { Self.command(chosen, $0, "") } ?? .success(.action(chosen))
  }

  /// Short names that people know from elsewhere.
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

  /// Does what an action of editing, choosing or completing does; false where it is none. On an empty line, and on one
  /// that came from it, "previous" and "next" go through the history; otherwise through what is suggested.
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

  /// Notes the line as entered; the same one twice is one.
  public mutating func remember() {
    let line = field.text
    guard !line.allSatisfy({ $0 == " " }) else { return }
    history.removeAll { $0 == line }
    history.append(line)
    if history.count > Self.historyLimit { history.removeFirst() }
    place = history.count
  }
}

/// A line that cannot be done.
public struct PaletteFailure: Error, Equatable, Sendable {
  /// For people; empty where nothing was said.
  public let message: String

  /// A line that cannot be done for a reason.
  public init(message: String) { self.message = message }
}

/// What the palette was asked for.
public enum PaletteCommand: Equatable, Sendable {
  /// What a key does too.
  case action(Action)
  /// An action that takes words, and as many of them as it needs.
  case verb(Action, arguments: [String])
}
