internal import Dates
internal import Posts
internal import ViewState

/// One attached client: what it looks at, and what it is assumed to hold. When it may be sent something is for
/// ``Pacing`` to say.
struct View {
  let id: ViewID
  /// Changes only with the session's name.
  var session: SessionKey
  /// What it shows.
  var scene: SceneSlot
  /// What its client said it holds, until the first frame answers that.
  var resume: Resume?
  /// The newest viewport the client sent, while it waits for the session or for its row to be loaded.
  var pendingViewport: ViewportParameters?

  /// What the client holds once it has everything sent.
  var held = Shown.nothing
  /// The layout key of the last frame that named one.
  var heldLayoutKey: UInt64 = 0
  var layoutGeneration: UInt32 = 1
  var heldLayoutGeneration: UInt32 = 0
  var viewportGeneration: UInt32 = 0
  var heldViewportGeneration: UInt32 = 0

  init(id: ViewID, opening: ViewOpening, scene: SceneSlot) {
    self.id = id
    session = opening.session
    self.scene = scene
    resume = opening.resume
    pendingViewport = opening.viewport
  }

  /// Placeholder for a free slot.
  static let nobody = View(
    id: ViewID(0),
    opening: ViewOpening(
      session: SessionKey(account: AccountID(0), name: ""), layout: LayoutParameters(width: 1, height: 1), zone: .utc,
      viewport: nil, acknowledges: false),
    scene: .none)

  /// Whether a viewport or a layout of the client is yet to be answered by a frame.
  var owesAnswer: Bool {
    viewportGeneration != heldViewportGeneration || layoutGeneration != heldLayoutGeneration
  }

  /// Notes that the view takes a frame, and fills in what is its own of it.
  mutating func take(_ frame: inout Frame) {
    frame.generations = Frame.Generations(layout: layoutGeneration, viewport: viewportGeneration)
    heldLayoutGeneration = layoutGeneration
    heldViewportGeneration = viewportGeneration
    resume = nil
  }
}
