/// Ways to places of which the daemon has still to send the rows, at most one in each pane.
struct Jumps {
  /// The end of one.
  enum Goal: Equatable {
    case top
    case bottom
    case instant
    /// To where reading stopped, and from there to the first unread post.
    case unread
  }

  /// A way, and the viewport that asked for it; nil before it is sent.
  private struct Jump {
    let goal: Goal
    var generation: UInt32?
  }

  private var jumps: [UInt64: Jump] = [:]

  /// Begins one, in place of the one there is.
  mutating func begin(_ goal: Goal, in pane: UInt64) { jumps[pane] = Jump(goal: goal, generation: nil) }

  /// Gives one up, or ends it.
  mutating func end(in pane: UInt64) { jumps[pane] = nil }

  /// There is one.
  func isUnderWay(in pane: UInt64) -> Bool { jumps[pane] != nil }

  /// There is one that viewports up to a generation have not answered.
  func isWaiting(in pane: UInt64, answered: UInt32) -> Bool {
    guard let jump = jumps[pane] else { return false }
    return jump.generation.map { $0 > answered } ?? true
  }

  /// The goal of one that viewports up to a generation have answered; nil for none.
  func answeredGoal(in pane: UInt64, answered: UInt32) -> Goal? {
    isWaiting(in: pane, answered: answered) ? nil : jumps[pane]?.goal
  }

  /// Notes the viewport that asks for what a pane is on the way to.
  mutating func sent(_ pane: UInt64, generation: UInt32) {
    if jumps[pane]?.generation == nil { jumps[pane]?.generation = generation }
  }

  /// Forgets all panes but these.
  mutating func keep(only panes: Set<UInt64>) { jumps = jumps.filter { panes.contains($0.key) } }
}
