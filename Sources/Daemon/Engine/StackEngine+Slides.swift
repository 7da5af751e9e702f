internal import OrderedCollections
internal import Posts
internal import ViewState

/// Where a view's stack lies is the view's own: nothing is stored, and other views stay as they are (rule 14).
extension StackEngine {
  /// Slides the stack of a view and answers where it is then.
  mutating func slide(_ id: ViewID, _ command: SlideCommand, _ token: RequestToken) {
    do throws(EngineError) {
      guard let view = views.slot(of: id), let session = sessions[views[view].session] else {
        throw EngineError(.notFound, "there is no view \(id.rawValue); it may have ended")
      }
      guard session.isLoaded else {
        throw EngineError(.failedPrecondition, "the view shows nothing yet; wait for its first frame")
      }
      let scene = scenes[views[view].scene]
      let geometry = geometry(of: session.key, scene.identity.layout)
      let end = try geometry.end(of: command, session.stack, from: scene.viewpoint.position)
      if end != scene.viewpoint.position {
        change(view) { scene in
          scene.viewpoint.position = end
          return scene.identity
        }
        noteUse(view)
        markOwnCommand(view)
      }
      effects.append(.answerSlide(token, position: end, moved: end != scene.viewpoint.position))
    } catch {
      effects.append(.refuse(token, error))
    }
  }
}

extension PaneGeometry {
  /// Where a slide of a stack ends that is at `position`.
  fileprivate func end(of command: SlideCommand, _ stack: PaneStack, from position: Int) throws(EngineError) -> Int {
    switch command {
    case .slide(let direction): return slide(direction, from: position) ?? position
    case .drag(let pane, let x, let direction):
      let dragged = pane == 0 ? position / 2 : try stack.index(of: pane)
      return dragEnd(pane: dragged, x: x, direction: direction, from: position)
    case .reveal(let pane): return reveal(try stack.index(of: pane), from: position) ?? position
    case .position(let wanted):
      guard positions.contains(wanted) else {
        let valid = positions.map { "\($0)" }.joined(separator: ", ")
        throw EngineError(.failedPrecondition, "the stack does not rest at \(wanted) in this view, but at \(valid)")
      }
      return wanted
    }
  }
}
