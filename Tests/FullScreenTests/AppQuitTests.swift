import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("Quitting")
struct AppQuitTests {
  /// Types bytes that arrive in one read.
  private func flood(_ user: inout ScreenUser, _ text: String) {
    var decoder = InputDecoder()
    for event in decoder.feed(text.utf8) { user.happens(.input(event)) }
  }

  /// Returns true if the user has quit since the last look.
  private func hasQuit(_ user: inout ScreenUser) -> Bool { user.look().contains(.quit(failure: nil)) }

  @Test(
    "Q ends whatever is open, at the end of any flood of keys",
    arguments: [
      "", "?", "?jk/", "?" + String(repeating: "jkG?\r?\u{1B}[B", count: 200), ":", "q", "jjjkk\rq\tG?", "jjkkG\t?",
    ])
  func floods(keys: String) {
    var user = ScreenUser.reading()
    flood(&user, keys)
    let hasQuitEarly = hasQuit(&user)
    var other = ScreenUser.reading()
    flood(&other, keys + "Q")
    let isOver = hasQuit(&other)
    #expect(!hasQuitEarly && isOver, "\(keys)")
  }

  @Test("Q ends a menu and a message") func overlays() throws {
    var user = ScreenUser.reading()
    user.type("S")
    let call = try #require(user.calls(Method.listSessions, as: PageRequest.self).first)
    var sessions = ListSessionsResponse()
    sessions.sessions = [SessionSummary(), SessionSummary()]
    user.answer(call.number, sessions)
    guard case .menu = user.app.state.overlay else { throw Missing() }
    user.type("jQ")
    let hasQuitMenu = hasQuit(&user)
    var other = ScreenUser.reading { $0.complaints = ["keys.toml:1: no"] }
    guard case .message = other.app.state.overlay else { throw Missing() }
    other.type("Q")
    let hasQuitMessage = hasQuit(&other)
    #expect(hasQuitMenu && hasQuitMessage)
  }

  @Test(
    "where a text has begun, and in prompts and the editor, Q is a letter", arguments: [":theme ", "/", "@", "c", "cx"])
  func letters(keys: String) {
    var user = ScreenUser.reading()
    user.type(keys)
    _ = user.look()
    user.type("Q")
    let isOver = hasQuit(&user)
    let text =
      switch user.app.state.overlay {
      case .palette(let palette): palette.field.text
      case .prompt(let prompt): prompt.field.text
      case .compose(let editor): editor.text
      default: ""
      }
    #expect(!isOver && text.hasSuffix("Q"), "\(keys)")
  }
}
