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
    for (index, record) in session.stack.panes.enumerated() {
      let width = geometry.widths[index]
      state.paneFrames.append(layout.frame(of: record, x: lefts[index], width: width, isRoot: index == 0))
      var pane = Pane(header: lists.header(of: record, for: session.key.account))
      if visible[index] {
        scene.rendering.lists.append(record.list(of: session.key.account))
        let renderer = PaneRenderer(
          record: record, width: width, shownPanes: visible.count { $0 }, time: time, now: now, limits: limits)
        renderer.render(&pane, of: &scene, &lists, &heights)
        if index == 0 { root = renderer }
      }
      state.panes.append(pane)
    }
    // A pane that is empty or not visible has no rows to send.
    let isJumpSeen = state.panes.contains { $0.header.paneID == scene.viewpoint.jumpedPane && !$0.rows.isEmpty }
    if !isJumpSeen { scene.viewpoint.jumpedPane = nil }
    return (state, root)
  }
}
