internal import ViewState

extension LayoutParameters: DeclaredMessage {
  static let schema = MessageSchema("Layout")

  init() { self.init(width: 0, height: 0) }

  /// The schema's MetricsProfile.
  private enum Metrics: UInt32 {
    case cells = 1
    case points = 2
  }

  /// Reads an unknown profile or style as its default. The valid widths and heights depend on the purpose of the
  /// layout: see ``LayoutParameters/checkSize(_:of:)``.
  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    var metrics: Metrics? = points == nil ? .cells : .points
    fields.knownChoice(1, &metrics)
    fields.count(2, &width)
    fields.count(3, &height)
    fields.choice(4, &widthProfile, unknown: .sum)
    fields.count(5, &ambiguousWidth)
    fields.flag(6, &isSinglePane)
    try fields.text(7, &timeZone)
    fields.choice(8, &timeStyle, unknown: .veryShort)
    try fields.text(9, &locale)
    var message = points.map(PointMetricsMessage.init)
    try fields.message(10, &message)
    fields.count(11, &clockSize)
    fields.flag(12, &hasDayLines)
    fields.flag(13, &showsWholeTexts)
    guard fields.isReading else { return }
    if ambiguousWidth != 2 { ambiguousWidth = 1 }
    guard clockSize <= 1000 else { throw fields.failure("clock_size", "is \(clockSize); it must be 0 to 1,000") }
    if message == nil, metrics == .points {
      throw fields.failure("points", "is missing; a layout in points needs it")
    }
    if message != nil, metrics == .cells {
      throw fields.failure("metrics", "is CELLS although layout.points is set; set only one of them")
    }
    points = message?.points
  }
}

extension LayoutParameters {
  /// Walks the layout of a view, which must be present and have a size.
  mutating func walkForView(_ number: UInt32, _ fields: inout WireFields) throws(DecodingFailure) {
    try fields.requiredMessage(number, &self)
    try checkSize(1...10_000, of: fields)
  }

  /// Refuses a layout that was read with a width or height out of range.
  func checkSize(_ sizes: ClosedRange<Int>, of fields: WireFields) throws(DecodingFailure) {
    guard fields.isReading else { return }
    for (name, size) in [("layout.width", width), ("layout.height", height)] where !sizes.contains(size) {
      throw fields.failure(name, "is \(size); it must be \(sizes.lowerBound) to 10,000")
    }
  }
}

extension ViewportParameters: DeclaredMessage {
  static let schema = MessageSchema("Viewport")

  mutating func walk(_ fields: inout WireFields) {
    fields.number(1, &paneID)
    fields.number(2, &anchorRow)
    fields.count(3, &line)
    fields.number(4, &generation)
    fields.signed(5, &atMilliseconds)
  }
}

/// The schema's PointMetrics; nil if none were read.
private struct PointMetricsMessage: DeclaredMessage {
  var points: PointMetrics?

  static let schema = MessageSchema("PointMetrics")

  init() {}

  init(_ points: PointMetrics) { self.points = points }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    var sizes = points?.sizes ?? PointSizes(lineHeight: 0)
    fields.count(1, &sizes.lineHeight)
    var runs = points?.runs ?? []
    try fields.messages(2, &runs)
    fields.count(3, &sizes.defaultAdvance)
    fields.count(4, &sizes.wideAdvance)
    fields.count(5, &sizes.repostHeight)
    try fields.message(6, &sizes.regular)
    try fields.message(7, &sizes.compact)
    try fields.message(8, &sizes.column)
    try fields.message(9, &sizes.panes)
    fields.count(10, &sizes.dayHeight)
    guard fields.isReading else { return }
    do throws(InvalidMetrics) {
      points = try PointMetrics(sizes: sizes, runs: runs)
    } catch {
      throw fields.failure(error.field, error.problem, limit: error.limit)
    }
  }
}

extension AdvanceRun: DeclaredMessage {
  static let schema = MessageSchema("AdvanceRun")

  init() { self.init(first: 0, advances: []) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &first)
    var wide = advances.map { UInt32($0) }
    fields.numbers(2, &wide)
    guard fields.isReading else { return }
    if let index = wide.firstIndex(where: { $0 > PointSizes.maximumAdvance }) {
      throw fields.failure(
        "advances[\(index)]", "is \(wide[index]); it must be 0 to \(PointSizes.maximumAdvance)")
    }
    advances = wide.map { UInt16($0) }
  }
}

extension PointSizes.RowInsets: DeclaredMessage {
  static let schema = MessageSchema("RowInsets")

  init() { self.init(above: 0, below: 0, left: 0, right: 0, leastHeight: 0) }

  mutating func walk(_ fields: inout WireFields) {
    fields.count(1, &above)
    fields.count(2, &below)
    fields.count(3, &left)
    fields.count(4, &right)
    fields.count(5, &leastHeight)
  }
}

extension PointSizes.Column: DeclaredMessage {
  static let schema = MessageSchema("ColumnSizes")

  init() { self.init(maximumWidth: 0, inset: 0, compactBelow: 0) }

  mutating func walk(_ fields: inout WireFields) {
    fields.count(1, &maximumWidth)
    fields.count(2, &inset)
    fields.count(3, &compactBelow)
  }
}

extension PointSizes.Panes: DeclaredMessage {
  static let schema = MessageSchema("PaneSizes")

  init() { self.init(menu: 0, strip: 0, pane: 0) }

  mutating func walk(_ fields: inout WireFields) {
    fields.count(1, &menu)
    fields.count(2, &strip)
    fields.count(3, &pane)
  }
}
