import FullScreen
import Messages
import Testing
import ViewState

@Suite("Folded texts and the key that shows them")
struct AppFoldTests {
  /// Returns a timeline whose second row is folded, unfolded or neither, and may have a content warning.
  private func view(folded: Int = 0, isUnfolded: Bool = false, warning: String = "") -> ViewSnapshot {
    var view = ScreenUser.view(40).snapshot
    var row = view.panes[0].rows[1]
    var fields = row.content.fields
    fields.isUnfolded = isUnfolded
    fields.contentWarning = Array(warning.utf8)
    var layout = row.layout
    layout.foldedLines = folded
    row.row = LaidOutRow(content: RowContent(fields), layout: layout)
    view.panes[0].rows[1] = row
    return view
  }

  private func folds(_ user: inout ScreenUser) -> [FoldRequest] {
    user.calls(Method.fold, as: FoldRequest.self).map(\.1)
  }

  @Test("Z unfolds a row in the session, and folds it again") func unfolding() throws {
    var user = ScreenUser.reading()
    user.show(view(folded: 9))
    user.type("jZ")
    let unfold = try #require(folds(&user).first)
    #expect(unfold.paneID == 1 && unfold.rowID == 1039 && !unfold.isFolded)
    user.show(view(isUnfolded: true))
    user.type("Z")
    #expect(folds(&user).map(\.isFolded) == [true])
  }

  @Test("one Z shows a long text behind a warning, the next hides both") func warning() {
    var user = ScreenUser.reading()
    user.show(view(folded: 9, warning: "long"))
    user.type("jZ")
    #expect(folds(&user).map(\.isFolded) == [false] && user.app.state.revealed == [1039])
    user.show(view(isUnfolded: true, warning: "long"))
    user.type("Z")
    #expect(folds(&user).map(\.isFolded) == [true] && user.app.state.revealed == [])
  }

  @Test("Z on a short text says that nothing is hidden") func nothing() {
    var user = ScreenUser.reading()
    user.type("jZ")
    #expect(folds(&user) == [] && user.app.state.status.message == "Nothing is hidden in this post.")
  }
}
