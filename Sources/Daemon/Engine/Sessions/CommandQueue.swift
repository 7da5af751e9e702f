internal import Posts
internal import ViewState

/// The commands on one session: carried out one at a time, stored before they are answered.
struct CommandQueue {
  /// What a command answered.
  struct Answer {
    var requestID: String
    var paneID: UInt64
    var revision: UInt64
  }

  /// A command that waits, with what it names where that has been found.
  struct Waiting {
    var token: RequestToken
    var command: StackCommand
    /// What it opens.
    var content: PaneContent?
    /// Where the row stands that it tells has been read.
    var row: OrderKey?
    /// Whether the store has that row in the section that it is said of.
    var isRowInSection = false
  }

  /// What is being stored.
  struct Saving {
    enum Change {
      case stack(PaneStack)
      case reading(Section, RowAnchor)
      case name(String)
      case end
    }
    var change: Change
    /// Who waits for it; nil for panes that closed by themselves.
    var command: Waiting?
    var paneID: UInt64
  }

  /// Commands in the order in which they came; each begins when the one before is stored or refused.
  private(set) var waiting: [Waiting] = []
  private(set) var saving: Saving?
  /// Panes have closed by themselves, which is yet to be stored.
  private(set) var hasClosedPanes = false
  /// Answers by request id, oldest first.
  private(set) var answers: [Answer] = []
  /// Some of them are not stored with the stack, because they did not change it.
  private(set) var hasUnstoredAnswers = false

  init(waiting: [Waiting] = [], answers: [Answer] = []) {
    self.waiting = waiting
    self.answers = answers
  }

  /// Whether nothing waits, is being stored or is yet to be stored.
  var isIdle: Bool { saving == nil && waiting.isEmpty && !hasUnstoredAnswers && !hasClosedPanes }

  /// Adds a command; false where `limit` wait already.
  mutating func add(_ command: StackCommand, _ token: RequestToken, limit: Int) -> Bool {
    guard waiting.count < limit else { return false }
    waiting.append(Waiting(token: token, command: command))
    return true
  }

  /// Takes the first command out.
  @discardableResult
  mutating func takeFirst() -> Waiting? { waiting.isEmpty ? nil : waiting.removeFirst() }

  /// Notes what has been found of what the first command names.
  mutating func noteFirst(_ change: (inout Waiting) -> Void) {
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

  /// Takes out what was being stored: it is, or it could not be.
  mutating func endSaving() -> Saving? {
    defer { saving = nil }
    return saving
  }

  /// Closes panes by themselves, by `close`, which says whether there were any: in the stack that views show, and in
  /// the one that is being stored, which comes back to be shown. True if the former has changed.
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

  /// What a request was answered; nil where that is not known.
  func answer(to requestID: String) -> Answer? { answers.first { $0.requestID == requestID } }

  /// Remembers an answer; with more than `limit` the oldest is forgotten.
  mutating func remember(_ answer: Answer, limit: Int) {
    if answers.count >= limit { answers.removeFirst() }
    answers.append(answer)
  }

  /// Notes whether answers are remembered that are not stored with the stack.
  mutating func noteUnstoredAnswers(_ areThere: Bool) { hasUnstoredAnswers = areThere }
}
