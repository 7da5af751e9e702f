import ClientTransport
import Messages
import RPC
import Testing
import UV
import ViewState

@Suite("Undo and redo change every view")
struct UndoTests {
  @Test("posts, favourites and deletions are undone and redone, with a description and the steps left") func steps()
    throws
  {
    try withBench { bench in
      let bench = try TokenBench(bench)
      for name in ["ann", "bea"] { try bench.make(name) }
      let ann = try bench.client([.view, .post], account: "ann")
      let bea = try bench.client([.view, .post], account: "bea")
      func undo(redo: Bool = false) throws -> UndoResponse {
        try ann.call(Method.undo, UndoRequest(isRedo: redo), UndoResponse.self)
      }
      let views = [try ann.attach(), try bea.attach(), try ann.attach()]
      let post = try ann.post("a quiet morning").postID
      _ = try ann.call(Method.mark, MarkRequest(.favourite, post: "\(post)"), MarkResponse.self)
      _ = try bea.call(Method.mark, MarkRequest(.repost, post: "\(post)"), MarkResponse.self)
      for view in views { try view.wait(for: "the post and its repost") { $0.topRows.count == 2 } }
      _ = try ann.call(Method.delete, DeleteRequest(post: "\(post)"), RevisionResponse.self)
      for view in views { try view.wait(for: "nothing") { $0.topRows.isEmpty } }
      let answer = try undo()
      #expect(
        answer.description == "deleting post \(post)" && answer.postID == post && answer.undoable == 2
          && answer.redoable == 1)
      for view in views {
        try view.wait(for: "both again") { mirror in
          mirror.topRows.count == 2 && mirror.topRows[1] == post
            && mirror.panes.last!.rows.allSatisfy {
              $0.content.fields.favourites == 1 && $0.content.fields.reposts == 1
            }
        }
      }
      #expect(try undo().description == "favouriting post \(post)")
      for view in views {
        try view.wait(for: "no favourite") { $0.panes.last!.rows.allSatisfy { $0.content.fields.favourites == 0 } }
      }
      #expect(try undo().description == "writing post \(post)")
      for view in views { try view.wait(for: "nothing") { $0.topRows.isEmpty } }
      #expect(try ann.refusal(of: Method.undo, UndoRequest()).message == "there is nothing to undo")
      #expect(try undo(redo: true).redoable == 2)
      for view in views { try view.wait(for: "both again") { $0.topRows.count == 2 } }
      _ = try bea.call(Method.unfollow, AuthorRequest(author: "@ann"), RevisionResponse.self)
      try views[1].wait(for: "its own alone") { $0.topRows.count == 1 }
      _ = try bea.call(Method.undo, UndoRequest(), UndoResponse.self)
      try views[1].wait(for: "both") { $0.topRows.count == 2 }
    }
  }
}
