internal import Dates
internal import Posts
internal import ViewState

/// Latest content of a scene, and the steps from one state of it to the next.
struct Rendering {
  /// A step from one state to another, with its encoding.
  struct Step {
    let from: Shown
    let to: Shown
    /// The state it leads to: `to`, or one on the way there if the whole step would be too large for a frame.
    let reached: Shown
    let body: FrameBody
  }

  /// Incremented when what it shows may have changed.
  var version: UInt64 = 1
  /// Content as of `shownVersion`. `hasMore`: more of the same change follows.
  var shown = Shown.nothing
  var shownVersion: UInt64 = 0
  var hasMore = false
  /// Row heights that what it shows is measured with.
  var heights: [HeightsKey] = []
  /// Lists of the visible panes.
  var lists: [ListKey] = []
  /// Earliest instant at which one of its labels changes; nil for never.
  var labelsChangeAt: Instant?
  /// Latest steps, newest first.
  var steps: [Step] = []

  /// Records that something in it changes at an instant.
  mutating func expectChange(at instant: Instant) { labelsChangeAt = min(labelsChangeAt ?? instant, instant) }
}

/// A state that views show. Immutable; views that hold the same state hold the same object.
final class Shown: Sendable {
  /// The state without the view's own numbers: revision, generations.
  let snapshot: ViewSnapshot

  /// The state of a view that holds nothing.
  static let nothing = Shown(ViewSnapshot())

  init(_ snapshot: ViewSnapshot) { self.snapshot = snapshot }

  /// Returns true if a client could tell them apart only by the instant they were made for.
  func looks(like other: ViewSnapshot) -> Bool {
    snapshot.layoutKey == other.layoutKey && snapshot.sessionRevision == other.sessionRevision
      && snapshot.position == other.position
      && snapshot.paneFrames == other.paneFrames && snapshot.panes == other.panes
      && snapshot.navigation == other.navigation
  }
}
