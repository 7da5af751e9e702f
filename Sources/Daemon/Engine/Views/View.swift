internal import Dates
internal import Posts
internal import ViewState

/// An attached client: the scene it shows, and the state it is assumed to hold. ``Pacing`` decides when it may be sent
/// something.
struct View {
  let id: ViewID
  /// Changes only with the session's name.
  var session: SessionKey
  /// The scene it shows.
  var scene: SceneSlot
  /// State that its client claims to hold, until the first frame answers that.
  var resume: Resume?
  /// The newest viewport that the client sent, while it waits for the session or for its row to be loaded.
  var pendingViewport: ViewportParameters?

  /// State that the client holds once it has received everything sent.
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
  static let placeholder = View(
    id: ViewID(0),
    opening: ViewOpening(
      session: .signedOut, layout: LayoutParameters(width: 1, height: 1), zone: .utc,
      viewport: nil, acknowledges: false),
    scene: .none)

  /// True if a viewport or a layout of the client still has to be answered by a frame.
  var owesAnswer: Bool {
    viewportGeneration != heldViewportGeneration || layoutGeneration != heldLayoutGeneration
  }

  /// Fills in the view's own parts of a frame, and records that the view takes it.
  mutating func stampFrame(_ frame: inout Frame) {
    frame.generations = Frame.Generations(layout: layoutGeneration, viewport: viewportGeneration)
    heldLayoutGeneration = layoutGeneration
    heldViewportGeneration = viewportGeneration
    resume = nil
  }
}
