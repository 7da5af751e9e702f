import FullScreen
import Testing
import ViewState

@Suite("Animations")
struct AnimationTests {
  private func view(_ places: [(UInt64, Int)], clock: PaneClock? = nil) -> ViewSnapshot {
    var view = ViewSnapshot()
    view.paneFrames = places.map { PaneFrame(paneID: $0.0, x: $0.1, width: 58) }
    view.panes = places.map { Pane(header: PaneHeader(paneID: $0.0, kind: .timeline, subject: 0, title: [])) }
    if let clock { view.panes[0].clock = clock }
    return view
  }

  @Test("panes slide from their old place to the new one, and a new pane from the right edge") func slides() throws {
    let (old, new) = (view([(1, 22)]), view([(1, 4), (2, 22)]))
    let animation = try #require(Animation(from: old, to: new, columns: 80, at: 1_000))
    #expect(animation.x(of: new.paneFrames[0], at: 1_000) == 22)
    #expect(animation.x(of: new.paneFrames[1], at: 1_000) == 80)
    var last = 81
    for now in stride(from: 1_000 as Int64, through: 1_000 + Animation.duration, by: 16) {
      let x = animation.x(of: new.paneFrames[1], at: now)
      #expect(x <= last && x >= 22)
      last = x
    }
    #expect(animation.x(of: new.paneFrames[1], at: 1_000 + Animation.duration) == 22)
    #expect(!animation.isOver(at: 1_000 + Animation.duration - 1))
    #expect(animation.isOver(at: 1_000 + Animation.duration))
    #expect(Animation.duration <= 200)
  }

  @Test("nothing slides without a move, in the first frame, or when the width of the screen changes")
  func none() {
    let old = view([(1, 22)])
    #expect(Animation(from: old, to: old, columns: 80, at: 0) == nil)
    #expect(Animation(from: ViewSnapshot(), to: old, columns: 80, at: 0) == nil)
    var wide = view([(1, 4)])
    wide.paneFrames[0].width = 40
    #expect(Animation(from: old, to: wide, columns: 60, at: 0) == nil)
  }

  @Test("a reversed slide continues from its current place") func continued() throws {
    let (left, right) = (view([(1, 4)]), view([(1, 22)]))
    let first = try #require(Animation(from: right, to: left, columns: 80, at: 0))
    let there = first.x(of: left.paneFrames[0], at: 50)
    let second = try #require(Animation(from: left, to: right, columns: 80, at: 50, continuing: first))
    #expect(second.x(of: right.paneFrames[0], at: 50) == there)
    // A frame in between without a move changes nothing.
    let third = try #require(Animation(from: right, to: right, columns: 80, at: 80, continuing: second))
    #expect(third.x(of: right.paneFrames[0], at: 100) == second.x(of: right.paneFrames[0], at: 100))
  }

  @Test("hands turn in the daemon's direction, also through twelve") func hands() throws {
    var from = PaneClock()
    (from.isVisible, from.hourHand, from.minuteHand) = (true, 715, 354)
    var to = from
    (to.hourHand, to.minuteHand, to.turn) = (5, 30, .clockwise)
    let animation = try #require(
      Animation(from: view([(1, 0)], clock: from), to: view([(1, 0)], clock: to), columns: 80, at: 0))
    #expect(animation.hands(of: 1, to, at: 0) == (715, 354))
    let end = animation.hands(of: 1, to, at: Animation.duration)
    #expect(end == (5, 30))
    let halfway = animation.hands(of: 1, to, at: 60)
    #expect(halfway.hour >= 715 || halfway.hour <= 5)
    to.turn = .anticlockwise
    let back = try #require(
      Animation(from: view([(1, 0)], clock: from), to: view([(1, 0)], clock: to), columns: 80, at: 0))
    #expect(10...710 ~= back.hands(of: 1, to, at: 40).hour, "the long way round")
  }
}

@Suite("Lines and anchors of a pane")
struct PaneScrollTests {
  private func pane(_ heights: [Int]) -> Pane {
    var pane = Pane(header: PaneHeader(paneID: 1, kind: .timeline, subject: 0, title: []))
    pane.rows = heights.enumerated().map { number, height in
      PlacedRow(
        content: RowContent(RowContent.Fields(rowID: UInt64(number + 1), author: SampleView.author("A", "a", id: 1))),
        layout: RowLayout(height: height, lineEnds: [0]), caps: [], label: "")
    }
    return pane
  }

  @Test("lines and anchors convert into each other") func anchors() {
    let scroll = PaneScroll(pane([3, 1, 5]))
    #expect(scroll.height == 9)
    for line in 0..<9 { #expect(scroll.line(of: scroll.anchor(at: line)) == line) }
    #expect(scroll.anchor(at: 4) == LineAnchor(rowID: 3, line: 0))
    #expect(scroll.anchor(at: 99) == LineAnchor(rowID: 3, line: 4))
    #expect(scroll.anchor(at: -3) == LineAnchor(rowID: 1, line: 0))
    #expect(scroll.line(of: LineAnchor(rowID: 8, line: 2)) == 0)
    #expect(PaneScroll(pane([])).anchor(at: 3) == LineAnchor())
  }

  @Test("revealing a row moves as little as possible") func reveal() {
    let scroll = PaneScroll(pane([4, 4, 4, 20]))
    #expect(scroll.line(revealing: 1, from: 2, viewHeight: 6) == 0)
    #expect(scroll.line(revealing: 3, from: 2, viewHeight: 6) == 6)
    #expect(scroll.line(revealing: 2, from: 3, viewHeight: 6) == 3)
    #expect(scroll.line(revealing: 4, from: 0, viewHeight: 6) == 12, "a row that is too high is shown from the top")
    #expect(scroll.line(revealing: 9, from: 5, viewHeight: 6) == 5)
    #expect(scroll.last(viewHeight: 10) == 22)
  }

  @Test("the client's own anchor comes before the daemon's") func whose() {
    var pane = pane([4, 4])
    pane.status.anchorRow = 2
    pane.status.anchorLine = 3
    #expect(PaneScroll.anchor(of: pane, known: nil) == LineAnchor(rowID: 2, line: 3))
    #expect(PaneScroll.anchor(of: pane, known: LineAnchor(rowID: 1, line: 1)) == LineAnchor(rowID: 1, line: 1))
    #expect(PaneScroll.anchor(of: pane, known: LineAnchor(rowID: 7, line: 1)) == LineAnchor(rowID: 2, line: 3))
  }
}
