import FullScreen
import Testing

@Suite("The focused pane")
struct FocusedPaneTests {
  @Test("there is no focused pane at first") func none() { #expect(FocusedPane() == FocusedPane(paneID: 0, rowID: 0)) }
}
