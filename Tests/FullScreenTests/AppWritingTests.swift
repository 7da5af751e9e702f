import FullScreen
import Messages
import Terminal
import TestSupport
import Testing
import ViewState

@Suite("Writing, asking and pointing on the full screen")
struct AppWritingTests {
  private func editor(_ somebody: Somebody) throws -> ComposeEditor {
    guard case .compose(let editor)? = somebody.app.state.overlay else { throw Missing() }
    return editor
  }

  @Test("a post is sent once under one name until it is known what became of it") func posting() throws {
    var somebody = Somebody.reading()
    somebody.type("chello")
    #expect(try editor(somebody).text == "hello")
    somebody.key(.character("s"), .control)
    let first = try #require(somebody.calls(Method.compose, as: ComposeRequest.self).first)
    #expect(first.1.text == "hello" && first.1.inReplyTo.isEmpty)
    somebody.key(.character("s"), .control)
    #expect(somebody.calls(Method.compose, as: ComposeRequest.self).isEmpty, "it is under way")
    somebody.refuse(first.number, code: 14, "the connection is over")
    #expect(try editor(somebody).failure == "The connection is over." && editor(somebody).text == "hello")
    somebody.key(.character("s"), .control)
    let second = try #require(somebody.calls(Method.compose, as: ComposeRequest.self).first)
    #expect(second.1.requestID == first.1.requestID, "nobody knows whether the first was done")
    somebody.refuse(second.number, code: 3, "too long")
    somebody.type("!")
    somebody.key(.character("s"), .control)
    let third = try #require(somebody.calls(Method.compose, as: ComposeRequest.self).first)
    somebody.answer(third.number, ComposeResponse(postID: 3, revision: 4))
    #expect(somebody.app.state.overlay == nil)
    #expect(somebody.app.state.status.message == "Posted.")
  }

  @Test("an answer names whom it answers, and what") func answering() throws {
    var somebody = Somebody.reading()
    somebody.type("jjr")
    #expect(try editor(somebody).text == "@ann ")
    #expect(try editor(somebody).parent?.rowID == 1039)
    somebody.type("yes")
    somebody.key(.character("s"), .control)
    #expect(somebody.calls(Method.compose, as: ComposeRequest.self).first?.1.inReplyTo == "1039")
  }

  @Test("a text that is left comes back") func leaving() throws {
    var somebody = Somebody.reading()
    somebody.type("chalf a thought")
    somebody.key(.escape)
    #expect(somebody.app.state.overlay == nil)
    somebody.type("c")
    #expect(try editor(somebody).text == "half a thought")
    somebody.key(.character("c"), .control)
    somebody.type("jrno, yes")
    somebody.key(.escape)
    somebody.type("jr")
    #expect(try editor(somebody).text == "@ann ", "another post is answered otherwise")
    somebody.key(.escape)
    somebody.type("kr")
    #expect(try editor(somebody).text == "@ann no, yes")
  }

  @Test("an editor's text comes back into the editor here, and is not sent") func elsewhere() throws {
    var somebody = Somebody.reading()
    somebody.type("C")
    #expect(somebody.lookBesideCalls() == [.edit("")])
    somebody.happens(.edited(.success("from vi\n\n")))
    #expect(try editor(somebody).text == "from vi")
    #expect(somebody.calls(Method.measure, as: MeasureRequest.self).map(\.1.text) == ["from vi"])
    somebody.happens(.edited(.failure(CallEnd(code: 2, message: "vi ended with status 1"))))
    #expect(try editor(somebody).text == "from vi" && editor(somebody).failure == "Vi ended with status 1.")
    #expect(somebody.calls(Method.compose, as: ComposeRequest.self).isEmpty)
  }

  @Test("what is pasted is text where text is asked for, and nothing elsewhere") func pasting() throws {
    var somebody = Somebody.reading()
    somebody.happens(.input(.paste(Array("Qqd\u{1B}[A".utf8))))
    #expect(somebody.look() == [] && somebody.app.state.overlay == nil)
    somebody.type("c")
    somebody.happens(.input(.paste(Array("one\rtwo\r\nthree".utf8))))
    #expect(try editor(somebody).text == "one\ntwo\nthree")
  }

