import Messages
import Testing
import ViewState

@testable import FullScreen

@Suite("Marking posts as read or unread")
struct AppReadMarkTests {
  /// Returns a timeline of 40 posts, 1040 at the top, read up to `row`, with some posts marked.
  private static func view(upTo row: UInt64 = 1040, _ marks: [UInt64: RowReadMark] = [:]) -> ViewSnapshot {
    var posts = ScreenUser.posts(40)
    for index in posts.indices {
      guard let mark = marks[posts[index].id] else { continue }
      posts[index].edit = { $0.readMark = mark }
    }
    var view = SampleView(columns: 120, lines: 30)
    view.push(.timeline, "Timeline", posts)
    (view.snapshot.panes[0].status.readingRow, view.snapshot.panes[0].status.newRows) = (row, Int(1040 - row))
    return view.snapshot
  }

  private static func before(upTo row: UInt64 = 1040, _ marks: [UInt64: RowReadMark] = [:]) -> ScreenUser {
    var user = ScreenUser.reading()
    user.show(view(upTo: row, marks))
    user.effects = []
    return user
  }

  private func asked(_ user: inout ScreenUser) -> [(number: UInt64, request: MarkReadRequest)] {
    user.calls(Method.markRead, as: MarkReadRequest.self).map { ($0.0, $0.1) }
  }

  @Test("N reverses the state of the post, or the state last asked for if that is not shown yet")
  func toggling() {
    var user = Self.before(upTo: 1040, [1039: .unread])
    user.type("jN")
    user.type("N")
    let calls = asked(&user)
    #expect(calls.map(\.request.readMark) == [.read, .unread] && calls.allSatisfy { $0.request.posts == ["1039"] })
    for call in calls {
      let answer = MarkReadResponse(changed: 1, revision: user.shown.revision + 1)
      user.happens(.answered(call.number, .success(answer.encoded())))
    }
    #expect(user.app.state.status.message == "Post marked as unread · u takes it back.")
    user.type("N")
    #expect(asked(&user).last?.request.readMark == .read, "it is answered, but not shown yet")
    user.show(Self.view())
    user.show(Self.view())
    user.effects = []
    user.type("jN")
    let last = asked(&user).map(\.request)
    #expect(last.map(\.posts) == [["1038"]] && last.map(\.readMark) == [.unread])
  }

  @Test("a failed mark is not set, and the reason is shown") func failing() {
    var user = Self.before()
    user.type("jN")
    user.happens(.answered(asked(&user)[0].number, .failure(CallEnd(code: 8, message: "the disk is full"))))
    #expect(user.app.state.status.message == "The disk is full.")
    user.type("N")
    #expect(asked(&user).last?.request.readMark == .unread, "it was not set")
  }

  @Test("A marks exactly the visible unread posts, in one request") func visible() throws {
    var user = Self.before(upTo: 1037, [1039: .read, 1036: .unread, 1010: .unread])
    user.type("A")
    let call = try #require(asked(&user).first)
    #expect(call.request.posts == ["1040", "1038", "1036"] && call.request.readMark == .read, "1010 is further down")
    user.happens(.answered(call.number, .success(MarkReadResponse(changed: 3, revision: 99).encoded())))
    #expect(user.app.state.status.message == "3 posts marked as read · u takes it back.")
    user.type("A")
    #expect(asked(&user).isEmpty && user.app.state.status.message == "No unread posts on screen.")
  }

  @Test("n and p find posts marked as unread, and skip posts marked as read") func stepping() {
    var user = Self.before(upTo: 1037, [1039: .read, 1030: .unread])
    user.type("G")
    for row in [1030, 1038, 1040] as [UInt64] {
      user.type("n")
      #expect(user.focus.rowID == row)
    }
    for row in [1038, 1030] as [UInt64] {
      user.type("p")
      #expect(user.focus.rowID == row)
    }
    user.type("p")
    #expect(user.focus.rowID == 1030 && user.app.state.status.message == "This is the first unread post.")
  }

  @Test("n goes to the oldest unread post of another pane, skipping panes whose new posts are all marked as read")
  func panes() {
    var view = SampleView(columns: 160, lines: 30)
    for (number, name) in ["Timeline", "Another", "A third"].enumerated() {
      var posts = ScreenUser.posts(4)
      if number == 1 { posts[0].edit = { $0.readMark = .read } }
      if number != 1 { posts[3].edit = { $0.readMark = .unread } }
      view.push(.timeline, name, posts)
    }
    (view.snapshot.panes[1].status.readingRow, view.snapshot.panes[1].status.newRows) = (1003, 1)
    var user = ScreenUser.reading(columns: 160)
    user.show(view.snapshot)
    user.effects = []
    #expect(user.focus.paneID == 3)
    user.type("gn")
    #expect(user.focus.paneID == 1 && user.focus.rowID == 1001)
    user.type("n")
    #expect(user.focus.paneID == 3 && user.focus.rowID == 1001)
    user.type("gAn")
    #expect(
      user.focus.paneID == 3 && user.app.state.status.message == "No newer unread posts.",
      "both panes show the same post")
  }

  @Test("a post marked as unread shows it") func painted() {
    var user = Self.before(upTo: 1040, [1039: .unread, 1038: .read])
    #expect(user.text().split(separator: "\n").count { $0.contains("● unread") } == 1)
  }
}
