public import ViewState

/// Everything that moves by itself for a moment: panes that slide into place, and clock hands.
///
/// Lasts at most ``duration``, and ends in the picture that would be shown without it. It is given the time and reads
/// no clock.
public struct Animation: Equatable, Sendable {
  /// The length of any movement, in milliseconds.
  public static let duration: Int64 = 160
  /// The pause between two pictures, in milliseconds.
  public static let interval: Int64 = 16

  /// A sliding pane.
  private struct Slide: Equatable {
    let from: Int
    /// The target. Another target in a later frame ends the slide.
    let to: Int
    let began: Int64
  }

  /// Turning hands, in half degrees and degrees that grow clockwise and may lie outside a circle.
  private struct Turn: Equatable {
    let hour: Int
    let minute: Int
    let toHour: Int
    let toMinute: Int
    let began: Int64
  }

  private var slides: [UInt64: Slide] = [:]
  private var turns: [UInt64: Turn] = [:]

  /// The movements from `old` to `new` at `now`; nil if there are none. Movements that `continuing` has not finished
  /// continue from where they are. New panes slide in from the right edge. A pane whose width changed, as with the
  /// screen's width, does not slide.
  public init?(from old: ViewSnapshot, to new: ViewSnapshot, columns: Int, at now: Int64, continuing: Animation? = nil)
  {
    let before = Dictionary(old.paneFrames.map { ($0.paneID, $0) }) { first, _ in first }
    for frame in new.paneFrames where !old.paneFrames.isEmpty {
      guard let last = before[frame.paneID] else {
        if frame.x < columns { slides[frame.paneID] = Slide(from: columns, to: frame.x, began: now) }
        continue
      }
      guard last.width == frame.width else { continue }
      if last.x == frame.x {
        slides[frame.paneID] = continuing?.slides[frame.paneID]
      } else {
        let from = continuing?.x(of: last, at: now) ?? last.x
        slides[frame.paneID] = Slide(from: from, to: frame.x, began: now)
      }
    }
    let clocks = Dictionary(old.panes.map { ($0.header.paneID, $0.clock) }) { first, _ in first }
    for pane in new.panes {
      guard let last = clocks[pane.header.paneID], last.isVisible, pane.clock.isVisible else { continue }
      if last.hourHand == pane.clock.hourHand && last.minuteHand == pane.clock.minuteHand {
        turns[pane.header.paneID] = continuing?.turns[pane.header.paneID]
        continue
      }
      let from = continuing?.hands(of: pane.header.paneID, last, at: now) ?? (last.hourHand, last.minuteHand)
      turns[pane.header.paneID] = Self.turn(from: from, to: pane.clock, began: now)
    }
    drop(at: now)
    if slides.isEmpty && turns.isEmpty { return nil }
  }

  private static func turn(from: (hour: Int, minute: Int), to clock: PaneClock, began: Int64) -> Turn? {
    func target(_ from: Int, _ to: Int, circle: Int) -> Int {
      let clockwise = ((to - from) % circle + circle) % circle
      return clock.turn == .clockwise ? from + clockwise : clockwise == 0 ? from : from + clockwise - circle
    }
    guard clock.turn != .none else { return nil }
    return Turn(
      hour: from.hour, minute: from.minute, toHour: target(from.hour, clock.hourHand, circle: 720),
      toMinute: target(from.minute, clock.minuteHand, circle: 360), began: began)
  }

  private mutating func drop(at now: Int64) {
    slides = slides.filter { $0.value.began + Self.duration > now }
    turns = turns.filter { $0.value.began + Self.duration > now }
  }

  /// True if nothing moves any more.
  public func isOver(at now: Int64) -> Bool {
    slides.values.allSatisfy { $0.began + Self.duration <= now }
      && turns.values.allSatisfy { $0.began + Self.duration <= now }
  }

  /// Returns `from` at `began`, `to` from `began + duration` on, and values between them, fast at first: 1 - (1 - t)^3.
  static func eased(_ from: Int, _ to: Int, began: Int64, at now: Int64) -> Int {
    let passed = min(max(0, now - began), duration)
    let left = Int(duration - passed)
    let whole = Int(duration * duration * duration)
    return to - (to - from) * (left * left * left) / whole
  }

  /// Returns the left edge of a pane at `now`, as it slides to `frame`.
  public func x(of frame: PaneFrame, at now: Int64) -> Int {
    guard let slide = slides[frame.paneID], slide.to == frame.x else { return frame.x }
    return Self.eased(slide.from, slide.to, began: slide.began, at: now)
  }

  /// Returns the hands of a pane's clock at `now`: the hour hand in half degrees (0 to 719), the minute hand in degrees
  /// (0 to 359).
  public func hands(of paneID: UInt64, _ clock: PaneClock, at now: Int64) -> (hour: Int, minute: Int) {
    guard let turn = turns[paneID], now < turn.began + Self.duration else { return (clock.hourHand, clock.minuteHand) }
    func circled(_ value: Int, _ circle: Int) -> Int { (value % circle + circle) % circle }
    return (
      circled(Self.eased(turn.hour, turn.toHour, began: turn.began, at: now), 720),
      circled(Self.eased(turn.minute, turn.toMinute, began: turn.began, at: now), 360)
    )
  }
}
