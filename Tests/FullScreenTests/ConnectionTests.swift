import Messages
import Terminal
import Testing
import ViewState

@testable import FullScreen

@Suite("The connection to the daemon")
struct ConnectionTests {
  @Test("attempts to connect have growing pauses, until a view has been open for a minute") func backoff() {
    var connection = Connection(session: "", requestPrefix: "id")
    for _ in 0..<9 {
      _ = connection.lost(at: 7)
      let notice = connection.reconnect(at: 7, isNews: false)
      #expect(notice == nil)
    }
    let pauses = connection.takeEffects().compactMap { if case .connect(let pause) = $0 { pause } else { nil } }
    #expect(pauses == [50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
    #expect(connection.offlineSince == 7)
    connection.open(columns: 80, lines: 24)
    let (wasAway, notice) = connection.welcomed(as: 3, at: 1_000)
    #expect(wasAway && notice == nil && connection.viewID == 3 && connection.offlineSince == nil)
    for (time, pause, isTold) in [(60_999, 5_000, true), (140_000, 50, true), (140_010, 100, false)]
      as [(
        Int64, Int64, Bool
      )]
    {
      let loss = connection.reconnect(at: time, isNews: true)
      #expect(connection.takeEffects() == [.connect(after: pause)] && (loss != nil) == isTold, "at \(time)")
      let back = connection.welcomed(as: 3, at: time + 1)
      #expect((back.notice == "Reconnected.") == isTold, "at \(time)")
    }
  }

  @Test("a size is sent once, and the next one when the last is shown") func sizes() {
    var connection = Connection(session: "", requestPrefix: "id")
    var shown = ViewSnapshot()
    shown.layoutGeneration = 1
    let layout = LayoutParameters(width: 80, height: 24)
    connection.open(columns: 80, lines: 24)
    connection.sendLayout(layout, columns: 90, lines: 24, showing: shown)
    #expect(connection.takeEffects().isEmpty, "no view is open")
    _ = connection.welcomed(as: 3, at: 0)
    connection.sendLayout(layout, columns: 80, lines: 24, showing: shown)
    connection.sendLayout(layout, columns: 90, lines: 24, showing: shown)
    connection.sendLayout(layout, columns: 91, lines: 24, showing: shown)
    #expect(connection.takeEffects().count == 1)
    shown.layoutGeneration = 2
    connection.sendLayout(layout, columns: 91, lines: 24, showing: shown)
    #expect(connection.takeEffects().count == 1)
  }

  @Test("calls have unique numbers, and commands unique request ids") func calls() {
    var connection = Connection(session: "work", requestPrefix: "id")
    let first = connection.command()
    let second = connection.command()
    #expect(first.session == "work" && first.requestID == "id-1" && second.requestID == "id-2")
    let number = connection.call(.sessions, Method.listSessions, PageRequest())
    #expect(connection.isAskingForBox)
    let purpose = connection.answered(number)
    let again = connection.answered(number)
    #expect(purpose == .sessions && again == nil && !connection.isAskingForBox)
  }
}

@Suite("Keys typed ahead")
struct TypedAheadTests {
  @Test("keys wait in order, and not for ever") func keys() {
    var typed = TypedAhead()
    for number in 0..<70 {
      let isKept = typed.queueKey(Key(.function(number)), at: 100)
      #expect(isKept == (number < 64))
    }
    #expect(typed.end == 100 + TypedAhead.patience && typed.first == Key(.function(0)))
    let first = typed.takeFirst()
    #expect(first == Key(.function(0)) && typed.count == 63)
    typed.forgetAll()
    #expect(typed.isEmpty && typed.end == nil)
  }

  @Test("keys wait for a command until a frame shows it, even before its answer") func opening() {
    var typed = TypedAhead()
    typed.opens(4)
    #expect(typed.isUnanswered)
    let other = typed.answered(3, at: 9, shown: 1)
    let own = typed.answered(4, at: 9, shown: 1)
    #expect(!other && own && typed.opening == .answered(9))
    typed.shown(8, hasOtherTop: false)
    #expect(typed.opening == .answered(9))
    typed.shown(9, hasOtherTop: false)
    #expect(typed.opening == .none)
    typed.opens(5)
    typed.shown(9, hasOtherTop: true)
    #expect(typed.opening == .none)
  }
}
