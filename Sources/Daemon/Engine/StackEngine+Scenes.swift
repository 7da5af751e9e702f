public import Dates
internal import Messages
internal import OrderedCollections
internal import Posts
public import ViewState

/// Scenes, each shared by all views that show the same, and the frames made from them.
extension StackEngine {
  /// Returns a scene that no view shows yet, at its session's current place.
  mutating func freshScene(_ opening: ViewOpening) -> Scene {
    let identity = Scene.Identity(session: opening.session, layout: opening.layout, onlyLooks: opening.leavesNoTrace)
    var scene = scenes.scene(identity, opening.zone)
    begin(&scene)
    return scene
  }

  /// Returns the geometry of a session's panes in a view with `layout`.
  func geometry(of session: SessionKey, _ layout: LayoutParameters) -> PaneGeometry {
    PaneGeometry(layout, wanted: sessions[session]?.stack.panes.map(\.wantedWidth) ?? [0])
  }

  /// Returns the slot of a scene equal to `scene`: one that views show already, or a new one for `scene` itself.
  mutating func slot(of scene: Scene) -> SceneSlot {
    if let known = scenes.known(scene) { return known }
    let slot = scenes.insert(scene)
    let isOpen = sessions.edit(scene.identity.session) { $0.scenes.append(slot) } != nil
    if isOpen { lists.use.setViewed(scene.identity.session, true) }
    return slot
  }

  /// Adds a view to the scene in `slot`.
  mutating func join(_ view: ViewSlot, _ slot: SceneSlot) {
    scenes[slot].members.append(view)
    navigations.noteChange(of: scenes[slot].identity.session.account)
  }

  /// Removes a view from its scene, which is removed with its last member. O(members).
  mutating func leave(_ view: ViewSlot, _ slot: SceneSlot) {
    guard let index = scenes[slot].members.firstIndex(of: view) else { return }
    navigations.noteChange(of: scenes[slot].identity.session.account)
    scenes[slot].members.remove(at: index)
    guard scenes[slot].members.isEmpty else { return }
    let scene = scenes.remove(slot)
    let hasViews = sessions.edit(scene.identity.session) { session in
      session.scenes.removeAll { $0 == slot }
      return session.hasViews
    }
    if let hasViews {
      lists.use.setViewed(scene.identity.session, hasViews)
    }
    scenes.heights.use([], insteadOf: scene.rendering.heights, by: slot)
  }

  /// Moves a view to the scene that `change` makes of its current one. The scene changes in place if the view is its
  /// only member.
  mutating func change(_ view: ViewSlot, _ change: (inout Scene) -> Scene.Identity) {
    let slot = views[view].scene
    var scene = scenes[slot]
    var identity = change(&scene)
    // Panes that have closed make no difference.
    identity.anchors = identity.anchors.filter { scene.viewpoint.places[$0.key] != nil }
    // Without a new layout, everything derived from the layout stays.
    var moved =
      identity.layout == scene.identity.layout
      ? Scene(identity, zone: scene.zone, locale: scene.locale, layoutKey: scene.layoutKey)
      : scenes.scene(identity, scene.zone)
    moved.viewpoint = scene.viewpoint
    moved.rendering.shown = scene.rendering.shown
    if scenes[slot].members.count == 1, scenes.known(moved, except: slot) == nil {
      moved.members = [view]
      moved.rendering.heights = scene.rendering.heights
      moved.rendering.version = scene.rendering.version + 1
      scenes.replace(slot, by: moved)
      navigations.noteChange(of: identity.session.account)
    } else {
      leave(view, slot)
      let next = self.slot(of: moved)
      join(view, next)
      views[view].scene = next
    }
  }

  /// Marks what a scene shows as possibly changed: its members are behind. O(members).
  mutating func touch(_ slot: SceneSlot, isCommit: Bool, isUrgent: Bool = false) {
    scenes[slot].rendering.version += 1
    navigations.noteChange(of: scenes[slot].identity.session.account)
    for view in scenes[slot].members {
      if isUrgent { pacing.hurry(view) }
      markBehind(view, isCommit: isCommit)
    }
  }

  /// Marks scenes of a session as possibly changed: all, or with `lists` those that show one of them. Covered panes
  /// cost nothing (docs/BEHAVIOUR.md, rule 13).
  mutating func touchScenes(
    of session: SessionKey, showing lists: Set<ListKey>? = nil, isCommit: Bool, isUrgent: Bool = false
  ) {
    for slot in sessions[session]?.scenes ?? [] {
      let isSeen = lists.map { lists in
        scenes[slot].rendering.shownVersion == 0 || scenes[slot].rendering.lists.contains { lists.contains($0) }
      }
      if isSeen ?? true { touch(slot, isCommit: isCommit, isUrgent: isUrgent) }
    }
  }

  /// Marks scenes other than `slot` as possibly changed while a frame is being made. Their views are announced right
  /// afterwards.
  mutating func touchOthers(than slot: SceneSlot, showing list: ListKey, in session: SessionKey) {
    for other in sessions[session]?.scenes ?? [] where other != slot && scenes[other].rendering.lists.contains(list) {
      scenes[other].rendering.version += 1
      for view in scenes[other].members { pacing.fallBehindLater(view, at: now) }
    }
  }

