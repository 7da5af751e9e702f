import Messages
import Terminal
import Testing
import ViewState

@testable import FullScreen

@Suite("Filtering a pane")
struct AppLimitTests {
  /// Returns a user with a filtered timeline.
  private func filtered(_ words: String) -> ScreenUser {
    var user = ScreenUser.reading()
    var view = user.shown
    view.panes[0].header.filter = Array(words.utf8)
    user.show(view)
    _ = user.look()
    return user
  }

  @Test("& asks with the current filter, and \\ clears it") func keys() {
    var user = filtered("has:media")
    var text = user.text()
    #expect(text.contains("& has:media"), "shown in the title and the status line")
    user.type("& -is:repost")
    text = user.text()
    #expect(text.contains("has:media -is:repost"))
    user.key(.enter)
    let first = user.calls(Method.setFilter, as: SetFilterRequest.self)
    #expect(first.map(\.1.filter) == ["has:media -is:repost"] && first.map(\.1.paneID) == [1])
    user.type("\\")
    #expect(user.calls(Method.setFilter, as: SetFilterRequest.self).map(\.1.filter) == [""])
    // An empty prompt clears the filter too. Without a filter nothing is sent.
    var other = ScreenUser.reading()
    other.type("\\&")
    other.key(.enter)
    #expect(other.calls(Method.setFilter, as: SetFilterRequest.self).isEmpty)
  }
}
