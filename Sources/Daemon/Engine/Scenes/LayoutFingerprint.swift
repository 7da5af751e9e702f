internal import Posts
internal import ViewState

extension Fingerprint {
  /// What is to be raised when the same row is laid out or labelled in another way than before for the same layout.
  private static let layoutVersion: UInt8 = 2

  /// Stands for all of a layout that decides how rows are cut and labelled, which its height does not, and for the
  /// session, whose panes' ids mean nothing in another; never 0.
  func layoutKey(of layout: LayoutParameters, _ session: SessionKey) -> UInt64 {
    var bytes: [UInt8] = [
      Self.layoutVersion, layout.isSinglePane ? 1 : 0, UInt8(layout.ambiguousWidth),
      UInt8(truncatingIfNeeded: layout.widthProfile.rawValue), UInt8(truncatingIfNeeded: layout.timeStyle.rawValue),
    ]
    let points = layout.points?.digest ?? 0
    let overlays = "\(layout.clockSize)|\(layout.hasDayLines)"
    let names =
      "\(layout.width)|\(points)|\(overlays)|\(layout.timeZone)|\(layout.locale)|\(session.account.rawValue)|\(session.name)"
      + (session.content.map { "|\($0.words)" } ?? "")
    bytes += Array(names.utf8)
    return max(1, of(bytes))
  }
}
