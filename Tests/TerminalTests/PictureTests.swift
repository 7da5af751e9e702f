import Terminal
import Testing

@Suite("Pictures of a screen")
struct PictureTests {
  @Test("runs outside the picture are left out") func outside() {
    var picture = Picture(columns: 10, lines: 2)
    for (line, column) in [(-1, 0), (2, 0), (0, -1), (0, 10)] {
      picture.put(.init(column: column, width: 3, []), line: line)
    }
    #expect(picture.runs == [[], []])
    picture.put(.init(column: 8, width: 5, []), line: 1)
    #expect(picture.runs[1] == [.init(column: 8, width: 2, [])])
  }
}
