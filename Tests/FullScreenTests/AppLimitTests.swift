import Messages
import Terminal
import Testing
import ViewState

@testable import FullScreen

@Suite("Limiting a pane")
struct AppLimitTests {
  /// The timeline, limited.
  private func limited(_ words: String) -> Somebody {
    var somebody = Somebody.reading()
    var view = somebody.shown
    view.panes[0].header.filter = Array(words.utf8)
    somebody.show(view)
    _ = somebody.look()
    return somebody
  }

  @Test("& asks with the words that there are, \\ clears them") func keys() {
    var somebody = limited("has:media")
    var text = somebody.text()
    #expect(text.contains("& has:media"), "title and status say it")
    somebody.type("& -is:repost")
    text = somebody.text()
    #expect(text.contains("has:media -is:repost"))
    somebody.key(.enter)
    let first = somebody.calls(Method.setFilter, as: SetFilterRequest.self)
    #expect(first.map(\.1.filter) == ["has:media -is:repost"] && first.map(\.1.paneID) == [1])
    somebody.type("\\")
    #expect(somebody.calls(Method.setFilter, as: SetFilterRequest.self).map(\.1.filter) == [""])
    // A prompt that is left empty clears too; where there is nothing to clear nothing is asked.
    var other = Somebody.reading()
    other.type("\\&")
    other.key(.enter)
    #expect(other.calls(Method.setFilter, as: SetFilterRequest.self).isEmpty)
  }
}
