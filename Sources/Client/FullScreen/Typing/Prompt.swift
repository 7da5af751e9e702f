/// A one-line input.
public struct Prompt: Equatable, Sendable {
  /// The title before the line: "Search".
  public var title: String
  /// The line. Changing it clears the failure.
  public var field: LineField {
    didSet { if field.text != oldValue.text { failure = "" } }
  }
  /// A faint hint about the input; may be empty.
  public var hint: String
  /// What Enter does, in the third person: "searches".
  public var verb: String
  /// The reason why the line was refused; empty for none.
  public var failure = ""
  /// The lines entered before.
  public internal(set) var history = LineHistory()

  public init(title: String, field: LineField = LineField(), hint: String = "", verb: String = "") {
    self.title = title
    self.field = field
    self.hint = hint
    self.verb = verb
  }

  /// Performs an action of editing, or goes through the history. Returns false for other actions.
  mutating func perform(_ action: Action) -> Bool {
    switch action {
    case .previous: field = LineField(history.move(-1, from: field.text))
    case .next: field = LineField(history.move(1, from: field.text))
    default: return field.perform(action)
    }
    return true
  }
}
