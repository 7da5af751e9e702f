import Messages
import Testing
import ViewState

@testable import FullScreen

@Suite("Composer")
struct ComposerTests {
  private var composer = Composer()
  private var dialog = Dialog()
  private var connection: Connection

  init() {
    connection = Connection(session: "", requestPrefix: "id")
    connection.open(columns: 80, lines: 24)
    _ = connection.welcomed(as: 5, at: 0)
  }

  private mutating func begin(_ subject: Draft.Subject = .post, _ text: String = "") {
    composer.begin(subject, from: text, width: 60, &dialog, &connection) { ComposeEditor(text: $0) }
  }

  /// Returns the methods of the calls since the last look.
  private mutating func methods() -> [String] {
    connection.takeEffects().compactMap { if case .call(_, let method, _) = $0 { method } else { nil } }
  }

  @Test("drafts are saved one at a time") mutating func keeping() {
    begin()
    dialog.insert("a", isPaste: false)
    composer.save(dialog.editor, at: 0, &connection)
    dialog.insert("b", isPaste: false)
    composer.save(dialog.editor, at: 0, &connection)
    #expect(methods() == [Method.listDrafts, Method.listPeople, Method.saveDraft])
    let notice = composer.saved("id-2", .success(DraftReference(7).encoded()), &connection)
    let due = composer.saveDue(dialog.editor, at: 0, connection)
    #expect(notice == nil && due == 250)
    composer.save(dialog.editor, at: 250, &connection)
    #expect(methods() == [Method.saveDraft])
  }

  @Test("an unfinished text returns when its subject is opened again") mutating func leaving() {
    begin(.answer(to: 4), "@ann ")
    dialog.insert("yes", isPaste: false)
    let notice = composer.leave(&dialog, at: 0, &connection)
    #expect(notice != nil && dialog.isClosed)
    begin(.answer(to: 5), "@bob ")
    #expect(dialog.editor?.text == "@bob ")
    let nothing = composer.leave(&dialog, at: 0, &connection)
    #expect(nothing == nil, "nothing was typed")
    begin(.answer(to: 4), "@ann ")
    #expect(dialog.editor?.text == "@ann yes")
  }

  @Test("a text is retried with the same request id after an unknown outcome") mutating func sending() {
    begin(.post, "hello")
    _ = composer.send(&dialog, at: 0, &connection)
    #expect(dialog.editor?.isSending == true)
    let unknown = composer.sent(
      connection.lastCall, .failure(CallEnd(code: CallEnd.unavailable, message: "gone")), &dialog, &connection)
    #expect(unknown == nil && dialog.editor?.failure == "Gone.")
    _ = composer.send(&dialog, at: 0, &connection)
    let names = connection.takeEffects().compactMap { effect -> String? in
      guard case .call(_, Method.compose, let bytes) = effect else { return nil }
      return try? ComposeRequest(decoding: bytes).requestID
    }
    #expect(names == ["id-1", "id-1"])
    let notice = composer.sent(connection.lastCall, .success([]), &dialog, &connection)
    #expect(notice == StatusNotice("Posted.") && dialog.isClosed)
  }

  @Test("texts are counted one at a time, and the last one in the end") mutating func counting() {
    begin(.post, "hello")
    _ = methods()
    composer.count(dialog.editor, &connection)
    dialog.insert("!", isPaste: false)
    composer.count(dialog.editor, &connection)
    #expect(methods() == [Method.measure])
    composer.counted(.failure(CallEnd(code: CallEnd.unavailable, message: "")), &dialog)
    composer.count(dialog.editor, &connection)
    #expect(methods() == [Method.measure], "of another text")
  }
}
