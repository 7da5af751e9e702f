import TestSupport
import Testing
import ViewState

@Suite("A client's mirror after any frame equals the daemon's state")
struct DiffLawTests {
  @Test("base plus the operations from base to target is target", arguments: seeds(0..<200 as Range<UInt64>))
  func law(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var held = RandomView.make(using: &random)
    for step in 0..<20 {
      let target = RandomView.change(held, using: &random)
      let frame = Frame(
        number: UInt64(step), baseRevision: held.revision, to: target, reset: nil,
        operations: target.operations(from: held))
      var mirror = held
      try mirror.apply(frame)
      #expect(mirror == target, "seed \(seed), step \(step)")
      held = target
    }
  }

  @Test("one frame can span several states", arguments: seeds(0..<100 as Range<UInt64>))
  func skipping(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let held = RandomView.make(using: &random)
    var target = held
    for _ in 0..<10 { target = RandomView.change(target, using: &random) }
    var mirror = held
    try mirror.apply(
      Frame(
        number: 1, baseRevision: held.revision, to: target, reset: nil, operations: target.operations(from: held)))
    #expect(mirror == target, "seed \(seed)")
  }

  @Test("a reset does not depend on the held state")
  func reset() throws {
    var random = SeededGenerator(seed: 7)
    let target = RandomView.make(using: &random)
    var mirror = RandomView.make(using: &random)
    try mirror.apply(
      Frame(
        number: 1, baseRevision: 0, to: target, reset: .first, operations: target.operations(from: ViewSnapshot())))
    #expect(mirror == target)
  }

  @Test("an unchanged view has no operations") func idle() {
    var random = SeededGenerator(seed: 3)
    let view = RandomView.make(using: &random)
    #expect(view.operations(from: view) == [])
  }
}

@Suite("A delta contains only the changes")
struct DiffTests {
  private static func view(_ rows: [PlacedRow]) -> ViewSnapshot {
    var view = ViewSnapshot()
    var pane = Pane(header: PaneHeader(paneID: 1, kind: .timeline, subject: 0, title: []))
    pane.rows = rows
    view.panes = [pane]
    return view
  }

  private static func rows(_ ids: [UInt64], label: String = "1m") -> [PlacedRow] {
    ids.map { RandomView.row($0, text: "post \($0)", height: 3, caps: [], label: label) }
  }

  @Test("a row inserted above is one insertion") func insertion() {
    let old = Self.rows([3, 2, 1])
    let new = Self.rows([4]) + old
    #expect(
      Self.view(new).operations(from: Self.view(old)) == [.rowsInserted(pane: 1, after: 0, rows: [new[0]])])
  }

  @Test("two runs of insertions are two operations, each after its row") func runs() {
    let old = Self.rows([30, 20, 10])
    let new = Self.rows([30, 25, 24, 20, 10, 5])
    #expect(
      Self.view(new).operations(from: Self.view(old)) == [
        .rowsInserted(pane: 1, after: 30, rows: Array(new[1...2])), .rowsInserted(pane: 1, after: 10, rows: [new[5]]),
      ])
  }

  @Test("a moved row is removed and inserted; the others stay") func move() {
    let old = Self.rows([3, 2, 1])
    let new = Self.rows([1, 3, 2])
    #expect(
      Self.view(new).operations(from: Self.view(old)) == [
        .rowsRemoved(pane: 1, rows: [1]), .rowsInserted(pane: 1, after: 0, rows: [new[0]]),
      ])
  }

  @Test("equal labels are sent once") func labels() {
    let old = Self.rows([3, 2, 1])
    let new = Self.rows([3, 2, 1], label: "2m")
    #expect(
      Self.view(new).operations(from: Self.view(old)) == [
        .timesRefreshed(pane: 1, labels: ["2m"], rows: [3, 2, 1], indexes: [0, 0, 0])
      ])
  }

  @Test("a new width sends heights, not texts") func heights() {
    let old = Self.rows([2, 1])
    var new = old
    for index in new.indices { new[index].layout = RowLayout(height: 9, lineEnds: [2, 6]) }
    #expect(
      Self.view(new).operations(from: Self.view(old)) == [
        .heightsChanged(pane: 1, rows: new.map { RowRelayout(rowID: $0.rowID, layout: $0.layout) })
      ])
  }
}

@Suite("A frame that does not fit is refused completely")
struct MismatchTests {
  @Test(
    "operations that do not fit",
    arguments: [
      Operation.panePopped(9), .rowsRemoved(pane: 1, rows: [99]), .rowsInserted(pane: 1, after: 99, rows: []),
      .rowsChanged(pane: 1, changes: [RowChange(rowID: 99, caps: .top, row: nil)]),
      .timesRefreshed(pane: 1, labels: [], rows: [1], indexes: [0]),
      .timesRefreshed(pane: 1, labels: ["a"], rows: [1], indexes: []),
      .heightsChanged(pane: 2, rows: []),
    ])
  func mismatch(operation: Operation) {
    var view = ViewSnapshot()
    var pane = Pane(header: PaneHeader(paneID: 1, kind: .timeline, subject: 0, title: []))
    pane.rows = [RandomView.row(1, text: "a", height: 1, caps: [], label: "now")]
    view.panes = [pane]
    let before = view
    let frame = Frame(
      number: 2, baseRevision: 0, to: view, reset: nil,
      operations: [.stackMoved(position: 4, frames: []), operation])
    #expect(throws: FrameMismatch.self) { try view.apply(frame) }
    #expect(view == before)
  }

  @Test("a different epoch or base") func header() {
    var view = ViewSnapshot()
    view.revision = 5
    var target = view
    target.epoch = 1
    #expect(throws: FrameMismatch.self) {
      try view.apply(Frame(number: 1, baseRevision: 5, to: target, reset: nil, operations: []))
    }
    target.epoch = 0
    #expect(throws: FrameMismatch.self) {
      try view.apply(Frame(number: 1, baseRevision: 4, to: target, reset: nil, operations: []))
    }
  }
}
