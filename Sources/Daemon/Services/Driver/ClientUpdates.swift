internal import Dates
internal import Engine
internal import Posts
internal import ViewState

/// Updates that a view's client has sent since the engine last handled any. Only the newest of each kind is kept, so
/// that a client that sends much costs no more than one that sends once, and delays no other client.
struct ClientUpdates {
  /// Maximum number of panes whose viewports are kept; the oldest is dropped beyond it. A session has no more panes,
  /// besides a preview.
  private static let paneLimit = 65

  /// The newest viewport of each pane, in the order in which the panes were last named.
  private var viewports: [ViewportParameters] = []
  /// Viewports sent before the first pending layout; their lines are counted in the layout before it.
  private var earlier: [ViewportParameters] = []
  private var layout: (parameters: LayoutParameters, zone: Zone)?
  /// Number of layouts sent.
  private var layouts: UInt32 = 0
  private var acknowledged: UInt64?
  /// The preview last chosen, which may be none; nil if none was chosen.
  private var preview: PostID??

  /// No updates.
  init() {}

  /// The client has moved a pane's viewport.
  mutating func move(to viewport: ViewportParameters) {
    viewports.removeAll { $0.paneID == viewport.paneID }
    if viewports.count >= Self.paneLimit { viewports.removeFirst() }
    viewports.append(viewport)
  }

  /// The client has changed its size, zone or style.
  mutating func relayout(_ parameters: LayoutParameters, _ zone: Zone) {
    if layout == nil { (earlier, viewports) = (viewports, []) }
    layout = (parameters, zone)
    layouts &+= 1
  }

  /// The client has chosen the preview of a post, or none.
  mutating func choosePreview(_ post: PostID?) { preview = .some(post) }

  /// The client has shown a frame.
  mutating func acknowledge(_ frame: UInt64) { acknowledged = max(frame, acknowledged ?? 0) }

  /// Returns the updates as inputs of the view `id`.
  func inputs(of id: ViewID) -> [Input] {
    var inputs: [Input] = []
    for viewport in earlier { inputs.append(.viewportMoved(id, viewport)) }
    if let layout { inputs.append(.layoutChanged(id, layout.parameters, layout.zone, count: layouts)) }
    if let preview { inputs.append(.previewChosen(id, preview)) }
    for viewport in viewports { inputs.append(.viewportMoved(id, viewport)) }
    if let acknowledged { inputs.append(.acknowledged(id, frame: acknowledged)) }
    return inputs
  }
}
