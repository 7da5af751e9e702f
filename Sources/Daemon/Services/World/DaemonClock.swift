public import Dates

/// The daemon's clock: the machine's, or a simulated one so that demonstrations, screenshots and tests are
/// reproducible.
///
/// It affects labels and the times of posts. Pacing of frames and timeouts follow the machine's clock.
public enum DaemonClock: Hashable, Sendable {
  /// The machine's wall clock.
  case system
  /// Always this instant: labels never change by themselves.
  case frozen(Instant)
  /// This instant when the daemon starts, then running as fast as the machine's clock.
  case from(Instant)

  /// Parses a command-line value: `system`, `frozen:INSTANT` or `from:INSTANT`, with an ISO 8601 instant such as
  /// `2026-03-01T12:00:00Z`. Nil for anything else.
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

/// A running ``DaemonClock``.
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

  /// The current time for labels and posts.
  var now: Instant {
    switch clock {
    case .frozen(let instant): instant
    case .system, .from: engineNow
    }
  }

  /// The engine's time, which paces frames: it advances even if the clock is frozen.
  var engineNow: Instant {
    guard case .from(let instant) = clock else { return loop.wallClock }
    return instant.adding(milliseconds: Int64((loop.monotonicClock - startedAt) / .milliseconds(1)))
  }
}
