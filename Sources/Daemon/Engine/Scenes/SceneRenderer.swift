internal import Dates
internal import Posts
internal import ViewState

/// Renders a scene: its visible panes, and where panes lie.
struct SceneRenderer {
  let epoch: UInt64
  let time: LabelTime
  let now: Instant
  let limits: EngineLimits

  /// Returns what a scene should show now, and the renderer of its root if that is visible.
  func snapshot(
    of scene: inout Scene, _ session: Session, _ lists: inout ListTable, _ heights: inout HeightsTable
  ) -> (state: ViewSnapshot, root: PaneRenderer?) {
    var state = ViewSnapshot()
    var root: PaneRenderer?
    state.epoch = epoch
    state.layoutKey = scene.layoutKey
    state.labelsAtMilliseconds = time.instant.milliseconds
    state.sessionRevision = session.revisions.changed
    state.position = UInt32(scene.viewpoint.position)
    let layout = scene.identity.layout
    let geometry = scene.geometry(of: session.stack)
    let lefts = geometry.lefts(at: scene.viewpoint.position)
    let visible = geometry.visible(at: scene.viewpoint.position)
    scene.rendering.labelsChangeAt = nil
    scene.rendering.heights = []
    scene.rendering.lists = []
    let preview = preview(of: &scene, session, lists)
    let shownPanes = visible.count { $0 } + (preview == nil ? 0 : 1)
    for (index, record) in session.stack.panes.enumerated() {
      let width = geometry.widths[index]
      state.paneFrames.append(layout.frame(of: record, x: lefts[index], width: width, isRoot: index == 0))
      var pane = Pane(header: lists.header(of: record, for: session.key.account))
      if visible[index] {
        scene.rendering.lists.append(record.list(of: session.key.account))
        let renderer = PaneRenderer(
          record: record, width: width, shownPanes: shownPanes, time: time, now: now, limits: limits)
        renderer.render(&pane, of: &scene, &lists, &heights)
        if index == 0 { root = renderer }
      }
      state.panes.append(pane)
    }
    if let preview {
      let (record, x, width) = preview
      let renderer = PaneRenderer(
        record: record, width: width, shownPanes: shownPanes, time: time, now: now, limits: limits)
      var pane = Pane(header: lists.header(of: record, for: session.key.account))
      renderer.render(&pane, of: &scene, &lists, &heights)
      state.panes.append(pane)
      state.paneFrames.append(layout.frame(of: record, x: x, width: width, isRoot: true))
    }
    // A pane that is empty or not visible has no rows to send.
    let isJumpSeen = state.panes.contains { $0.header.paneID == scene.viewpoint.jumpedPane && !$0.rows.isEmpty }
    if !isJumpSeen { scene.viewpoint.jumpedPane = nil }
    return (state, root)
  }

  /// Returns the preview of a scene: until a conversation is loaded the former one, so that nothing flickers. Nil if
  /// there is no room, or nothing to show.
  private func preview(
    of scene: inout Scene, _ session: Session, _ lists: ListTable
  ) -> (record: PaneRecord, x: Int, width: Int)? {
    guard let chosen = scene.preview(of: session.stack) else { return nil }
    let former = scene.viewpoint.formerPreview.map { PaneRecord(previewing: $0) }
    for record in [chosen.record, former].compactMap(\.self) where record.content != session.stack.top.content {
      let list = record.list(of: session.key.account)
      guard session.previews.contains(list) else { continue }
      scene.rendering.lists.append(list)
      guard lists.isPresentable(list) else { continue }
      // Without rows its post is gone, or the account may not see it.
      return lists[list]?.columns.count == 0 ? nil : (record, chosen.x, chosen.width)
    }
    return nil
  }
}
