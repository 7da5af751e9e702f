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
          for: Instant(milliseconds: content.fields.createdAtMilliseconds), now: then, zone: zone,
          style: layout.labelStyle(underDays: layout.hasDayLines), locale: locale
        ).text
    }
    guard let held else { return nil }
    let body = FrameBody.encoding(target.snapshot.operations(from: held))
    return body.byteCount < max(whole.byteCount, limits.frames.smallestReset) && body.byteCount <= limits.frames.bytes
      ? body : nil
  }
}
