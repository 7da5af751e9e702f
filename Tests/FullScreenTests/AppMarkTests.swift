import Messages
import Testing
import ViewState

@testable import FullScreen

@Suite("Favourites, reposts and what is saved: fast keys end in what was wanted last")
struct AppMarkTests {
  private func asked(_ somebody: inout Somebody) -> [(number: UInt64, request: MarkRequest)] {
    somebody.calls(Method.mark, as: MarkRequest.self).map { ($0.0, $0.1) }
  }

  private func answer(_ somebody: inout Somebody, _ number: UInt64, revision: UInt64) {
    let answer = MarkResponse(hasChanged: true, repostID: 0, revision: revision)
    somebody.happens(.answered(number, .success(answer.encoded())))
  }

  @Test("each key turns what was last wanted, whether or not that shows yet") func toggling() {
    var somebody = Somebody.reading()
    somebody.type("jfff")
    let calls = asked(&somebody)
    #expect(
      calls.map(\.request.isUnmark) == [false, true, false] && calls.allSatisfy { $0.request.kind == .favourite })
    // Answered, but not shown yet: it is still what was wanted.
    for call in calls { answer(&somebody, call.number, revision: somebody.shown.revision + 1) }
    somebody.type("f")
    #expect(asked(&somebody).last?.request.isUnmark == true)
  }

  @Test("once it shows, the row tells; and what failed is not so") func failing() {
    var somebody = Somebody.reading()
    somebody.type("js")
    let first = asked(&somebody)
    #expect(first.map(\.request.kind) == [.save])
    somebody.happens(.answered(first[0].number, .failure(CallEnd(code: 8, message: "the disk is full"))))
    #expect(somebody.app.state.status.message == "The disk is full.")
    somebody.type("s")
    #expect(asked(&somebody).map(\.request.isUnmark) == [false], "it was not so")
    somebody.type("b")
    let repost = asked(&somebody)
    #expect(repost.map(\.request.kind) == [.repost])
    answer(&somebody, repost[0].number, revision: somebody.shown.revision)
    somebody.type("b")
    #expect(
      asked(&somebody).map(\.request.isUnmark) == [false], "the row, which is of that revision, says that it is not")
  }
}
