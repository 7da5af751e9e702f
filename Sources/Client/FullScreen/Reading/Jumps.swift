/// Jumps to places whose rows the daemon has yet to send, at most one in each pane.
struct Jumps {
  /// The target of a jump.
  enum Goal: Equatable {
    case top
    case bottom
    case instant
    /// The reading position, and from there the first unread post.
    case unread
    /// A row, to be shown in a line of the pane.
    case row(UInt64, line: Int = 0)
  }

  /// A jump, and the generation of the viewport that asked for it; nil before that is sent.
  private struct Jump {
    let goal: Goal
    var generation: UInt32?
  }

  private var jumps: [UInt64: Jump] = [:]

  /// Begins a jump, replacing the pane's current one.
  mutating func begin(_ goal: Goal, in pane: UInt64) { jumps[pane] = Jump(goal: goal, generation: nil) }

  /// Ends or cancels a pane's jump.
  mutating func end(in pane: UInt64) { jumps[pane] = nil }

  /// True if the pane has a jump.
  func isUnderWay(in pane: UInt64) -> Bool { jumps[pane] != nil }

  /// True if the pane has a jump that viewports up to `answered` have not answered.
  func isWaiting(in pane: UInt64, answered: UInt32) -> Bool {
    guard let jump = jumps[pane] else { return false }
    return jump.generation.map { $0 > answered } ?? true
  }

  /// Returns the target of a jump that viewports up to `answered` have answered; nil for none.
  func answeredGoal(in pane: UInt64, answered: UInt32) -> Goal? {
    isWaiting(in: pane, answered: answered) ? nil : jumps[pane]?.goal
  }

  /// Records the viewport that asks for the target of a pane's jump.
  mutating func sent(_ pane: UInt64, generation: UInt32) {
    if jumps[pane]?.generation == nil { jumps[pane]?.generation = generation }
  }

  /// Forgets all panes except these.
  mutating func forgetPanes(except panes: Set<UInt64>) { jumps = jumps.filter { panes.contains($0.key) } }
}
