import Messages
import Terminal
import Testing
import ViewState

@testable import FullScreen

@Suite("What waits to be read, gaps, and what is given to commands")
struct AppUnreadTests {
  /// Somebody who has read up to a row of a timeline of 40, which has 1040 at the top.
  private static func read(upTo row: UInt64, gap: UInt64 = 0) -> Somebody {
    var somebody = Somebody.reading()
    somebody.show(view(upTo: row, gap: gap))
    somebody.effects = []
    return somebody
  }

  private static func view(upTo row: UInt64, gap: UInt64 = 0) -> ViewSnapshot {
    var posts = Somebody.posts(40)
    if let index = posts.firstIndex(where: { $0.id == gap }) {
      posts[index].edit = { ($0.kind, $0.postID) = (.gap, 0) }
    }
    var view = SampleView(columns: 120, lines: 30)
    view.push(.timeline, "Timeline", posts)
    // A gap is no post, and no new one.
    let isGapNew = gap > row
    (view.snapshot.panes[0].status.readingRow, view.snapshot.panes[0].status.newRows) = (
      row, Int(1040 - row) - (isGapNew ? 1 : 0)
    )
    return view.snapshot
  }

  @Test("n goes from the first unread post to newer ones, and p back") func steps() {
    var somebody = Self.read(upTo: 1037)
    somebody.type("n")
    #expect(somebody.focus.rowID == 1038)
    somebody.type("n")
    #expect(somebody.focus.rowID == 1039)
    somebody.type("p")
    #expect(somebody.focus.rowID == 1038)
    somebody.type("p")
    #expect(somebody.focus.rowID == 1038 && somebody.app.state.status.message == "This is the first unread post.")
    somebody.type("nnn")
    #expect(somebody.focus.rowID == 1040 && somebody.app.state.status.message == "Nothing newer is unread.")
  }

  @Test("from further down n leads to where reading stopped, and a gap is passed over") func jump() {
    var somebody = Self.read(upTo: 1030, gap: 1031)
    somebody.type("G")
    somebody.type("n")
    #expect(somebody.focus.rowID == 1032)
    var (last, at) = (somebody.focus.rowID, [somebody.focus.rowID])
    repeat {
      last = somebody.focus.rowID
      somebody.type("n")
      if somebody.focus.rowID != last { at.append(somebody.focus.rowID) }
    } while somebody.focus.rowID != last
    #expect(at == Array(1032...1040))
  }

  @Test("a gap among the newest posts makes none of them a read one", arguments: [1039, 1038] as [UInt64])
  func gapAbove(gap: UInt64) {
    var somebody = Self.read(upTo: 1037, gap: gap)
    somebody.type("A")
    let asked = somebody.calls(Method.markRead, as: MarkReadRequest.self).map(\.1.posts)
    #expect(asked == [([1040, 1039, 1038] as [UInt64]).filter { $0 != gap }.map { "\($0)" }])
  }

  @Test("where reading stopped beyond the rows held, the daemon is asked for that, and then it goes on") func beyond()
    throws
  {
    var somebody = Somebody.reading()
    var far = Self.view(upTo: 1037)
    far.panes[0].rows.removeFirst(20)
    far.panes[0].status.rowsAbove = 20
    somebody.show(far)
    _ = somebody.look()
    somebody.type("n")
    let viewport = try #require(
      somebody.said().compactMap { if case .viewport(let viewport) = $0 { viewport } else { nil } }.last)
    #expect(viewport.anchorRow == 1037)
    somebody.show(Self.view(upTo: 1037), viewports: viewport.generation)
    #expect(somebody.focus.rowID == 1038)
  }

  @Test("where what is held begins with what was read, the way to what is not goes on from there") func edge() {
    var somebody = Somebody.reading()
    var far = Self.view(upTo: 1037)
    far.panes[0].rows.removeFirst(3)
    far.panes[0].status.rowsAbove = 3
    somebody.show(far)
    somebody.type("jj")
    _ = somebody.look()
    somebody.type("n")
    #expect(somebody.focus.rowID == 1037)
    somebody.show(Self.view(upTo: 1037))
    #expect(somebody.focus.rowID == 1038)
  }

  @Test("nothing unread is told; . goes to what is newest, and says how much that was") func refresh() {
    var somebody = Somebody.reading()
    somebody.type("n")
    #expect(somebody.app.state.status.message == "Nothing newer is unread.")
    somebody = Self.read(upTo: 1037)
    somebody.type("G.")
    #expect(somebody.anchor().rowID == 1040 && somebody.app.state.status.message == "3 new posts.")
    somebody.type("GR")
    #expect(somebody.anchor().rowID == 1040)
  }

  @Test("a gap says what it is, and nothing is done to it as to a post") func gap() {
    var somebody = Self.read(upTo: 1040, gap: 1039)
    somebody.type("jj")
    #expect(somebody.focus.rowID == 1039)
    for key in "fbsdta" {
      somebody.now += App.messageTime
      somebody.happens(.tick)
      #expect(somebody.app.state.status.message.isEmpty)
      somebody.type(String(key))
      #expect(somebody.app.state.status.message == "This is a gap, and no post.", "\(key)")
    }
    #expect(somebody.calls(Method.mark, as: MarkRequest.self).isEmpty)
    somebody.key(.enter)
    guard case .message(let message)? = somebody.app.state.overlay else {
      return #expect(Bool(false), "it is explained")
    }
    #expect(message.title == "A gap")
  }

  @Test("a row goes to a command as JSON, by words that no shell reads") func pipe() throws {
    var somebody = Somebody.reading()
    somebody.type("j|")
    somebody.type("tee 'a file' \"b $c\" d;e")
    somebody.key(.enter)
    let piped = somebody.look().compactMap { effect in
      if case .pipe(let words, let bytes) = effect { (words, bytes) } else { nil }
    }
    let (words, bytes) = try #require(piped.first)
    #expect(words == ["tee", "a file", "b $c", "d;e"])
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("{\"id\":\"") && bytes.last == 0x0A)
  }
}
