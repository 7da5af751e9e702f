internal import Posts
internal import ViewState

extension Fingerprint {
  /// Version of the layout code. Raise it when the same row is laid out or labelled differently than before for the
  /// same layout.
  private static let layoutVersion: UInt8 = 3

  /// Returns a fingerprint of everything in a layout that decides how rows are cut and labelled, which its height does
  /// not, and of the session, since pane ids mean nothing in another one; never 0.
  func layoutKey(of layout: LayoutParameters, _ session: SessionKey) -> UInt64 {
    var bytes: [UInt8] = [
      Self.layoutVersion, layout.isSinglePane ? 1 : 0, UInt8(layout.ambiguousWidth),
      UInt8(truncatingIfNeeded: layout.widthProfile.rawValue), UInt8(truncatingIfNeeded: layout.timeStyle.rawValue),
    ]
    let points = layout.points?.digest ?? 0
    let overlays = "\(layout.clockSize)|\(layout.hasDayLines)|\(layout.showsWholeTexts)"
    let session =
      switch session {
      case .named(let account, let name): "\(account.rawValue)|\(name)"
      case .ephemeral(let account, let content): "\(account.rawValue)||\(content.words)"
      case .signedOut: "0|\(SessionKey.mainName)"
      }
    let names = "\(layout.width)|\(points)|\(overlays)|\(layout.timeZone)|\(layout.locale)|\(session)"
    bytes += Array(names.utf8)
    return max(1, of(bytes))
  }
}
