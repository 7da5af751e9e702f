import Testing

@testable import FullScreen

@Suite("Dialogs")
struct DialogTests {
  @Test("a question is answered once, and only yes has an effect") func questions() {
    var dialog = Dialog()
    dialog.ask(.delete(4), Confirmation(question: "Delete?", verb: "delete"))
    #expect(dialog.context == .confirm)
    let no = dialog.answered(false)
    let none = dialog.answered(true)
    #expect(no == nil && none == nil && dialog.isClosed)
    dialog.ask(.delete(4), Confirmation(question: "Delete?", verb: "delete"))
    let yes = dialog.answered(true)
    #expect(yes == .delete(4) && dialog.context == .panes)
  }

  @Test("a prompt returns its line without leading and trailing blanks") func lines() {
    var dialog = Dialog()
    dialog.ask(for: .tag, "otter")
    dialog.insert("s ", isPaste: false)
    guard case .prompt(let prompt) = dialog.overlay else {
      Issue.record("no prompt is open")
      return
    }
    let entered = dialog.entered(prompt)
    #expect(entered?.line == .tag && entered?.words == "otters" && dialog.isClosed)
  }

  @Test("a refused line opens its box again with the reason, unless another box is open") func refusedLines() {
    var dialog = Dialog()
    dialog.ask(for: .search, "lang:de")
    guard case .prompt(let prompt) = dialog.overlay else {
      Issue.record("no prompt is open")
      return
    }
    _ = dialog.entered(prompt)
    dialog.wait(for: .call(7))
    let other = dialog.refused(by: .call(8), "no")
    let own = dialog.refused(by: .call(7), "unknown key")
    #expect(!other && own)
    guard case .prompt(let again) = dialog.overlay else {
      Issue.record("the prompt has not opened again")
      return
    }
    #expect(again.failure == "unknown key" && again.field.text == "lang:de")
    _ = dialog.entered(again)
    dialog.wait(for: .call(9))
    dialog.showPalette(.standard)
    let late = dialog.refused(by: .call(9), "no")
    #expect(!late && dialog.palette?.failure == "")
  }

  @Test("a menu returns the item chosen, and another number closes it") func menus() {
    var dialog = Dialog()
    dialog.choose("People", [(Menu.Item("@ann"), .author("@ann")), (Menu.Item("@bob"), .author("@bob"))])
    let second = dialog.chosen(1)
    #expect(second == .author("@bob") && dialog.isClosed)
    dialog.choose("People", [(Menu.Item("@ann"), .author("@ann"))])
    let none = dialog.chosen(5)
    #expect(none == nil && dialog.isClosed)
  }

  @Test("a valid command closes the palette and is remembered, and an invalid one stays with the reason") func palette()
  {
    var dialog = Dialog()
    dialog.showPalette(.standard)
    dialog.insert("serach x", isPaste: false)
    let wrong = enter(&dialog)
    #expect(wrong == nil)
    guard case .palette(let palette) = dialog.overlay else {
      Issue.record("the palette has closed")
      return
    }
    #expect(!palette.failure.isEmpty)
    dialog.showPalette(.standard)
    dialog.insert("search x", isPaste: false)
    let command = enter(&dialog)
    #expect(command == .verb(.search, arguments: ["x"]) && dialog.isClosed)
    dialog.showPalette(.standard)
    guard case .palette(let next) = dialog.overlay else { return }
    #expect(next.history.lines == ["serach x", "search x"], "a wrong line can be put right later")
  }

  private func enter(_ dialog: inout Dialog) -> PaletteCommand? {
    guard case .palette(let palette) = dialog.overlay else { return nil }
    return dialog.entered(palette)
  }

  @Test("a line is split at blanks, except between quotes") func words() {
    #expect(LineWords.split("jq '.a b' \"c d\" e") == ["jq", ".a b", "c d", "e"])
    #expect(LineWords.split("say 'open") == ["say", "open"])
    #expect(LineWords.pasted(Array("a\r\nb\rc".utf8)) == "a\nb\nc")
    #expect(LineWords.sentence("no") == "No." && LineWords.topic("sea") == "#sea")
  }
}
