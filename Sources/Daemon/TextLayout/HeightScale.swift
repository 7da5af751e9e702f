/// Which height a byte of the index stands for: byte b for `base + b * step`. Any other height, and what would need a
/// byte above 254, is kept exactly in a side table; a scale only decides how many are.
public struct HeightScale: Hashable, Sendable {
  /// The height that byte 0 stands for; 0 or more.
  public let base: Int
  /// What each further number adds; 1 or more.
  public let step: Int

  /// The scale of these numbers.
  public init(base: Int, step: Int) {
    precondition(base >= 0 && step >= 1, "heights neither begin below 0 nor stand still")
    precondition(
      base <= HeightsIndex.maximumHeight && step <= (HeightsIndex.maximumHeight - base) / 255, "no height is so great")
    self.base = base
    self.step = step
  }

  /// Heights of 0 to 254, such as numbers of lines.
  public static let plain = HeightScale(base: 0, step: 1)

  /// The scale that has bytes for the heights of rows with a line of text or more, which are `fixed + lines * line`, at
  /// least `least`, and `extra` more or not: the step is what all of them are apart by, as long as that reaches ten
  /// lines far, else a line. O(log height).
  public init(least: Int, fixed: Int, line: Int, extra: Int) {
    precondition(least >= 0 && fixed >= 0 && line >= 0 && extra >= 0, "no height is below 0")
    func divisor(_ left: Int, _ right: Int) -> Int { right == 0 ? left : divisor(right, left % right) }
    let base = max(least, fixed + line)
    // A least height counts only if a row with one line has it.
    var step = divisor(divisor(line, extra), max(0, least - fixed - line))
    if 254 * step < 10 * line { step = line }
    self = base + 255 * step <= HeightsIndex.maximumHeight ? HeightScale(base: base, step: max(1, step)) : .plain
  }

  /// The height nearest to `height` that has a byte: what an estimate should be, for many rows have it.
  public func nearest(to height: Int) -> Int {
    base + min(254, max(0, (height - base + step / 2) / step)) * step
  }

  /// What `rows` rows whose bytes add up to `bytes` are high together.
  @inline(__always)
  func height(rows: Int, bytes: Int) -> Int { rows &* base &+ bytes &* step }

  /// The height that byte 255 stands for where sums are made: the side table has what a row is beyond or below it.
  var tall: Int { base + 255 * step }

  /// The byte of a height, or nil where it has none.
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
  /// The scale for the heights that these numbers give rows.
  public func heightScale(isCompact: Bool) -> HeightScale {
    let insets = insets(isCompact: isCompact)
    return HeightScale(
      least: insets.leastHeight, fixed: insets.above + insets.below, line: lineHeight, extra: repostHeight)
  }
}
