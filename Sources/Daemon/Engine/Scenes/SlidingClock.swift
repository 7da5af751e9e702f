internal import Dates
internal import ViewState

/// Position of a viewport in its content, and the scroll bar for it: the thumb, and the clock that slides along it.
///
/// All values are whole numbers of one unit, lines of cells or points. p is the fraction of the way to the end that has
/// been scrolled.
struct ScrollPosition: Equatable, Sendable {
  /// Heights of the viewport (V in docs/BEHAVIOUR.md) and of the content (C), 0 or more.
  let viewport: Int
  let content: Int
  /// Height above the viewport (o), within 0 and ``range``: overscroll counts as the end it goes beyond.
  let offset: Int

  /// Creates a position at an offset that may lie outside the content. Viewports are limited to a height of 100,000,
  /// contents to 10,000,000,000,000.
  init(viewport: Int, content: Int, offset: Int) {
    self.viewport = min(max(0, viewport), 100_000)
    self.content = min(max(0, content), 10_000_000_000_000)
    self.offset = min(max(0, offset), max(0, self.content - self.viewport))
  }

  /// Greatest offset; 0 if everything is in view.
  var range: Int { max(0, content - viewport) }

  /// Returns p times a number, rounded down.
  private func share(of number: Int) -> Int { range == 0 ? 0 : offset * number / range }

  /// Returns p times a number, rounded half up.
  private func nearestShare(of number: Int) -> Int { range == 0 ? 0 : (2 * offset * number + range) / (2 * range) }

  /// The clock's top, relative to the viewport's, and the line of the content whose time it shows.
  struct Clock: Equatable, Sendable {
    /// 0 to V - S.
    var top: Int
    /// 0 to C - 1.
    var line: Int
  }

  /// Returns the clock of a size (S, 1 or more); nil without content, and if it does not fit (docs/BEHAVIOUR.md, rules
  /// 28 and 29).
  ///
  /// The clock goes from the first line of a viewport at the top to the last line of one at the end, and never back as
  /// the offset grows. There are fewer offsets than lines, so it skips V - 1 of those on its way, but evenly: from one
  /// offset to the next it advances by `ceil((V - 1) / (C - V)) + 2` lines or fewer, and so reaches every row of that
  /// height, which is three lines in a list of two viewports. In a finer unit it reaches every line.
  func clock(size: Int) -> Clock? {
    guard size >= 1, viewport >= size, content >= 1 else { return nil }
    let top = nearestShare(of: viewport - size)
    return Clock(top: top, line: min(content - 1, offset + top + min(size - 1, share(of: size))))
  }

  /// The thumb's top, relative to the viewport's, and its length.
  struct Thumb: Equatable, Sendable {
    /// 0 to V - length.
    var top: Int
    /// 1 to V - 1.
    var length: Int
  }

  /// The thumb of the scroll bar; nil if everything is in view, or nothing can be (docs/BEHAVIOUR.md, rule 33).
  var thumb: Thumb? {
    guard content > viewport, viewport >= 1 else { return nil }
    let length = max(1, viewport * viewport / content)
    return Thumb(top: nearestShare(of: viewport - length), length: length)
  }
}

/// Hands of the sliding clock (docs/BEHAVIOUR.md, rule 30).
struct ClockHands: Equatable, Sendable {
  /// Clockwise from 12, in half degrees: one per minute, 0 to 719.
  var hour: Int
  /// Clockwise from 12, in degrees: 0 to 354.
  var minute: Int

  /// Creates the hands at an instant, in a zone.
  init(at instant: Instant, in zone: Zone) {
    let time = zone.civilTime(at: instant)
    hour = (60 * time.hour + time.minute) % 720
    minute = 6 * time.minute
  }

  /// Returns the direction in which they turn from one row's post to another's: forwards in time or back; nil if they
  /// stay, because the instants are equal or look the same on a clock.
  static func turn(from last: Instant, to next: Instant, in zone: Zone) -> PaneClock.Turn? {
    guard ClockHands(at: last, in: zone) != ClockHands(at: next, in: zone) else { return nil }
    return last < next ? .clockwise : .anticlockwise
  }
}
