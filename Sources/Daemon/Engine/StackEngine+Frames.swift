public import Dates
internal import Messages
internal import OrderedCollections
internal import Posts
public import ViewState

extension StackEngine {
  /// The next frame of a view that the shell was told is ready, or nil where there is nothing to say after all. The
  /// view is then assumed to hold it. Cost: the window, whatever the length of the panes; next to nothing for a view
  /// that goes the way another one has gone. Effects of it come with the next input.
  public mutating func nextFrame(of id: ViewID, at instant: Instant) -> Frame? {
    guard let place = views.slot(of: id), let pace = pacing[place], pace.isReady else { return nil }
    // A clock that was set back is dealt with by the next input.
    now = max(now, instant)
    let slot = views[place].scene
    let target = shown(slot)
    var frame = Frame()
    frame.epoch = epoch
    frame.revision = revision
    let reached =
      pace.sentFrame == 0
      ? begin(&frame, views[place], target, slot) : advance(&frame, place, target, slot)
    if pace.sentFrame > 0 { frame.baseRevision = pace.heldRevision }
    let isNews = views[place].owesAnswer || frame.body !== FrameBody.empty
    guard let departure = pacing.depart(place, revision, isNews: isNews, at: now), let number = departure.number else {
      if pace.heldRevision < revision { pacing.revisionMoved(at: now) }
      return nil
    }
    frame.number = number
    frame.ageMilliseconds = departure.ageMilliseconds
    frame.skipped = departure.skipped
    views[place].take(&frame)
    frame.sessionRevision = target.snapshot.sessionRevision
    frame.labelsAtMilliseconds = target.snapshot.labelsAtMilliseconds
    let layoutKey = target.snapshot.layoutKey
    if layoutKey != views[place].heldLayoutKey {
      frame.layoutKey = layoutKey
      views[place].heldLayoutKey = layoutKey
    }
    views[place].held = reached
    // The first rows of a pane are part of the answer to the command that opened it.
    if lacksFirstRows(views[place]) { pacing.hurry(place) }
    if reached !== target || scenes[slot].rendering.hasMore {
      frame.hasMore = true
      pacing.goOn(place, at: now)
    }
    return frame
  }

  /// Fills a view's first frame: from what the client says it holds, or from nothing.
  private mutating func begin(_ frame: inout Frame, _ view: View, _ target: Shown, _ slot: SceneSlot) -> Shown {
    let whole = step(from: .nothing, to: target, slot)
    guard let resume = view.resume else {
      frame.reset = .first
      frame.body = whole.body
      return whole.reached
    }
    frame.reset = refusal(of: resume, target)
    if frame.reset == nil {
      let same = target.snapshot.panes.map(\.header).filter { isSameHeader($0, for: view, since: resume.revision) }
      if let delta = scenes[slot].delta(from: resume, to: target, same, smallerThan: whole.body, limits) {
        frame.baseRevision = resume.revision
        frame.body = delta
        return target
      }
    }
    frame.reset = frame.reset ?? .cheaper
    frame.body = whole.body
    return whole.reached
  }

  /// Why what a client holds is of no use; nil where it may be of use.
  private func refusal(of resume: Resume, _ target: Shown) -> ResetReason? {
    if resume.epoch != epoch { return .epoch }
    if resume.revision > revision { return .future }
    return resume.layoutKey == target.snapshot.layoutKey ? nil : .layout
  }

  /// Whether a pane had this header at a revision already. Where that is not known it is sent again, and the pane's
  /// rows with it.
  private func isSameHeader(_ header: PaneHeader, for view: View, since held: UInt64) -> Bool {
    guard let session = sessions[view.session],
      let record = session.stack.panes.first(where: { $0.id == header.paneID })
    else {
      return false
    }
    let list = record.list(of: session.key.account)
    guard list.hasFacts else { return max(session.revisions.begun, session.revisions.filtered) <= held }
    return max(session.revisions.begun, session.revisions.filtered, namedAt, lists[list]?.factsAt ?? .max) <= held
  }

  private mutating func advance(_ frame: inout Frame, _ place: ViewSlot, _ target: Shown, _ slot: SceneSlot) -> Shown {
    guard views[place].held !== target else { return target }
    let step = step(from: views[place].held, to: target, slot)
    frame.body = step.body
    return step.reached
  }

  private mutating func step(from: Shown, to: Shown, _ slot: SceneSlot) -> Rendering.Step {
    let isShared = scenes[slot].members.count > 1
    return scenes[slot].rendering.step(from: from, to: to, isShared: isShared, limits)
  }
}
