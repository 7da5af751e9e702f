import Messages
import Testing
import ViewState

@testable import FullScreen

@Suite("The table of commands")
struct CommandTests {
  private func app() -> App { App(AppOptions(layout: LayoutParameters(width: 80, height: 24)), columns: 80, lines: 24) }

  @Test("every action with a key in the panes or a name on the command line is performed") func done() {
    for action in Keymap.standard.actions(in: .panes) {
      var app = app()
      let isDone = app.perform(action)
      #expect(isDone, "\(action.rawValue)")
    }
    for action in Action.allCases {
      var app = app()
      let needs = action.command.words?.needs ?? []
      let isDone = app.perform(action, needs)
      #expect(isDone == !needs.isEmpty, "\(action.rawValue)")
    }
  }

  @Test("every move is an action of the panes") func motions() {
    for action in Action.allCases where action.motion != nil { #expect(action.command.keys != nil) }
    #expect(Action.halfPageUp.motion == .lines && Action.pane9.motion == .places && Action.open.motion == nil)
  }
}
