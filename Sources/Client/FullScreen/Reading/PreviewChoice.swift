internal import Messages

/// The post whose conversation stands beside the panes on a wide screen: that of the row the user rests on. The daemon
/// is asked when the user has rested for a moment, by one call at a time.
struct PreviewChoice {
  /// The time that a row must be selected before it is previewed instead of another.
  static let rest: Int64 = 120
  /// The narrowest screen on which the daemon has room for a preview (docs/BEHAVIOUR.md, rule 50).
  static let leastColumns = 140

  /// True if previews are wanted.
  var isOn: Bool
  /// The post to show, 0 for none, and the time since when.
  private var wanted: UInt64 = 0
  private var wantedSince: Int64 = 0
  /// The post that the view was last told; 0 for none.
  private var sent: UInt64 = 0
  private var isUnanswered = false

  init(isOn: Bool) { self.isOn = isOn }

  /// Begins with a new view, which shows no preview.
  mutating func restart() { (sent, isUnanswered) = (0, false) }

  /// Wants the preview of a post, 0 for none.
  mutating func want(_ post: UInt64, at now: Int64) {
    if post != wanted { (wanted, wantedSince) = (post, now) }
  }

  /// The time at which to ask for the preview; nil if there is nothing to ask for.
  var due: Int64? {
    guard wanted != sent, !isUnanswered else { return nil }
    // Neither the first preview nor its end is worth waiting for.
    return wanted == 0 || sent == 0 ? wantedSince : wantedSince + Self.rest
  }

  /// Asks for the preview if it is time.
  mutating func send(at now: Int64, _ connection: inout Connection) {
    guard let view = connection.viewID, let due, due <= now else { return }
    (sent, isUnanswered) = (wanted, true)
    connection.call(.preview, Method.setPreview, SetPreviewRequest(viewID: view, postID: wanted))
  }

  /// Records that the call was answered.
  mutating func answered() { isUnanswered = false }
}
