import Messages
import Testing
import ViewState

@testable import FullScreen

@Suite("Posts that are marked read or unread")
struct AppReadMarkTests {
  /// Somebody before a timeline of 40 posts, 1040 at the top, who has read up to `row`; some posts are marked.
  private static func view(upTo row: UInt64 = 1040, _ marks: [UInt64: RowReadMark] = [:]) -> ViewSnapshot {
    var posts = Somebody.posts(40)
    for index in posts.indices {
      guard let mark = marks[posts[index].id] else { continue }
      posts[index].edit = { $0.readMark = mark }
    }
    var view = SampleView(columns: 120, lines: 30)
    view.push(.timeline, "Timeline", posts)
    (view.snapshot.panes[0].status.readingRow, view.snapshot.panes[0].status.newRows) = (row, Int(1040 - row))
    return view.snapshot
  }

  private static func before(upTo row: UInt64 = 1040, _ marks: [UInt64: RowReadMark] = [:]) -> Somebody {
    var somebody = Somebody.reading()
    somebody.show(view(upTo: row, marks))
    somebody.effects = []
    return somebody
  }

  private func asked(_ somebody: inout Somebody) -> [(number: UInt64, request: MarkReadRequest)] {
    somebody.calls(Method.markRead, as: MarkReadRequest.self).map { ($0.0, $0.1) }
  }

  @Test("N says the opposite of how the post is, and of what was last wanted where that does not show yet")
  func toggling() {
    var somebody = Self.before(upTo: 1040, [1039: .unread])
    somebody.type("jjN")
    somebody.type("N")
    let calls = asked(&somebody)
    #expect(calls.map(\.request.readMark) == [.read, .unread] && calls.allSatisfy { $0.request.posts == ["1039"] })
    for call in calls {
      let answer = MarkReadResponse(changed: 1, revision: somebody.shown.revision + 1)
      somebody.happens(.answered(call.number, .success(answer.encoded())))
    }
    #expect(somebody.app.state.status.message == "The post is marked as unread. Undo takes that back.")
    somebody.type("N")
    #expect(asked(&somebody).last?.request.readMark == .read, "it is answered, and not shown yet")
    somebody.show(Self.view())
    somebody.show(Self.view())
    somebody.effects = []
    somebody.type("jN")
    let last = asked(&somebody).map(\.request)
    #expect(last.map(\.posts) == [["1038"]] && last.map(\.readMark) == [.unread])
  }

  @Test("what failed is not so, and says why") func failing() {
    var somebody = Self.before()
    somebody.type("jN")
    somebody.happens(.answered(asked(&somebody)[0].number, .failure(CallEnd(code: 8, message: "the disk is full"))))
    #expect(somebody.app.state.status.message == "The disk is full.")
    somebody.type("N")
    #expect(asked(&somebody).last?.request.readMark == .unread, "it was not so")
  }

  @Test("A marks what is seen and unread, in one step, and nothing else") func visible() throws {
    var somebody = Self.before(upTo: 1037, [1039: .read, 1036: .unread, 1010: .unread])
    somebody.type("A")
    let call = try #require(asked(&somebody).first)
    #expect(call.request.posts == ["1040", "1038", "1036"] && call.request.readMark == .read, "1010 is further down")
    somebody.happens(.answered(call.number, .success(MarkReadResponse(changed: 3, revision: 99).encoded())))
    #expect(somebody.app.state.status.message == "3 posts are marked as read. Undo takes that back.")
    somebody.type("A")
    #expect(asked(&somebody).isEmpty && somebody.app.state.status.message == "Nothing that is seen here is unread.")
  }

  @Test("n and p find what is marked unread, and pass over what is marked read") func stepping() {
    var somebody = Self.before(upTo: 1037, [1039: .read, 1030: .unread])
    somebody.type("G")
    for row in [1030, 1038, 1040] as [UInt64] {
      somebody.type("n")
      #expect(somebody.focus.rowID == row)
    }
    for row in [1038, 1030] as [UInt64] {
      somebody.type("p")
      #expect(somebody.focus.rowID == row)
    }
    somebody.type("p")
    #expect(somebody.focus.rowID == 1030 && somebody.app.state.status.message == "This is the first unread post.")
  }

  @Test("n goes to the oldest unread post of another pane, past panes whose new posts are all marked read") func panes()
  {
    var view = SampleView(columns: 160, lines: 30)
    for (number, name) in ["Timeline", "Another", "A third"].enumerated() {
      var posts = Somebody.posts(4)
      if number == 1 { posts[0].edit = { $0.readMark = .read } }
      if number != 1 { posts[3].edit = { $0.readMark = .unread } }
      view.push(.timeline, name, posts)
    }
    (view.snapshot.panes[1].status.readingRow, view.snapshot.panes[1].status.newRows) = (1003, 1)
    var somebody = Somebody.reading(columns: 160)
    somebody.show(view.snapshot)
    somebody.effects = []
    #expect(somebody.focus.paneID == 3)
    somebody.type("gn")
    #expect(somebody.focus.paneID == 1 && somebody.focus.rowID == 1001)
    somebody.type("n")
    #expect(somebody.focus.paneID == 3 && somebody.focus.rowID == 1001)
    somebody.type("gAn")
    #expect(
      somebody.focus.paneID == 3 && somebody.app.state.status.message == "Nothing newer is unread.",
      "it is the same post in both")
  }

  @Test("a post that is marked unread says so") func painted() {
    var somebody = Self.before(upTo: 1040, [1039: .unread, 1038: .read])
    #expect(somebody.text().split(separator: "\n").count { $0.contains("● unread") } == 1)
  }
}
