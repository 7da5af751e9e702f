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
    frame.pacing.ageMilliseconds = departure.ageMilliseconds
    frame.pacing.skipped = departure.skipped
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
    if reached !== target || scenes[slot].hasMore {
      frame.pacing.hasMore = true
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
    if frame.reset == nil, let delta = self.delta(from: resume, view, to: target, smallerThan: whole.body) {
      frame.baseRevision = resume.revision
      frame.body = delta
      return target
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

  /// The way from what a client says it holds; nil where what it says cannot be, or where the way from nothing is
  /// shorter.
  private func delta(
    from resume: Resume, _ view: View, to target: Shown, smallerThan whole: FrameBody
  ) -> FrameBody? {
    let scene = scenes[view.scene]
    let then = Instant(milliseconds: resume.labelsAtMilliseconds)
    let layout = scene.identity.layout
    let held = target.snapshot.held(
      by: resume, paneLimit: limits.panes, rowLimit: limits.windowRows, hasOverlays: layout.hasOverlays,
      hasDayLines: layout.hasDayLines, isSameHeader: { isSameHeader($0, for: view, since: resume.revision) }
    ) { content in
      content.fields.kind != .post
        ? ""
        : label(
          for: Instant(milliseconds: content.fields.createdAtMilliseconds), now: then, zone: scene.zone,
          style: layout.timeStyle.labelStyle, locale: scene.locale
        ).text
    }
    guard let held else { return nil }
    let body = FrameBody.encoding(target.snapshot.operations(from: held))
    return body.byteCount < max(whole.byteCount, limits.smallestReset) && body.byteCount <= limits.frameBytes
      ? body : nil
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
    guard list.hasFacts else { return max(session.begunAt, session.filteredAt) <= held }
    return max(session.begunAt, session.filteredAt, namedAt, lists[list]?.factsAt ?? .max) <= held
  }

  private mutating func advance(_ frame: inout Frame, _ place: ViewSlot, _ target: Shown, _ slot: SceneSlot) -> Shown {
    guard views[place].held !== target else { return target }
    let step = step(from: views[place].held, to: target, slot)
    frame.body = step.body
    return step.reached
  }

  /// The way from one state of a scene to another, made once for all views that go it. One that nobody else can go is
  /// not kept.
  private mutating func step(from: Shown, to: Shown, _ slot: SceneSlot) -> Scene.Step {
    for known in scenes[slot].steps where known.from === from && known.to === to { return known }
    let operations = to.snapshot.operations(from: from.snapshot)
    let body = FrameBody.encoding(operations)
    let step =
      body.byteCount <= limits.frameBytes
      ? Scene.Step(from: from, to: to, reached: to, body: body) : cut(operations, from: from, to: to)
    guard scenes[slot].members.count > 1 else { return step }
    if scenes[slot].steps.count >= limits.sharedSteps { scenes[slot].steps.removeLast() }
    scenes[slot].steps.insert(step, at: 0)
    return step
  }

  /// As much of the way as fits into a frame, at least one operation or row of it. New lines and labels of rows that
  /// stay go with the first piece, so that the frame's layout key and instant are true of all that is held after it.
  private func cut(_ all: [Operation], from: Shown, to: Shown) -> Scene.Step {
    let tail = all.filter(\.isAboutRowsThatStay)
    let operations = all.filter { !$0.isAboutRowsThatStay }
    var taken: [Operation] = []
    var room = limits.frameBytes - FrameBody.encoding(tail).byteCount
    for operation in operations {
      let size = FrameBody.encoding([operation]).byteCount
      if size <= room {
        taken.append(operation)
        room -= size
        continue
      }
      if case .rowsInserted(let pane, let after, let rows) = operation {
        var fitting = rows.prefix { row in
          room -= row.row.encoded.count + Self.bytesAroundRow
          return room >= 0
        }
        if fitting.isEmpty, taken.isEmpty { fitting = rows.prefix(1) }
        if !fitting.isEmpty { taken.append(.rowsInserted(pane: pane, after: after, rows: Array(fitting))) }
      } else if taken.isEmpty {
        taken.append(operation)
      }
      break
    }
    guard taken.count < operations.count || taken.last != operations.last,
      let reached = try? from.snapshot.applying(taken + tail)
    else { return Scene.Step(from: from, to: to, reached: to, body: FrameBody.encoding(all)) }
    var snapshot = reached
    snapshot.labelsAtMilliseconds = to.snapshot.labelsAtMilliseconds
    snapshot.layoutKey = to.snapshot.layoutKey
    return Scene.Step(from: from, to: to, reached: Shown(snapshot), body: FrameBody.encoding(taken + tail))
  }

  /// Tags, lengths, caps and label of a row in a frame, at most, if the label is of usual length.
  private static let bytesAroundRow = 80
}

extension Operation {
  /// Whether it changes only lines or labels, of rows that are held before and after.
  fileprivate var isAboutRowsThatStay: Bool {
    switch self {
    case .heightsChanged, .timesRefreshed, .clockMoved, .selectionChanged, .navigationChanged: true
    case .panePopped, .panePushed, .stackMoved, .rowsRemoved, .rowsInserted, .rowsChanged, .paneStatus: false
    }
  }
}

extension FrameBody {
  /// Bytes of the operations in a frame.
  fileprivate var byteCount: Int { encoded?.count ?? 0 }
}