  /// Returns what a scene shows now. Cost: the window, whatever the length of the panes; nothing if it has not changed.
  mutating func shown(_ slot: SceneSlot) -> Shown {
    guard scenes[slot].rendering.shownVersion != scenes[slot].rendering.version else {
      return scenes[slot].rendering.shown
    }
    var scene = scenes[slot]
    let snapshot = state(of: &scene, slot)
    if !scene.rendering.shown.looks(like: snapshot) { scene.rendering.shown = Shown(snapshot) }
    let former = scenes[slot].rendering.heights
    scenes.heights.use(scene.rendering.heights, insteadOf: former, by: slot)
    scene.rendering.shownVersion = scene.rendering.version
    scene.rendering.hasMore = scene.viewpoint.jumpedPane != nil
    if scene.rendering.hasMore {
      scene.viewpoint.jumpedPane = nil
      scene.rendering.version += 1
    }
    scenes[slot] = scene
    scenes.expectLabels(slot)
    return scene.rendering.shown
  }

  /// Renders what a scene should show now.
  private mutating func state(of scene: inout Scene, _ slot: SceneSlot) -> ViewSnapshot {
    guard let session = sessions[scene.identity.session] else { return ViewSnapshot() }
    let renderer = SceneRenderer(epoch: epoch, time: labelTime, now: now, limits: limits)
    var (state, root) = renderer.snapshot(of: &scene, session, &lists, &scenes.heights)
    scenes.gatheredPanes += UInt64(scene.rendering.lists.count)
    if let root { advanceReading(in: &state.panes[0], root, of: scene, slot) }
    state.navigation = navigation(of: scene, root: session.stack.panes[0].content)
    return state
  }

  /// Starts an empty scene at its session's current place (docs/BEHAVIOUR.md, rule 14).
  mutating func begin(_ scene: inout Scene) {
    let key = scene.identity.session
    guard sessions[key]?.isLoaded == true else { return }
    notePlaces(of: key)
    if let session = sessions[key] { scene.begin(session.stack, at: session.places.current, &lists) }
  }

  /// Resolves the anchors of scenes that waited for rows of a list.
  mutating func resolveAnchors(ofScenesShowing list: ListKey) {
    for session in lists.use.sessions(showing: list).compactMap({ sessions[$0] }) {
      for slot in session.scenes { scenes[slot].resolveAnchors(of: session.stack, &lists) }
    }
  }

  /// Advances a section's reading position to the first row of its root pane, which is about to be shown, if that row
  /// is later (docs/BEHAVIOUR.md, rule 39), unless the scene only looks. Puts the position into the pane's status.
  mutating func advanceReading(in pane: inout Pane, _ renderer: PaneRenderer, of scene: Scene, _ slot: SceneSlot) {
    let (record, key) = (renderer.record, scene.identity.session)
    // What a filter hides has not been read.
    guard let section = record.content.section, section.isRead, record.filter.map({ $0.words == "is:unread" }) ?? true
    else { return }
    let old = sessions[key]?.places.current.readings[section]?.anchor
    if !scene.identity.onlyLooks, let anchor = renderer.anchorRead(in: pane, beyond: old, of: scene, &lists) {
      sessions.edit(key) { $0.places.current.readings[section] = Places.Reading(anchor: anchor, revision: nil) }
      sessions.expectPlaces(of: key, at: now)
      touchOthers(than: slot, showing: record.list(of: key.account), in: key)
    }
    guard let reading = sessions[key]?.places.current.readings[section]?.anchor else { return }
    renderer.reportReading(reading, in: &pane, of: scene, &lists)
  }

  // MARK: Frames

  /// Returns the next frame of a view that was announced as ready, or nil if there is nothing to send after all. The
  /// view is then assumed to hold it. Cost: the window, whatever the length of the panes; next to nothing for a step
  /// that another view has taken already. Its effects come with the next input.
  public mutating func nextFrame(of id: ViewID, at instant: Instant) -> Frame? {
    guard let place = views.slot(of: id), let pace = pacing[place], pace.isReady else { return nil }
    // The next input handles a clock that was set back.
    time.now = max(now, instant)
    let slot = views[place].scene
    let target = shown(slot)
    var frame = Frame()
    frame.epoch = epoch
    frame.revision = revision
    let held = views[place].held
    let reached =
      pace.sentFrame == 0 ? begin(&frame, views[place], target, slot) : go(from: held, to: target, slot, &frame)
    if pace.sentFrame > 0 { frame.baseRevision = pace.heldRevision }
    let isNews = views[place].owesAnswer || frame.body !== FrameBody.empty
    guard let departure = pacing.depart(place, revision, isNews: isNews, at: now), let number = departure.number else {
      if pace.heldRevision < revision { pacing.revisionMoved(at: now) }
      return nil
    }
    frame.number = number
    frame.pacing.ageMilliseconds = departure.ageMilliseconds
    frame.pacing.skipped = departure.skipped
    views[place].stampFrame(&frame)
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
      frame.pacing.hasMore = true
      pacing.scheduleNextPiece(place, at: now)
    }
    return frame
  }

  /// Fills a view's first frame: with a delta from what the client claims to hold, or with everything.
  private mutating func begin(_ frame: inout Frame, _ view: View, _ target: Shown, _ slot: SceneSlot) -> Shown {
    let whole = step(from: .nothing, to: target, slot)
    guard let resume = view.resume else {
      frame.reset = .first
      frame.body = whole.body
      return whole.reached
    }
    frame.reset = resume.refusal(epoch: epoch, revision: revision, target)
    if frame.reset == nil {
      let session = sessions[view.session]
      let same = target.snapshot.panes.map(\.header).filter { session?.had($0, at: resume.revision, lists) == true }
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

  private mutating func go(from held: Shown, to target: Shown, _ slot: SceneSlot, _ frame: inout Frame) -> Shown {
    guard held !== target else { return target }
    let step = step(from: held, to: target, slot)
    frame.body = step.body
    return step.reached
  }

  private mutating func step(from: Shown, to: Shown, _ slot: SceneSlot) -> Rendering.Step {
    let isShared = scenes[slot].members.count > 1
    return scenes[slot].rendering.step(from: from, to: to, isShared: isShared, limits)
  }
}
