internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

extension StackEngine {
  /// A scene where the session is looked at, as nobody shows it yet.
  mutating func freshScene(_ session: SessionKey, _ layout: LayoutParameters, _ zone: Zone) -> Scene {
    var scene = scene(Scene.Identity(session: session, layout: layout), zone)
    begin(&scene)
    return scene
  }

  /// A scene with nothing in it.
  private func scene(_ identity: Scene.Identity, _ zone: Zone) -> Scene {
    Scene(
      identity, zone: zone, locale: Locale.lookup(identity.layout.locale).locale,
      layoutKey: fingerprint.layoutKey(of: identity.layout, identity.session))
  }

  /// Where the panes of a session lie in a view with `layout`.
  func geometry(of session: SessionKey, _ layout: LayoutParameters) -> PaneGeometry {
    PaneGeometry(layout, wanted: sessions[session]?.stack.panes.map(\.wantedWidth) ?? [0])
  }

  /// The slot of the scene that shows what `scene` does: one that views show already, or `scene` itself, put into a
  /// slot.
  mutating func slot(of scene: Scene) -> SceneSlot {
    if let known = scenes.known(scene) { return known }
    let slot = scenes.insert(scene)
    let isOpen = sessions.edit(scene.identity.session) { $0.scenes.append(slot) } != nil
    if isOpen { lists.use.look(at: scene.identity.session, true) }
    return slot
  }

  /// Puts a view into the scene in `slot`.
  mutating func join(_ view: ViewSlot, _ slot: SceneSlot) {
    scenes[slot].members.append(view)
    navigations.noteChange(of: scenes[slot].identity.session.account)
  }

  /// Takes a view out of its scene, which goes with its last member. O(members).
  mutating func leave(_ view: ViewSlot, _ slot: SceneSlot) {
    guard let index = scenes[slot].members.firstIndex(of: view) else { return }
    navigations.noteChange(of: scenes[slot].identity.session.account)
    scenes[slot].members.remove(at: index)
    guard scenes[slot].members.isEmpty else { return }
    let scene = scenes.remove(slot)
    let isLookedAt = sessions.edit(scene.identity.session) { session in
      session.scenes.removeAll { $0 == slot }
      return session.isLookedAt
    }
    if let isLookedAt {
      lists.use.look(at: scene.identity.session, isLookedAt)
    }
    heights.use([], insteadOf: scene.rendering.heights, by: slot)
  }

  /// Gives a scene to a session of another name.
  mutating func moveScene(_ slot: SceneSlot, to session: SessionKey) {
    scenes.move(slot, to: session, layoutKey: fingerprint.layoutKey(of: scenes[slot].identity.layout, session))
  }

  /// Brings a view to the scene that `change` makes of the one it shows. The scene itself changes if the view is alone
  /// in it.
  mutating func change(_ view: ViewSlot, _ change: (inout Scene) -> Scene.Identity) {
    let slot = views[view].scene
    var scene = scenes[slot]
    var identity = change(&scene)
    // Panes that have gone make no difference.
    identity.anchors = identity.anchors.filter { scene.viewpoint.places[$0.key] != nil }
    // A view that only moves keeps what its layout decides.
    var moved =
      identity.layout == scene.identity.layout
      ? Scene(identity, zone: scene.zone, locale: scene.locale, layoutKey: scene.layoutKey)
      : self.scene(identity, scene.zone)
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

  /// What a scene shows may have changed: its members are behind. O(members).
  mutating func touch(_ slot: SceneSlot, isCommit: Bool, isUrgent: Bool = false) {
    scenes[slot].rendering.version += 1
    navigations.noteChange(of: scenes[slot].identity.session.account)
    for view in scenes[slot].members {
      if isUrgent { pacing.hurry(view) }
      markBehind(view, isCommit: isCommit)
    }
  }

  /// What scenes of a session show may have changed: all, or where `lists` are given, those that show one of these.
  /// Covered panes cost nothing (rule 13).
  mutating func touchScenes(
    of session: SessionKey, showing lists: [ListKey]? = nil, isCommit: Bool, isUrgent: Bool = false
  ) {
    for slot in sessions[session]?.scenes ?? [] {
      let isSeen = lists.map { lists in
        scenes[slot].rendering.shownVersion == 0 || scenes[slot].rendering.lists.contains { lists.contains($0) }
      }
      if isSeen ?? true { touch(slot, isCommit: isCommit, isUrgent: isUrgent) }
    }
  }

  /// The same for scenes other than `slot`, from within the making of a frame: their views are told at once afterwards.
  mutating func touchOthers(than slot: SceneSlot, showing list: ListKey, in session: SessionKey) {
    for other in sessions[session]?.scenes ?? [] where other != slot && scenes[other].rendering.lists.contains(list) {
      scenes[other].rendering.version += 1
      for view in scenes[other].members { pacing.fallBehindLater(view, at: now) }
    }
  }

  /// What a scene shows now. Cost: the window, whatever the length of the panes; nothing where it has not changed.
  mutating func shown(_ slot: SceneSlot) -> Shown {
    guard scenes[slot].rendering.shownVersion != scenes[slot].rendering.version else {
      return scenes[slot].rendering.shown
    }
    var scene = scenes[slot]
    let snapshot = state(of: &scene, slot)
    if !scene.rendering.shown.looks(like: snapshot) { scene.rendering.shown = Shown(snapshot) }
    heights.use(scene.rendering.heights, insteadOf: scenes[slot].rendering.heights, by: slot)
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

  /// What a scene should show now.
  private mutating func state(of scene: inout Scene, _ slot: SceneSlot) -> ViewSnapshot {
    var state = ViewSnapshot()
    state.epoch = epoch
    state.layoutKey = scene.layoutKey
    state.labelsAtMilliseconds = labelTime.instant.milliseconds
    guard let session = sessions[scene.identity.session] else { return state }
    let stack = session.stack
    state.sessionRevision = session.revisions.changed
    let geometry = geometry(of: scene.identity.session, scene.identity.layout)
    state.position = UInt32(scene.viewpoint.position)
    let lefts = geometry.lefts(at: scene.viewpoint.position)
    let visible = geometry.visible(at: scene.viewpoint.position)
    scene.rendering.labelsChangeAt = nil
    scene.rendering.heights = []
    scene.rendering.lists = []
    for (index, record) in stack.panes.enumerated() {
      state.paneFrames.append(
        scene.identity.layout.frame(of: record, x: lefts[index], width: geometry.widths[index], isRoot: index == 0))
      var pane = Pane(header: lists.header(of: record, for: session.key.account))
      if visible[index] {
        scene.rendering.lists.append(record.list(of: session.key.account))
        let renderer = PaneRenderer(
          record: record, width: geometry.widths[index], shownPanes: visible.count { $0 }, time: labelTime, now: now,
          limits: limits)
        renderer.render(&pane, of: &scene, &lists, &heights)
        gatheredPanes += 1
        if index == 0 { read(&pane, renderer, of: scene, slot) }
      }
      state.panes.append(pane)
    }
    state.navigation = navigation(of: scene, root: stack.panes[0].content)
    return state
  }

}
