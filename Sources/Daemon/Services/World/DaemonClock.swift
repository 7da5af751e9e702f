public import Dates

/// What time the daemon takes it to be: the machine's, or another one so that demonstrations, pictures and tests
/// repeat.
///
/// It decides what labels say and when posts are said to be written. How frames are paced and what times out goes by
/// the machine.
public enum DaemonClock: Hashable, Sendable {
  /// The machine's wall clock.
  case system
  /// Always this instant: labels never change by themselves.
  case frozen(Instant)
  /// This instant when the daemon starts; from then on as fast as the machine's clock.
  case from(Instant)

  /// Reads what stands on a command line: `system`, `frozen:INSTANT` or `from:INSTANT`, with an instant as ISO 8601 has
  /// it, such as `2026-03-01T12:00:00Z`. Nil for anything else.
  public init?(_ text: String) {
    if text == "system" {
      self = .system
      return
    }
    guard let colon = text.firstIndex(of: ":"),
      let instant = Instant(iso8601: Array(text[text.index(after: colon)...].utf8))
    else { return nil }
    switch text[..<colon] {
    case "frozen": self = .frozen(instant)
    case "from": self = .from(instant)
    default: return nil
    }
  }
}

/// A ``DaemonClock`` that runs.
struct RunningClock {
  private let clock: DaemonClock
  private let loop: any ServiceLoop
  private let startedAt: Duration

  /// Starts a clock.
  init(_ clock: DaemonClock, loop: any ServiceLoop) {
    self.clock = clock
    self.loop = loop
    startedAt = loop.monotonicClock
  }

  /// What time it is, for people.
  var now: Instant {
    switch clock {
    case .frozen(let instant): instant
    case .system, .from: engineNow
    }
  }

  /// What the engine is told, which paces frames by it: that goes on though the clock stands.
  var engineNow: Instant {
    guard case .from(let instant) = clock else { return loop.wallClock }
    return instant.adding(milliseconds: Int64((loop.monotonicClock - startedAt) / .milliseconds(1)))
  }
}
