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
    sessions[scene.identity.session]?.scenes.append(slot)
    if sessions[scene.identity.session] != nil { lists.use.look(at: scene.identity.session, true) }
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
    if let index = sessions[scene.identity.session]?.scenes.firstIndex(of: slot) {
      sessions[scene.identity.session]!.scenes.remove(at: index)
      lists.use.look(at: scene.identity.session, sessions[scene.identity.session]?.scenes.isEmpty == false)
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
    guard scenes[slot].rendering.shownVersion != scenes[slot].rendering.version else { return scenes[slot].rendering.shown }
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
    state.labelsAtMilliseconds = labelNow.milliseconds
    let session = sessions[scene.identity.session]!
    let stack = session.stack
    state.sessionRevision = session.changedRevision
    let geometry = geometry(of: scene.identity.session, scene.identity.layout)
    state.position = UInt32(scene.viewpoint.position)
    let lefts = geometry.lefts(at: scene.viewpoint.position)
    let visible = geometry.visible(at: scene.viewpoint.position)
    let shownPanes = visible.count { $0 }
    scene.rendering.labelsChangeAt = nil
    scene.rendering.heights = []
    scene.rendering.lists = []
    for (index, record) in stack.panes.enumerated() {
      state.paneFrames.append(
        scene.identity.layout.frame(of: record, x: lefts[index], width: geometry.widths[index], isRoot: index == 0))
      var pane = Pane(header: lists.header(of: record, for: session.key.account))
      if visible[index] {
        scene.rendering.lists.append(record.list(of: session.key.account))
        fill(&pane, record, width: geometry.widths[index], of: &scene, panes: shownPanes)
        gatheredPanes += 1
        pane.selection = selection(in: pane, record, width: geometry.widths[index], of: &scene)
        if index == 0 { read(&pane, record, width: geometry.widths[index], of: scene, slot) }
      }
      state.panes.append(pane)
    }
    state.navigation = navigation(of: scene, root: stack.panes[0].content)
    return state
  }

  /// Puts the window of a pane into it, with the numbers of the pane.
  private mutating func fill(_ pane: inout Pane, _ record: PaneRecord, width: Int, of scene: inout Scene, panes: Int) {
    let identity = scene.identity
    let key = record.list(of: identity.session.account)
    let layout = LayoutKey(identity.layout, paneWidth: width)
    lists.open.read(key) { $0.arrange(record.collapsed) }
    guard var list = lists[key] else {
      pane.status.isLoading = true
      return
    }
    let hasDays = identity.layout.hasDayLines && list.tellsTimes
    let heights = HeightsKey(
      list: key, collapsed: list.order == nil ? [] : record.collapsed, layout: layout,
      daysZone: hasDays ? identity.layout.timeZone : nil)
    let days = hasDays ? DayRule(of: list, in: scene.zone, height: layout.dayHeight) : nil
    self.heights.make(heights, days, of: &lists.open, at: now)
    if self.heights[heights] != nil { scene.rendering.heights.append(heights) }
    list = lists[key] ?? list
    let window = window(in: &list, of: &scene, pane: record.id, key: layout, panes: panes)
    pane.rows.reserveCapacity(window.rows.count)
    let style = identity.layout.timeStyle.labelStyle
    for (offset, row) in window.rows.enumerated() {
      pane.rows.append(
        list.placed(row, displayed: window.first + offset, style, days) { text(for: $0, $1, in: &scene) })
    }
    self.heights.note(pane.rows, from: window.first, in: list, heights)
    pane.status = status(of: list, window, heights)
    pane.status.profile = lists.profile(of: list)
    let anchor = scene.viewpoint.places[record.id]?.anchor.flatMap { anchor in
      pane.rows.firstIndex { $0.rowID == UInt64(anchor.rawValue) }
    }
    if let anchor { scene.viewpoint.keepLine(of: record.id, beside: pane.rows[anchor]) }
    if let anchor, let place = scene.viewpoint.places[record.id], place.isMoved || place.line < 0 {
      // Lines above the anchor row belong to another, and clients count from that.
      let top = pane.rowShown(at: place.line, of: anchor)
      pane.status.anchorRow = pane.rows[top.row].rowID
      pane.status.anchorLine = top.line
    }
    if identity.layout.hasOverlays, list.tellsTimes {
      pane.clock = clock(over: pane, from: anchor ?? 0, list, heights, &scene)
    }
    lists.open.putBack(list)
  }

  /// What is said of an instant; the scene is looked at again when that changes.
  mutating func text(for instant: Instant, _ style: LabelStyle, in scene: inout Scene) -> String {
    let label = label(for: instant, now: labelNow, zone: scene.zone, style: style, locale: scene.locale)
    if frozenAt == nil { scene.rendering.labelsChangeAt = earlier(scene.rendering.labelsChangeAt, label.nextChange) }
    return label.text
  }

  private func status(of list: PostList, _ window: Window, _ key: HeightsKey) -> PaneStatus {
    var status = PaneStatus()
    status.rowCount = list.rowCount
    status.rowsAbove = window.first
    status.isLoading = !list.isComplete
    let missing = list.rowCount - list.count
    guard let heights = heights[key] else {
      // Without room for the heights every row counts as the same, so that the total does not change from window to
      // window.
      status.totalHeight = list.rowCount * key.layout.estimatedHeight
      status.heightAbove = window.first * key.layout.estimatedHeight
      return status
    }
    let above = list.ranks(aboveDisplayed: window.first)
    status.isExact = list.isComplete && heights.isExact
    status.totalHeight = heights.total + missing * heights.estimate
    status.heightAbove = heights.height(below: above.upperBound) - heights.height(below: above.lowerBound)
    return status
  }
}

