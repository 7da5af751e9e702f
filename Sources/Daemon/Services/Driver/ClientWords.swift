internal import Dates
internal import Engine
internal import ViewState

/// What a view's client has said since the engine last heard of it: of each kind the newest, so that a client that says
/// much costs no more than one that says it once, and nobody waits behind it.
struct ClientWords {
  /// Panes whose viewports are kept; a session has no more, and the oldest of more gives way.
  private static let paneLimit = 64

  /// The newest of each pane, in the order in which the panes were last named.
  private var viewports: [ViewportParameters] = []
  /// Those said before the newest layout: their lines are counted in the one before it.
  private var earlier: [ViewportParameters] = []
  private var layout: (parameters: LayoutParameters, zone: Zone)?
  /// How many layouts were said.
  private var layouts: UInt32 = 0
  private var acknowledged: UInt64?

  /// Nothing said.
  init() {}

  /// The client shows another part of a pane.
  mutating func move(to viewport: ViewportParameters) {
    viewports.removeAll { $0.paneID == viewport.paneID }
    if viewports.count >= Self.paneLimit { viewports.removeFirst() }
    viewports.append(viewport)
  }

  /// The client has another size, zone or style.
  mutating func relayout(_ parameters: LayoutParameters, _ zone: Zone) {
    if layout == nil { (earlier, viewports) = (viewports, []) }
    layout = (parameters, zone)
    layouts &+= 1
  }

  /// The client has shown a frame.
  mutating func acknowledge(_ frame: UInt64) { acknowledged = max(frame, acknowledged ?? 0) }

  /// All of it, as inputs about the view `id`.
  func inputs(of id: ViewID) -> [Input] {
    var inputs: [Input] = []
    for viewport in earlier { inputs.append(.viewportMoved(id, viewport)) }
    if let layout { inputs.append(.layoutChanged(id, layout.parameters, layout.zone, count: layouts)) }
    for viewport in viewports { inputs.append(.viewportMoved(id, viewport)) }
    if let acknowledged { inputs.append(.acknowledged(id, frame: acknowledged)) }
    return inputs
  }
}