  @Test("what is left is told as the daemon counts it, one text at a time, and nothing below 0 is sent") func counting()
    throws
  {
    var somebody = Somebody.reading()
    somebody.type("ca")
    let first = try #require(somebody.calls(Method.measure, as: MeasureRequest.self).first)
    #expect(first.1.text == "a")
    somebody.type("bc")
    #expect(somebody.calls(Method.measure, as: MeasureRequest.self).isEmpty, "one is under way")
    var answer = MeasureResponse()
    (answer.weightedLength, answer.remaining) = (1, 1)
    somebody.answer(first.number, answer)
    #expect(somebody.text().contains("3 characters") && somebody.text().contains("1 left"))
    let last = try #require(somebody.calls(Method.measure, as: MeasureRequest.self).first)
    #expect(last.1.text == "abc")
    (answer.weightedLength, answer.remaining) = (3, -1)
    somebody.answer(last.number, answer)
    #expect(somebody.text().contains("1 too many"))
    somebody.key(.character("s"), .control)
    #expect(try somebody.calls(Method.compose, as: ComposeRequest.self).isEmpty && !editor(somebody).isSending)
    somebody.key(.backspace)
    let shorter = try #require(somebody.calls(Method.measure, as: MeasureRequest.self).first)
    somebody.refuse(shorter.number, code: 14)
    #expect(somebody.calls(Method.measure, as: MeasureRequest.self).isEmpty, "it is not asked for again and again")
    somebody.key(.character("s"), .control)
    #expect(somebody.calls(Method.compose, as: ComposeRequest.self).first?.1.text == "ab", "the daemon will say")
  }