extension Pane {
  /// The row that a line belongs to which is counted from the top of row `index`, and which line of it: of the first
  /// row held where there is nothing above.
  func rowShown(at line: Int, of index: Int) -> (row: Int, line: Int) {
    var (row, line) = (index, line)
    while line < 0, row > 0 {
      row -= 1
      line += rows[row].height
    }
    return (row, max(0, line))
  }
}

extension PostList {
  /// The caps of a row: the first and the last of the list are rounded (rule 16).
  func caps(displayed index: Int) -> Caps {
    var caps: Caps = []
    if index == 0 && (isNewestFirst || isComplete) { caps.insert(.top) }
    if index == rowCount - 1 { caps.insert(.bottom) }
    return caps
  }

  /// A row as it is shown: with its corners, its time as `text` tells it, and the line of the day that begins with it.
  mutating func placed(
    _ row: LaidOutRow, displayed index: Int, _ style: LabelStyle, _ days: DayRule?,
    text: (Instant, LabelStyle) -> String
  ) -> PlacedRow {
    let createdAt = Instant(milliseconds: row.content.fields.createdAtMilliseconds)
    let isGap = row.content.fields.kind == .gap
    let label = isGap ? ends(of: row.content.fields, text) : tellsTimes ? text(createdAt, style) : ""
    var placed = PlacedRow(row: row, caps: caps(displayed: index), label: label)
    if let days, days.begins(displayed: index, of: &self) {
      placed.day = DayLine(label: text(createdAt, .day), height: days.height)
    }
    placed.tree = place(ofRank: rank(ofDisplayed: index))
    return placed
  }

  /// From when to when posts are missing: times alone if that is today.
  private func ends(of fields: RowContent.Fields, _ text: (Instant, LabelStyle) -> String) -> String {
    let (older, newer) = (
      Instant(milliseconds: fields.gapOlderMilliseconds), Instant(milliseconds: fields.gapNewerMilliseconds)
    )
    let (from, to) = (text(older, .time), text(newer, .time))
    let (first, last) = (text(older, .day), text(newer, .day))
    guard first == last else { return "\(first) \(from) – \(last) \(to)" }
    return text(newer, .clock) == to ? "\(from) – \(to)" : "\(first) \(from) – \(to)"
  }
}

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
