internal import Messages
internal import ViewState

/// What a view tells the daemon of where it is: the newest place of each pane, and few of them ahead of the answers.
struct ViewportSender {
  /// Viewports under way without an answer; more wait, and of those that wait the newest of each pane is sent.
  private static let unanswered: UInt32 = 3

  /// What is to be said of a pane.
  enum Place: Equatable {
    case anchor(RowAnchor)
    case instant(Int64)
  }

  /// Of the newest that was sent.
  private(set) var generation: UInt32 = 0
  private var answered: UInt32 = 0
  /// In the order in which panes were last moved.
  private var waiting: [(pane: UInt64, place: Place)] = []
  private var sent: [UInt64: UInt32] = [:]

  /// A new view knows of nothing.
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

  /// A frame takes all viewports up to a generation into account.
  mutating func answered(_ generation: UInt32) { answered = max(answered, min(generation, self.generation)) }

  /// Something of a pane has been said, or is to be said, that the newest frame does not know of.
  func isAhead(_ pane: UInt64) -> Bool { waiting.contains { $0.pane == pane } || sent[pane, default: 0] > answered }

  /// The generation with which a pane was last told, or will be next.
  func generation(of pane: UInt64) -> UInt32? {
    waiting.contains { $0.pane == pane } ? nil : sent[pane]
  }

  /// What may be sent now.
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