  @Test("an edit begins with what the post says, is left without a trace, kept, and sent") func editing() throws {
    var somebody = Somebody.reading()
    somebody.type("je")
    #expect(
      somebody.app.state.overlay == nil
        && somebody.app.state.status.message == "Only what you wrote here can be edited.")
    var view = somebody.shown
    view.navigation.account = view.panes[0].rows[0].content.fields.author
    somebody.show(view)
    somebody.type("e")
    #expect(try editor(somebody).text == "post 40" && editor(somebody).isEdit && editor(somebody).parent == nil)
    #expect(somebody.text().contains("Another text"))
    somebody.key(.character("s"), .control)
    #expect(somebody.app.state.overlay == nil && somebody.app.state.status.message == "Nothing was changed.")
    somebody.type("e!")
    somebody.key(.escape)
    somebody.type("c")
    #expect(try editor(somebody).text == "")
    somebody.key(.escape)
    somebody.type("e")
    #expect(try editor(somebody).text == "post 40!")
    somebody.key(.character("s"), .control)
    let edit = try #require(somebody.calls(Method.edit, as: EditRequest.self).first)
    #expect(edit.1.post == "1040" && edit.1.text == "post 40!" && !edit.1.requestID.isEmpty)
    somebody.answer(edit.number, RevisionResponse(revision: 4))
    #expect(somebody.app.state.overlay == nil && somebody.app.state.status.message == "Edited.")
  }

  @Test("deleting asks first, and only for one's own") func deleting() throws {
    var somebody = Somebody.reading()
    somebody.type("jd")
    #expect(somebody.app.state.overlay == nil && somebody.app.state.status.weight == .warning, "Ann's is not ours")
    var view = somebody.shown
    view.navigation.account = view.panes[0].rows[0].content.fields.author
    somebody.show(view)
    somebody.type("d")
    guard case .confirm? = somebody.app.state.overlay else { throw Missing() }
    #expect(somebody.calls(Method.delete, as: DeleteRequest.self).isEmpty)
    somebody.type("y")
    #expect(somebody.calls(Method.delete, as: DeleteRequest.self).first?.1.post == "1040")
  }

  @Test(
    "the command line does what its verbs say",
    arguments: [
      ("search otter", Method.push), ("author bertil", Method.push), ("conversation 42", Method.push),
      ("list harbour", Method.push),
      ("direct 4", Method.push), ("follow bertil", Method.follow), ("unfollow bertil", Method.unfollow),
      ("list-make port", Method.createList),
      ("list-rename port harbour", Method.renameList), ("list-add port bertil", Method.addToList),
      ("list-remove port bertil", Method.removeFromList), ("session-rename a b", Method.renameSession),
      ("width 40", Method.resizePane),
      ("mentions", Method.open),
    ]) func palette(line: String, method: String)
  {
    var somebody = Somebody.reading()
    somebody.type(":" + line)
    somebody.key(.enter)
    #expect(somebody.look().contains { if case .call(_, method, _) = $0 { true } else { false } })
    #expect(somebody.app.state.overlay == nil)
  }

  @Test("other verbs of the command line") func otherVerbs() throws {
    var somebody = Somebody.reading()
    somebody.type(":import /tmp/a file.jsonl")
    somebody.key(.enter)
    #expect(somebody.look() == [.importFile("/tmp/a file.jsonl")])
    somebody.type(":session work")
    somebody.key(.enter)
    #expect(somebody.look().contains { if case .attach(let hello) = $0 { hello.session == "work" } else { false } })
    somebody.show(Somebody.view(2).snapshot, isFirst: true)
    somebody.type(":nonsense")
    somebody.key(.enter)
    guard case .palette(let palette)? = somebody.app.state.overlay else { throw Missing() }
    #expect(palette.failure.contains("nonsense"))
    somebody.key(.escape)
    somebody.type(":theme light")
    somebody.key(.enter)
    #expect(somebody.app.state.overlay == nil)
    somebody.type(":date 2024-03-03")
    somebody.key(.enter)
    let viewport = somebody.said().compactMap { if case .viewport(let viewport) = $0 { viewport } else { nil } }.last
    #expect(viewport?.atMilliseconds == 1_709_510_399_999, "the end of that day, because the newest is first")
  }

  @Test("links are chosen by number, and lead where they say") func links() throws {
    var view = SampleView(columns: 120, lines: 30)
    view.push(
      .timeline, "Timeline",
      [
        SampleView.Post(
          id: 1, name: "Ann", handle: "ann", text: "https://a.example https://b.example @bo #sea",
          edit: { fields in
            for name in ["a", "b"] {
              SampleView.span(.link, "https://\(name).example", in: &fields, target: "https://\(name).example")
            }
            SampleView.span(.hashtag, "#sea", in: &fields)
            fields.permalink = Array("https://here.example/1".utf8)
          })
      ])
    var somebody = Somebody()
    somebody.happens(.connected)
    somebody.show(view.snapshot, isFirst: true)
    _ = somebody.look()
    somebody.type("o2")
    #expect(somebody.look() == [.browse(Array("https://b.example".utf8))])
    somebody.type("v")
    #expect(somebody.look() == [.browse(Array("https://here.example/1".utf8))])
    somebody.type("y")
    #expect(somebody.look() == [.copy(Array("https://here.example/1".utf8))])
    somebody.type("Y")
    #expect(somebody.look() == [.copy(Array("https://a.example https://b.example @bo #sea".utf8))])
    somebody.type("#")
    #expect(somebody.calls(Method.push, as: PushRequest.self).first?.1.subject == .search("#sea"))
  }

  @Test("Ctrl-C once tells, twice leaves") func interrupting() {
    var somebody = Somebody.reading()
    somebody.key(.character("c"), .control)
    #expect(somebody.look() == [] && somebody.app.state.status.message == "Once more leaves.")
    somebody.type("j")
    somebody.key(.character("c"), .control)
    #expect(!somebody.look().contains { if case .quit = $0 { true } else { false } }, "something else came between")
    somebody.key(.character("c"), .control)
    #expect(somebody.look().last == .quit(failure: nil))
  }

  @Test("redraw, suspend and the mouse") func program() {
    var somebody = Somebody.reading()
    somebody.key(.character("l"), .control)
    somebody.key(.character("z"), .control)
    somebody.type("M")
    #expect(somebody.look() == [.repaint, .suspend, .setMouse(true)])
    #expect(somebody.app.hasMouse)
  }

  @Test("clicks select and open, the wheel scrolls, and a drag slides") func mouse() throws {
    var somebody = Somebody.reading(40, columns: 120)
    func mouse(_ action: Mouse.Action, _ line: Int, _ column: Int) -> AppEvent {
      .input(.mouse(Mouse(action, line: line, column: column)))
    }
    somebody.happens(mouse(.press, 6, 40))
    #expect(somebody.focus.rowID == 1039)
    somebody.happens(mouse(.release, 6, 40))
    #expect(somebody.calls(Method.push, as: PushRequest.self).isEmpty)
    somebody.happens(mouse(.press, 6, 40))
    #expect(somebody.calls(Method.push, as: PushRequest.self).first?.1.subject == .conversation("1039"))
    somebody.happens(mouse(.wheelDown, 6, 40))
    #expect(somebody.anchor() == RowAnchor(rowID: 1040, line: 3))
    _ = somebody.look()
    // Account on two lines below the titles, then a line above each section.
    somebody.happens(mouse(.press, 6, 3))
    #expect(somebody.calls(Method.open, as: OpenRequest.self).first?.1.section == .mentions)
    somebody.happens(mouse(.press, 6, 40))
    somebody.happens(mouse(.drag, 6, 30))
    somebody.happens(mouse(.release, 6, 20))
    let drag = try #require(somebody.calls(Method.moveStack, as: MoveStackRequest.self).first)
    #expect(drag.1.move == .drag(MoveStackRequest.DragEnd(paneID: 1, x: 2, direction: .left)))
  }

  @Test(
    "whatever is done, there is a picture of the right size, and nothing breaks", arguments: 0..<10 as Range<UInt64>)
  func law(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var somebody = Somebody.reading(20) { $0.animates = true }
    let codes: [Key.Code] = [
      .enter, .escape, .tab, .backspace, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .delete,
    ]
    var size = (columns: 120, lines: 30)
    for _ in 0..<200 {
      somebody.now += Int64.random(in: 0...400, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0: somebody.key(codes.randomElement(using: &random)!)
      case 1: somebody.happens(.input(.paste(Array("some\r漁師".utf8))))
      case 2:
        size = (Int.random(in: 1...200, using: &random), Int.random(in: 1...60, using: &random))
        somebody.happens(.resized(columns: size.columns, lines: size.lines))
      case 3:
        var view = Somebody.view(
          Int.random(in: 0...30, using: &random), columns: max(24, size.columns), lines: max(6, size.lines))
        if Bool.random(using: &random) { view.push(.conversation, "Conversation", SampleView.thread) }
        view.snapshot.layoutGeneration = somebody.shown.layoutGeneration + UInt32.random(in: 0...1, using: &random)
        somebody.show(view.snapshot, viewports: somebody.shown.viewportGeneration + 1)
      case 4: somebody.happens(.tick)
      case 5:
        somebody.happens(.disconnected("gone"))
        somebody.happens(.connected)
        somebody.show(somebody.shown, isFirst: true)
      case 6:
        let action: Mouse.Action = [.press, .release, .drag, .wheelUp, .wheelDown].randomElement(using: &random)!
        let place = (Int.random(in: 0..<60, using: &random), Int.random(in: 0..<200, using: &random))
        somebody.happens(.input(.mouse(Mouse(action, line: place.0, column: place.1))))
      case 7:
        for case .call(let number, _, _) in somebody.look() {
          if Bool.random(using: &random) {
            somebody.answer(number, PaneResponse(paneID: 1, revision: 3))
          } else {
            somebody.refuse(number, code: Int.random(in: 1...16, using: &random))
          }
        }
      default: somebody.key(.character(Character(Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &random)))))
      }
      if let next = somebody.app.nextTick, next <= somebody.now { somebody.happens(.tick) }
      guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
      let picture = somebody.app.picture(at: somebody.now)
      #expect(picture.columns == size.columns && picture.lines == size.lines)
    }
  }
}
