import Testing

@testable import TextLayout

@Suite("The side table of tall rows")
struct TallRowsTests {
  @Test("rows are stored in order, regardless of insertion order")
  func order() {
    var rows = TallRows()
    for row in [5, 1, 9, 3] { rows.add(row, excess: row * 10, inSlot: 2) }
    #expect(rows.rows(inSlot: 2).map(\.row) == [1, 3, 5, 9])
    #expect(rows.excess(inSlot: 2, at: 9) == 90 && rows.excess(inSlot: 2, at: 2) == 0)
    #expect(rows.excess(inSlot: 2, before: 5) == 40 && rows.excess(inSlot: 1, before: 5) == 0)
  }

  @Test("a shift moves the rows from a given one on")
  func shift() {
    var rows = TallRows()
    for row in [1, 3, 5] { rows.add(row, excess: 1, inSlot: 0) }
    rows.shift(inSlot: 0, from: 3, by: 1)
    #expect(rows.rows(inSlot: 0).map(\.row) == [1, 4, 6])
    rows.shift(inSlot: 7, from: 0, by: 1)
    #expect(rows.rows(inSlot: 7).isEmpty)
  }

  @Test("a removed row is returned and takes no memory")
  func removal() {
    var rows = TallRows()
    rows.add(4, excess: -7, inSlot: 1)
    let missing = rows.remove(3, inSlot: 1)
    let removed = rows.remove(4, inSlot: 1)
    #expect(missing == nil && removed == -7 && rows.byteCount == 0)
    rows.add(4, excess: 1, inSlot: 1)
    rows.removeAll(inSlot: 1)
    #expect(rows.byteCount == 0)
  }
}
