internal import Posts
internal import ViewState

/// Queue of commands on one session: carried out one at a time, stored before they are answered.
struct CommandQueue {
  /// Answer of a command.
  struct Answer {
    var requestID: String
    var paneID: UInt64
    var revision: UInt64
  }

  /// A waiting command, with what it names once that has been found.
  struct Waiting {
    var token: RequestToken
    var command: StackCommand
    /// Content that it opens.
    var content: PaneContent?
    /// Position of the row that it names.
    var row: OrderKey?
    /// True once the store has found the row in the section.
    var isRowInSection = false
  }

  /// A change that is being stored.
  struct Saving {
    enum Change {
      case stack(PaneStack)
      case reading(Section, RowAnchor)
      case name(String)
      case end
    }
    var change: Change
    /// The command that waits for it; nil for panes that closed by themselves.
    var command: Waiting?
    var paneID: UInt64
  }

  /// Commands in order of arrival. Each begins when the one before is stored or refused.
  private(set) var waiting: [Waiting] = []
  private(set) var saving: Saving?
  /// True if panes have closed by themselves and that is not stored yet.
  private(set) var hasClosedPanes = false
  /// Remembered answers, oldest first.
  private(set) var answers: [Answer] = []
  /// True if some answers are not stored with the stack, because they did not change it.
  private(set) var hasUnstoredAnswers = false

  init(waiting: [Waiting] = [], answers: [Answer] = []) {
    self.waiting = waiting
    self.answers = answers
  }

  /// True if nothing waits, is being stored or still has to be stored.
  var isIdle: Bool { saving == nil && waiting.isEmpty && !hasUnstoredAnswers && !hasClosedPanes }

  /// Adds a command; false if `limit` commands wait already.
  mutating func add(_ command: StackCommand, _ token: RequestToken, limit: Int) -> Bool {
    guard waiting.count < limit else { return false }
    waiting.append(Waiting(token: token, command: command))
    return true
  }

  /// Removes and returns the first command.
  @discardableResult
  mutating func takeFirst() -> Waiting? { waiting.isEmpty ? nil : waiting.removeFirst() }

  /// Records what has been found for the first command.
  mutating func updateFirst(_ change: (inout Waiting) -> Void) {
    if !waiting.isEmpty { change(&waiting[0]) }
  }

  // MARK: Storing

  /// Begins to store what the first command changes, which leaves the queue.
  mutating func beginSaving(_ change: Saving.Change, pane: UInt64) {
    beginSaving(Saving(change: change, command: takeFirst(), paneID: pane))
  }

  /// Begins to store a change that no command waits for.
  mutating func beginSaving(_ change: Saving.Change) {
    beginSaving(Saving(change: change, command: nil, paneID: 0))
  }

  private mutating func beginSaving(_ begun: Saving) {
    saving = begun
    if case .stack = begun.change { hasClosedPanes = false }
  }

  /// Ends the current save, successful or not, and returns it.
  mutating func endSaving() -> Saving? {
    defer { saving = nil }
    return saving
  }

  /// Closes panes with `close`, which returns true if it closed any: in the stack that views show, and in the one being
  /// stored, which is shown afterwards. Returns true if the former has changed.
  mutating func closePanes(in stack: inout PaneStack, _ close: (inout PaneStack) -> Bool) -> Bool {
    if case .stack(var stored) = saving?.change, close(&stored) {
      saving?.change = .stack(stored)
      hasClosedPanes = true
    }
    guard close(&stack) else { return false }
    hasClosedPanes = true
    return true
  }

  // MARK: Answers

  /// Returns the answer to a request; nil if it is unknown.
  func answer(to requestID: String) -> Answer? { answers.first { $0.requestID == requestID } }

  /// Remembers an answer, forgetting the oldest beyond `limit`.
  mutating func remember(_ answer: Answer, limit: Int) {
    if answers.count >= limit { answers.removeFirst() }
    answers.append(answer)
  }

  /// Records whether there are remembered answers that are not stored with the stack.
  mutating func noteUnstoredAnswers(_ exist: Bool) { hasUnstoredAnswers = exist }
}
