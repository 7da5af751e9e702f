internal import Dates
internal import Posts
internal import ViewState

extension PaneRenderer {
  /// Returns the overlay of a pane: scroll thumb, clock and floating day (docs/BEHAVIOUR.md, rules 28-33). Row `anchor`
  /// of the window is the first that is visible. O(rows of the window).
  func clock(
    over pane: Pane, from anchor: Int, _ list: PostList, _ heights: RowHeights?, _ scene: inout Scene
  ) -> PaneClock {
    var clock = PaneClock()
    let layout = scene.identity.layout
    let place = scene.viewpoint.places[pane.header.paneID] ?? Viewpoint.Place()
    if layout.clockSize > 0 {
      let above = pane.status.heightAbove + pane.rows[..<anchor].reduce(0) { $0 + $1.height }
      let position = ScrollPosition(
        viewport: layout.height, content: pane.status.totalHeight, offset: above + place.line)
      if let thumb = position.thumb { (clock.thumbTop, clock.thumbLength) = (thumb.top, thumb.length) }
      show(&clock, at: position, of: pane.header.paneID, list, heights, in: &scene)
    }
    if layout.hasDayLines, anchor < pane.rows.count {
      var (first, line) = pane.rowShown(at: place.line, of: anchor)
      while first + 1 < pane.rows.count, line >= pane.rows[first].height {
        line -= pane.rows[first].height
        first += 1
      }
      let createdAt = Instant(milliseconds: pane.rows[first].content.fields.createdAtMilliseconds)
      clock.float(scene.text(for: createdAt, .day, time), over: pane.rows[first...], from: line)
    }
    return clock
  }

  /// Shows the clock of a pane that moved within the last second.
  private func show(
    _ clock: inout PaneClock, at position: ScrollPosition, of pane: UInt64, _ list: PostList, _ heights: RowHeights?,
    in scene: inout Scene
  ) {
    guard let until = scene.viewpoint.moving[pane], until > now,
      let place = position.clock(size: scene.identity.layout.clockSize),
      let rank = heights?.rank(atLine: place.line, newestFirst: list.isNewestFirst)
    else {
      scene.viewpoint.moving[pane] = nil
      scene.viewpoint.faces[pane] = nil
      return
    }
    var list = list
    let instant = list.key(atRank: rank).createdAt
    let hands = ClockHands(at: instant, in: scene.zone)
    var face = Viewpoint.Face(instant: instant, turn: .none)
    if let last = scene.viewpoint.faces[pane] {
      face.turn = ClockHands.turn(from: last.instant, to: instant, in: scene.zone) ?? last.turn
    }
    scene.viewpoint.faces[pane] = face
    scene.rendering.expectChange(at: until)
    clock.isVisible = true
    clock.top = place.top
    (clock.hourHand, clock.minuteHand, clock.turn) = (hands.hour, hands.minute, face.turn)
    clock.label = scene.text(for: instant, .clock, time)
  }
}

extension PaneClock {
  /// Floats a day over rows of which the first is visible from `line` on: at the top, unless the next day line pushes
  /// it away.
  fileprivate mutating func float(_ day: String, over rows: ArraySlice<PlacedRow>, from line: Int) {
    self.day = day
    var top = -line
    for row in rows {
      if top > 0, let next = row.day {
        dayTop = min(0, top - next.height)
        return
      }
      top += row.height
    }
  }
}
