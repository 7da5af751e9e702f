import ClientCore
import TestSupport
import Testing
import ViewState

@Suite("Reconnecting")
struct ReconnectionTests {
  /// What happens to a client, at seconds.
  enum Happening {
    /// The daemon is lost or cannot be reached; the pause, and whether that is reported.
    case lost(Int64, pause: Int64, isTold: Bool)
    /// The daemon answers; whether that is reported.
    case answers(Int64, isTold: Bool)
  }

  static let histories: [(name: String, happenings: [Happening])] = [
    (
      "a daemon that is away",
      [
        .answers(0, isTold: false), .lost(1000, pause: 100, isTold: true), .lost(1001, pause: 200, isTold: false),
        .lost(1002, pause: 400, isTold: false), .lost(1003, pause: 800, isTold: false),
        .lost(1004, pause: 1_600, isTold: false), .lost(1006, pause: 3_200, isTold: false),
        .lost(1010, pause: 5_000, isTold: false), .lost(1200, pause: 5_000, isTold: false),
        .answers(1210, isTold: true), .answers(1211, isTold: false),
      ]
    ),
    (
      "a daemon that dies whenever it answers",
      [
        .answers(0, isTold: false), .lost(1, pause: 100, isTold: true), .answers(2, isTold: true),
        .lost(3, pause: 200, isTold: false), .answers(4, isTold: false), .lost(5, pause: 400, isTold: false),
        .answers(6, isTold: false), .lost(7, pause: 800, isTold: false), .answers(8, isTold: false),
        // A minute after they were reported, both are news again.
        .lost(61, pause: 1_600, isTold: true), .answers(62, isTold: true),
      ]
    ),
    (
      "a daemon that stays away after it came back for a moment",
      [
        .lost(0, pause: 100, isTold: true), .answers(1, isTold: true), .lost(2, pause: 200, isTold: false),
        .lost(30, pause: 400, isTold: false), .lost(60, pause: 800, isTold: true),
        .lost(65, pause: 1_600, isTold: false),
      ]
    ),
    (
      "pauses begin anew after a minute",
      [
        .lost(0, pause: 100, isTold: true), .lost(1, pause: 200, isTold: false), .answers(2, isTold: true),
        .answers(50, isTold: false), .lost(61, pause: 400, isTold: true), .answers(62, isTold: true),
        .lost(122, pause: 100, isTold: true), .lost(123, pause: 200, isTold: false),
      ]
    ),
  ]

  @Test("pauses grow, begin anew after a minute of life, and each notice is given once", arguments: histories)
  func history(name: String, happenings: [Happening]) {
    var reconnection = Reconnection(pauses: 100...5_000)
    for happening in happenings {
      switch happening {
      case .lost(let second, let pause, let isTold):
        let loss = reconnection.lost("lost", at: second * 1000)
        #expect(loss.pause == pause && loss.notice == (isTold ? "lost" : nil), "\(name), at \(second)")
      case .answers(let second, let isTold):
        let notice = reconnection.connected("back", at: second * 1000)
        #expect(notice == (isTold ? "back" : nil), "\(name), at \(second)")
      }
    }
  }

  @Test("another reason is news, the daemon's own pause is kept, and notices are limited") func reasons() {
    var reconnection = Reconnection(pauses: 100...5_000)
    let losses = [
      reconnection.lost("the disk is full", at: 0, atLeast: 1_500), reconnection.lost("lost", at: 1),
      reconnection.lost("the disk is full", at: 2, atLeast: 60_000), reconnection.lost(nil, at: 3),
    ]
    #expect(losses.map(\.pause) == [1_500, 200, 5_000, 800])
    #expect(losses.map(\.notice) == ["the disk is full", "lost", nil, nil])
    let told = (0..<20).filter { reconnection.lost("reason \($0)", at: 10).notice != nil }
    #expect(told == Array(0..<6), "eight in a minute")
    let later = reconnection.lost("reason 19", at: 60_010)
    #expect(later.notice == "reason 19")
  }

  @Test("a call that was reset, cut off or refused for now is an interruption; other ends are not") func statuses() {
    let survived = (0...16).filter { Interruption(status: $0) != nil }
    #expect(survived == [0, 1, 4, 8, 13, 14])
    #expect(Interruption(status: 14, reason: "no", delayMilliseconds: 7)?.delayMilliseconds == 7)
  }
}

@Suite("Filling gaps")
struct GapFillingTests {
  /// Returns rows with these IDs, newest first.
  private func rows(_ count: Int) -> [PlacedRow] {
    (1...count).reversed().map { TestRow.at(Int64($0), id: UInt64($0)) }
  }

  @Test(
    "every row is reported, oldest first, unless more than 1,000 would be left out",
    arguments: [1, 3, 1000, 1001, 2000])
  func whole(count: Int) {
    let newer = TestRow.at(5000, id: 5000).position
    let rows = rows(count)
    #expect(GapFilling.events(rows, newer: newer, older: nil) == rows.reversed().map { .inserted($0) })
  }

  @Test("of more than 2,000 rows the newest 1,000 are reported, and a gap before them") func cut() {
    let rows = rows(GapFilling.fetchedRows)
    let (newer, older) = (TestRow.at(5000, id: 5000).position, TestRow.at(0, id: 7).position)
    let events = GapFilling.events(rows, newer: newer, older: older)
    #expect(rows.count == 2001 && events.count == 1001)
    #expect(events.first == .gap(newer: rows[999].position, older: older))
    #expect(events.dropFirst() == rows[..<1000].reversed().map { .inserted($0) }[...])
    #expect(GapFilling.events([], newer: newer, older: older) == [])
  }
}
