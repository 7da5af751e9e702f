import Messages
import Terminal
import Testing
import ViewState

@testable import FullScreen

@Suite("Unread posts, gaps and pipes")
struct AppUnreadTests {
  /// Returns a user who has read up to a row of a timeline of 40 posts, with 1040 at the top.
  private static func read(upTo row: UInt64, gap: UInt64 = 0) -> ScreenUser {
    var user = ScreenUser.reading()
    user.show(view(upTo: row, gap: gap))
    user.effects = []
    return user
  }

  private static func view(upTo row: UInt64, gap: UInt64 = 0) -> ViewSnapshot {
    var posts = ScreenUser.posts(40)
    if let index = posts.firstIndex(where: { $0.id == gap }) {
      posts[index].edit = { ($0.kind, $0.postID) = (.gap, 0) }
    }
    var view = SampleView(columns: 120, lines: 30)
    view.push(.timeline, "Timeline", posts)
    // A gap is not a post, so it is not new either.
    let isGapNew = gap > row
    (view.snapshot.panes[0].status.readingRow, view.snapshot.panes[0].status.newRows) = (
      row, Int(1040 - row) - (isGapNew ? 1 : 0)
    )
    return view.snapshot
  }

  @Test("n goes from the first unread post to newer ones, and p goes back") func steps() {
    var user = Self.read(upTo: 1037)
    user.type("n")
    #expect(user.focus.rowID == 1038)
    user.type("n")
    #expect(user.focus.rowID == 1039)
    user.type("p")
    #expect(user.focus.rowID == 1038)
    user.type("p")
    #expect(user.focus.rowID == 1038 && user.app.state.status.message == "This is the first unread post.")
    user.type("nnn")
    #expect(user.focus.rowID == 1040 && user.app.state.status.message == "No newer unread posts.")
  }

  @Test("from further down n jumps to the reading position, and skips gaps") func jump() {
    var user = Self.read(upTo: 1030, gap: 1031)
    user.type("G")
    user.type("n")
    #expect(user.focus.rowID == 1032)
    var (last, at) = (user.focus.rowID, [user.focus.rowID])
    repeat {
      last = user.focus.rowID
      user.type("n")
      if user.focus.rowID != last { at.append(user.focus.rowID) }
    } while user.focus.rowID != last
    #expect(at == Array(1032...1040))
  }

  @Test("a gap among the newest posts does not make them read", arguments: [1039, 1038] as [UInt64])
  func gapAbove(gap: UInt64) {
    var user = Self.read(upTo: 1037, gap: gap)
    user.type("A")
    let asked = user.calls(Method.markRead, as: MarkReadRequest.self).map(\.1.posts)
    #expect(asked == [([1040, 1039, 1038] as [UInt64]).filter { $0 != gap }.map { "\($0)" }])
  }

  @Test("n asks the daemon for a reading position that is not held, and then continues") func beyond()
    throws
  {
    var user = ScreenUser.reading()
    var far = Self.view(upTo: 1037)
    far.panes[0].rows.removeFirst(20)
    far.panes[0].status.rowsAbove = 20
    user.show(far)
    _ = user.look()
    user.type("n")
    let viewport = try #require(
      user.said().compactMap { if case .viewport(let viewport) = $0 { viewport } else { nil } }.last)
    #expect(viewport.anchorRow == 1037)
    user.show(Self.view(upTo: 1037), viewports: viewport.generation)
    #expect(user.focus.rowID == 1038)
  }

  @Test("n continues upwards when the rows held begin with read posts") func edge() {
    var user = ScreenUser.reading()
    var far = Self.view(upTo: 1037)
    far.panes[0].rows.removeFirst(3)
    far.panes[0].status.rowsAbove = 3
    user.show(far)
    user.type("jj")
    _ = user.look()
    user.type("n")
    #expect(user.focus.rowID == 1037)
    user.show(Self.view(upTo: 1037))
    #expect(user.focus.rowID == 1038)
  }

  @Test("n reports that nothing is unread, and . goes to the newest post and reports the number of new ones")
  func refresh() {
    var user = ScreenUser.reading()
    user.type("n")
    #expect(user.app.state.status.message == "No newer unread posts.")
    user = Self.read(upTo: 1037)
    user.type("G.")
    #expect(user.anchor().rowID == 1040 && user.app.state.status.message == "3 new posts.")
    user.type("GR")
    #expect(user.anchor().rowID == 1040)
  }

  @Test("a gap is explained, and cannot be treated as a post") func gap() {
    var user = Self.read(upTo: 1040, gap: 1039)
    user.type("j")
    #expect(user.focus.rowID == 1039)
    for key in "fbsdta" {
      user.now += App.messageTime
      user.happens(.tick)
      #expect(user.app.state.status.message.isEmpty)
      user.type(String(key))
      #expect(user.app.state.status.message == "This is a gap, not a post.", "\(key)")
    }
    #expect(user.calls(Method.mark, as: MarkRequest.self).isEmpty)
    user.key(.enter)
    guard case .message(let message)? = user.app.state.overlay else {
      return #expect(Bool(false), "it is explained")
    }
    #expect(message.title == "Missing posts")
  }

  @Test("a row is piped to a command as JSON, without a shell") func pipe() throws {
    var user = ScreenUser.reading()
    user.type("j|")
    user.type("tee 'a file' \"b $c\" d;e")
    user.key(.enter)
    let piped = user.look().compactMap { effect in
      if case .pipe(let words, let bytes) = effect { (words, bytes) } else { nil }
    }
    let (words, bytes) = try #require(piped.first)
    #expect(words == ["tee", "a file", "b $c", "d;e"])
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("{\"id\":\"") && bytes.last == 0x0A)
  }
}
