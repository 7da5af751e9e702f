import Terminal
import Testing

@Suite("Notifications of the terminal")
struct NotificationTests {
  @Test("the sequences, and how tmux passes them on") func sequences() {
    let text = Array("1 new mention".utf8)
    #expect(Notification.osc9(text) == Array("\u{1B}]9;1 new mention\u{1B}\\".utf8))
    #expect(Notification.osc777(title: "Stack", text) == Array("\u{1B}]777;notify;Stack;1 new mention\u{1B}\\".utf8))
    #expect(Notification.osc99(text) == Array("\u{1B}]99;;1 new mention\u{1B}\\".utf8))
    #expect(
      Notification.throughTmux(Notification.osc9(text))
        == Array("\u{1B}Ptmux;\u{1B}\u{1B}]9;1 new mention\u{1B}\u{1B}\\\u{1B}\\".utf8))
  }
}
