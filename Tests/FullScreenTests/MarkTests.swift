import Testing
import ViewState

@testable import FullScreen

@Suite("Wanted marks")
struct MarkTests {
  private let marked = Marked(post: 4, kind: .unread)

  @Test("the mark last asked for counts until a frame shows it") func wanted() {
    var marks = WantedMarks()
    marks.want(marked, true)
    marks.want(marked, false)
    marks.answered(marked, shownAt: 5)
    #expect(marks.isOn(marked, shown: 9) == false, "one call is unanswered")
    marks.answered(marked, shownAt: 6)
    #expect(marks.isOn(marked, shown: 5) == false && marks.isOn(marked, shown: 6) == nil)
    marks.forgetShown(at: 6)
    #expect(marks.isOn(marked, shown: 5) == nil)
  }

  @Test("a failed mark is not set, whatever was asked for") func failed() {
    var marks = WantedMarks()
    marks.want(marked, true)
    marks.answered(marked, shownAt: nil)
    #expect(marks.isOn(marked, shown: 0) == nil)
  }

  @Test("the search for unread posts goes up, then to other panes, then to the reading position") func unread() {
    var panes = [ScreenUser.view(10).snapshot.panes[0], ScreenUser.view(10).snapshot.panes[0]]
    panes[1].header.paneID = 2
    panes[0].status.readingRow = 1005
    panes[0].status.newRows = 5
    func way(_ step: Int, from row: UInt64) -> UnreadSearch.Way {
      UnreadSearch(panes: panes, marks: WantedMarks(), shown: 1).way(step, from: row, in: panes[0])
    }
    #expect(way(-1, from: 1005) == .row(1006, pane: 1))
    #expect(way(1, from: 1008) == .row(1007, pane: 1))
    #expect(way(1, from: 1006) == .nowhere("This is the first unread post."))
    #expect(way(-1, from: 1010) == .nowhere("No newer unread posts."))
    panes[1].status.newRows = 3
    panes[1].status.readingRow = 900
    panes[1].status.rowsAbove = 5
    #expect(way(-1, from: 1010) == .jump(pane: 2, readingRow: 900))
    panes[0].status.readingRow = 900
    panes[0].status.rowsAbove = 7
    #expect(way(1, from: 1001) == .jump(pane: 1, readingRow: 900))
  }
}
