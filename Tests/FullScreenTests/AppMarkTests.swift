import Messages
import Testing
import ViewState

@testable import FullScreen

@Suite("Favourites, reposts and saved posts")
struct AppMarkTests {
  private func asked(_ user: inout ScreenUser) -> [(number: UInt64, request: MarkRequest)] {
    user.calls(Method.mark, as: MarkRequest.self).map { ($0.0, $0.1) }
  }

  private func answer(_ user: inout ScreenUser, _ number: UInt64, revision: UInt64) {
    let answer = MarkResponse(hasChanged: true, repostID: 0, revision: revision)
    user.happens(.answered(number, .success(answer.encoded())))
  }

  @Test("each key toggles the state last asked for, shown or not") func toggling() {
    var user = ScreenUser.reading()
    user.type("jfff")
    let calls = asked(&user)
    #expect(
      calls.map(\.request.isUnmark) == [false, true, false] && calls.allSatisfy { $0.request.kind == .favourite })
    // Answered, but not shown yet: the state asked for still counts.
    for call in calls { answer(&user, call.number, revision: user.shown.revision + 1) }
    user.type("f")
    #expect(asked(&user).last?.request.isUnmark == true)
  }

  @Test("a shown mark comes from the row, and a failed one is not set") func failing() {
    var user = ScreenUser.reading()
    user.type("js")
    let first = asked(&user)
    #expect(first.map(\.request.kind) == [.save])
    user.happens(.answered(first[0].number, .failure(CallEnd(code: 8, message: "the disk is full"))))
    #expect(user.app.state.status.message == "The disk is full.")
    user.type("s")
    #expect(asked(&user).map(\.request.isUnmark) == [false], "it was not set")
    user.type("b")
    let repost = asked(&user)
    #expect(repost.map(\.request.kind) == [.repost])
    answer(&user, repost[0].number, revision: user.shown.revision)
    user.type("b")
    #expect(
      asked(&user).map(\.request.isUnmark) == [false], "the row of that revision is not marked")
  }
}
