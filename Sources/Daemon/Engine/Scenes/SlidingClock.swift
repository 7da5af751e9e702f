internal import Dates
internal import ViewState

/// Where a viewport lies in its content, and what the scroll bar shows of that: the thumb, and the clock that slides
/// along it.
///
/// All in one unit, lines of cells or points, and in whole numbers. p is how much of the way to the end has been
/// scrolled.
struct ScrollPosition: Equatable, Sendable {
  /// Height of what is seen (V in behaviour.md) and of all there is to see (C), 0 or more.
  let viewport: Int
  let content: Int
  /// What is above the viewport (o), within 0 and ``range``: overscroll counts as the end it goes beyond.
  let offset: Int

  /// A viewport at an offset that need not be within the content. Viewports are taken to be 100,000 high at most,
  /// contents 10,000,000,000,000.
  init(viewport: Int, content: Int, offset: Int) {
    self.viewport = min(max(0, viewport), 100_000)
    self.content = min(max(0, content), 10_000_000_000_000)
    self.offset = min(max(0, offset), max(0, self.content - self.viewport))
  }

  /// The greatest offset; 0 if everything is in view.
  var range: Int { max(0, content - viewport) }

  /// p times a number, rounded down.
  private func share(of number: Int) -> Int { range == 0 ? 0 : offset * number / range }

  /// p times a number, rounded half up.
  private func nearestShare(of number: Int) -> Int { range == 0 ? 0 : (2 * offset * number + range) / (2 * range) }

  /// The clock's top, from that of the viewport, and the line of the content that it tells the time of.
  struct Clock: Equatable, Sendable {
    /// 0 to V - S.
    var top: Int
    /// 0 to C - 1.
    var line: Int
  }

  /// Where a clock of some size (S, 1 or more) is; `nil` without content, and where it does not fit (rules 28 and 29).
  ///
  /// It moves from the first line of a viewport at the top to the last line of one at the end, and never back as the
  /// offset grows. There are fewer offsets than lines, so it skips V - 1 of those on its way, but evenly: from one
  /// offset to the next it goes `ceil((V - 1) / (C - V)) + 2` lines or fewer and finds every row of that height, three
  /// lines in a list of two viewports. In a finer unit it finds every line.
  func clock(size: Int) -> Clock? {
    guard size >= 1, viewport >= size, content >= 1 else { return nil }
    let top = nearestShare(of: viewport - size)
    return Clock(top: top, line: min(content - 1, offset + top + min(size - 1, share(of: size))))
  }

  /// The thumb's top, from that of the viewport, and its length.
  struct Thumb: Equatable, Sendable {
    /// 0 to V - length.
    var top: Int
    /// 1 to V - 1.
    var length: Int
  }

  /// The thumb of the scroll bar; `nil` if everything is in view, or nothing can be (rule 33).
  var thumb: Thumb? {
    guard content > viewport, viewport >= 1 else { return nil }
    let length = max(1, viewport * viewport / content)
    return Thumb(top: nearestShare(of: viewport - length), length: length)
  }
}

/// The hands of the sliding clock (rule 30).
struct ClockHands: Equatable, Sendable {
  /// Clockwise from 12, in half degrees: one a minute, 0 to 719.
  var hour: Int
  /// Clockwise from 12, in degrees: 0 to 354.
  var minute: Int

  /// The hands at an instant, as clocks in a zone show it.
  init(at instant: Instant, in zone: Zone) {
    let time = zone.civilTime(at: instant)
    hour = (60 * time.hour + time.minute) % 720
    minute = 6 * time.minute
  }

  /// Which way they turn from one row's post to another's: forwards in time or back; `nil` if they stay as they are,
  /// because the instants are the same or look the same on a clock.
  static func turn(from last: Instant, to next: Instant, in zone: Zone) -> PaneClock.Turn? {
    guard ClockHands(at: last, in: zone) != ClockHands(at: next, in: zone) else { return nil }
    return last < next ? .clockwise : .anticlockwise
  }
}
