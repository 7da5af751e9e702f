internal import Messages
internal import ViewState

/// The positions a view sends to the daemon: the newest of each pane, with few of them unanswered.
struct ViewportSender {
  /// The largest number of unanswered viewports. Others wait, and only the newest of each pane is sent.
  private static let unanswered: UInt32 = 3

  /// A position in a pane.
  enum Place: Equatable {
    case anchor(LineAnchor)
    case instant(Int64)
  }

  /// The generation of the newest viewport sent.
  private(set) var generation: UInt32 = 0
  private var answered: UInt32 = 0
  /// The waiting positions, in the order in which panes were last moved.
  private var waiting: [(pane: UInt64, place: Place)] = []
  private var sent: [UInt64: UInt32] = [:]

  /// Restarts for a new view, which knows nothing of earlier viewports.
  mutating func restart() {
    generation = 0
    answered = 0
    waiting = []
    sent = [:]
  }

  mutating func want(_ pane: UInt64, _ place: Place) {
    waiting.removeAll { $0.pane == pane }
    waiting.append((pane, place))
  }

  /// Records that a frame takes all viewports up to a generation into account.
  mutating func answered(_ generation: UInt32) { answered = max(answered, min(generation, self.generation)) }

  /// True if the newest frame does not include the latest position of a pane.
  func isAhead(_ pane: UInt64) -> Bool { waiting.contains { $0.pane == pane } || sent[pane, default: 0] > answered }

  /// Returns the viewports to send now.
  mutating func next() -> [ViewportParameters] {
    var result: [ViewportParameters] = []
    while !waiting.isEmpty, generation - answered < Self.unanswered {
      let (pane, place) = waiting.removeFirst()
      generation += 1
      sent[pane] = generation
      var viewport = ViewportParameters()
      viewport.paneID = pane
      viewport.generation = generation
      switch place {
      case .anchor(let anchor):
        viewport.anchorRow = anchor.rowID
        viewport.line = anchor.line
      case .instant(let milliseconds): viewport.atMilliseconds = milliseconds
      }
      result.append(viewport)
    }
    return result
  }
}
