internal import Dates
internal import Posts
internal import ViewState

/// What a scene shows, as it was last made, and the ways from one state of it to the next.
struct Rendering {
  /// A state that was turned into another one for a view, and how.
  struct Step {
    let from: Shown
    let to: Shown
    /// The state it leads to: `to`, or one on the way there where the whole would be too large for a frame.
    let reached: Shown
    let body: FrameBody
  }

  /// Counts what may have changed what it shows.
  var version: UInt64 = 1
  /// What it shows as of `shownVersion`, and whether more of the same change is to follow.
  var shown = Shown.nothing
  var shownVersion: UInt64 = 0
  var hasMore = false
  /// The heights of rows that what it shows is measured by.
  var heights: [HeightsKey] = []
  /// The lists of the panes that are seen.
  var lists: [ListKey] = []
  /// The earliest instant at which a label of it reads differently; nil for never.
  var labelsChangeAt: Instant?
  /// The last steps that were made of it, newest first.
  var steps: [Step] = []

  /// Notes that something of it reads differently from an instant on.
  mutating func expectChange(at instant: Instant) { labelsChangeAt = min(labelsChangeAt ?? instant, instant) }
}

/// A state that views show. Immutable; those who hold the same state hold the same object.
final class Shown: Sendable {
  /// Without the numbers that are a view's own: revision, generations.
  let snapshot: ViewSnapshot

  /// A view that holds nothing.
  static let nothing = Shown(ViewSnapshot())

  init(_ snapshot: ViewSnapshot) { self.snapshot = snapshot }

  /// Whether a client could tell them apart, by anything but the instant they were made for.
  func looks(like other: ViewSnapshot) -> Bool {
    snapshot.layoutKey == other.layoutKey && snapshot.sessionRevision == other.sessionRevision
      && snapshot.position == other.position
      && snapshot.paneFrames == other.paneFrames && snapshot.panes == other.panes
      && snapshot.navigation == other.navigation
  }
}
