/// The mapping from bytes of the index to heights: byte b stands for `base + b * step`.
///
/// A height without a byte, or with a byte above 254, is stored exactly in a side table. The scale only determines how
/// many of them there are.
public struct HeightScale: Hashable, Sendable {
  /// The height of byte 0; at least 0.
  public let base: Int
  /// The difference between the heights of consecutive bytes; at least 1.
  public let step: Int

  /// Creates a scale.
  public init(base: Int, step: Int) {
    precondition(base >= 0 && step >= 1, "base must be at least 0 and step at least 1")
    precondition(
      base <= HeightsIndex.maximumHeight && step <= (HeightsIndex.maximumHeight - base) / 255,
      "heights exceed the maximum")
    self.base = base
    self.step = step
  }

  /// The scale of heights from 0 to 254, such as numbers of lines.
  public static let plain = HeightScale(base: 0, step: 1)

  /// Creates the scale for rows with at least one line of text, whose height is `fixed + lines * line`, but at least
  /// `least`, and optionally `extra` more.
  ///
  /// The step is the greatest common divisor of the differences, if the bytes then reach ten lines; otherwise it is a
  /// line. O(log height).
  public init(least: Int, fixed: Int, line: Int, extra: Int) {
    precondition(least >= 0 && fixed >= 0 && line >= 0 && extra >= 0, "heights must not be negative")
    func divisor(_ left: Int, _ right: Int) -> Int { right == 0 ? left : divisor(right, left % right) }
    let base = max(least, fixed + line)
    // The minimum height matters only if it exceeds the height of a row with one line.
    var step = divisor(divisor(line, extra), max(0, least - fixed - line))
    if 254 * step < 10 * line { step = line }
    self = base + 255 * step <= HeightsIndex.maximumHeight ? HeightScale(base: base, step: max(1, step)) : .plain
  }

  /// Returns the height with a byte that is nearest to `height`. Estimates should use it, since many rows share them.
  public func nearest(to height: Int) -> Int {
    base + min(254, max(0, (height - base + step / 2) / step)) * step
  }

  /// Returns the total height of `rows` rows whose bytes add up to `bytes`.
  @inline(__always)
  func height(rows: Int, bytes: Int) -> Int { rows &* base &+ bytes &* step }

  /// The height that byte 255 counts in sums; the side table has the difference to a row's actual height.
  var tall: Int { base + 255 * step }

  /// Returns the byte of a height; nil if it has none.
  @inline(__always)
  func byte(for height: Int) -> UInt8? {
    let above = UInt(bitPattern: height &- base)
    if step != 1 { return byteByDivision(above) }
    return above < 255 ? UInt8(truncatingIfNeeded: above) : nil
  }

  @inline(never)
  private func byteByDivision(_ above: UInt) -> UInt8? {
    let (number, rest) = above.quotientAndRemainder(dividingBy: UInt(bitPattern: step))
    return number < 255 && rest == 0 ? UInt8(truncatingIfNeeded: number) : nil
  }
}

extension RowMetrics {
  /// Returns the scale for the row heights of these metrics.
  public func heightScale(isCompact: Bool) -> HeightScale {
    let insets = insets(isCompact: isCompact)
    return HeightScale(
      least: insets.leastHeight, fixed: insets.above + insets.below, line: lineHeight, extra: repostHeight)
  }
}
