import Dates
import Server
import Services
import Testing

@Suite("The daemon's clock option")
struct DaemonClockTests {
  @Test(
    "is parsed from the command line",
    arguments: [
      ("system", DaemonClock.system),
      ("frozen:2026-03-01T12:00:00Z", .frozen(Instant(seconds: 1_772_366_400))),
      ("frozen:2026-03-01T13:00:00+01:00", .frozen(Instant(seconds: 1_772_366_400))),
      ("from:2026-03-01T12:00:00.250Z", .from(Instant(milliseconds: 1_772_366_400_250))),
      ("from:2026-03-01", nil), ("from:", nil), ("from", nil), ("", nil), ("soon:2026-03-01T12:00:00Z", nil),
      ("frozen:2026-02-29T12:00:00Z", nil),
    ] as [(String, DaemonClock?)])
  func option(text: String, wanted: DaemonClock?) { #expect(DaemonClock(text) == wanted) }
}
