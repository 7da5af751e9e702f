internal import Dates
internal import Messages
internal import Posts
internal import ViewState

extension Scene {
  /// Returns the delta from what a client claims to hold; nil if the claim is impossible, or if a full frame is
  /// smaller. `same` are the headers that panes already had then.
  func delta(
    from resume: Resume, to target: Shown, _ same: [PaneHeader], smallerThan whole: FrameBody, _ limits: EngineLimits
  ) -> FrameBody? {
    let then = Instant(milliseconds: resume.labelsAtMilliseconds)
    let layout = identity.layout
    let held = target.snapshot.held(
      by: resume, paneLimit: limits.sessions.panes, rowLimit: limits.windows.rows, hasOverlays: layout.hasOverlays,
      hasDayLines: layout.hasDayLines, isSameHeader: { same.contains($0) }
    ) { content in
      content.fields.kind != .post
        ? ""
        : label(
          for: content.fields.labelledAt, now: then, zone: zone,
          style: content.fields.labelStyle(among: layout.labelStyle(underDays: layout.hasDayLines)), locale: locale
        ).text
    }
    guard let held else { return nil }
    let body = FrameBody.encoding(target.snapshot.operations(from: held))
    return body.byteCount < max(whole.byteCount, limits.frames.smallestReset) && body.byteCount <= limits.frames.bytes
      ? body : nil
  }
}

extension Resume {
  /// Returns the reason why what a client holds is of no use; nil if it may be of use.
  func refusal(epoch current: UInt64, revision newest: UInt64, _ target: Shown) -> ResetReason? {
    if epoch != current { return .epoch }
    if revision > newest { return .future }
    return layoutKey == target.snapshot.layoutKey ? nil : .layout
  }
}
