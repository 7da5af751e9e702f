internal import Dates
internal import Posts
internal import ViewState

/// Content shared by all views with the same session, layout and viewport. It is computed once for all of them, and so
/// is each step from one state to the next: a post that reaches five thousand views at the top of the same timeline is
/// laid out, compared and encoded once.
struct Scene {
  /// Key by which views share a scene.
  struct Identity: Hashable {
    var session: SessionKey
    var layout: LayoutParameters
    /// True if it leaves its session as it is (``ViewOpening/leavesNoTrace``).
    var onlyLooks = false
    /// The post whose conversation it shows beside the stack, if there is room; nil for none.
    var preview: PostID?
    /// Requested anchors and their lines, by pane.
    var anchors: [UInt64: [Int64]] = [:]
  }

  var identity: Identity
  var zone: Zone
  /// The language of labels.
  let locale: Locale
  /// Identifies how rows are laid out and labelled; not 0.
  var layoutKey: UInt64
  var viewpoint = Viewpoint()
  /// Views that show it.
  var members: [ViewSlot] = []
  var rendering = Rendering()

  /// Creates a scene that no view shows yet.
  init(_ identity: Identity, zone: Zone, locale: Locale, layoutKey: UInt64) {
    self.identity = identity
    self.zone = zone
    self.locale = locale
    self.layoutKey = layoutKey
  }

  /// Returns true if another scene with the same identity is at the same place, so that one can stand for both.
  func isSame(as other: Scene) -> Bool { viewpoint.isSame(as: other.viewpoint) }

  /// Returns the label of an instant; the scene is rendered again when that changes.
  mutating func text(for instant: Instant, _ style: LabelStyle, _ time: LabelTime) -> String {
    let label = label(for: instant, now: time.instant, zone: zone, style: style, locale: locale)
    if !time.isFrozen, let change = label.nextChange { rendering.expectChange(at: change) }
    return label.text
  }

  /// Placeholder for a free slot.
  static let placeholder = Scene(
    Identity(session: .signedOut, layout: LayoutParameters(width: 1, height: 1)),
    zone: .utc, locale: Locale.lookup("").locale, layoutKey: 0)
}
