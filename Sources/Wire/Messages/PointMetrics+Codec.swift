internal import CProtobufC
internal import ViewState
internal import WireProto

extension CArena {
  func points(_ points: PointMetrics) -> UnsafeMutablePointer<Stack__V1__PointMetrics> {
    let message = unsafe make(stack__v1__point_metrics__init)
    let sizes = points.sizes
    unsafe message.pointee.line_height = UInt32(sizes.lineHeight)
    unsafe message.pointee.n_advances = points.runs.count
    unsafe message.pointee.advances = pointers(points.runs) { run in
      let message = unsafe make(stack__v1__advance_run__init)
      unsafe message.pointee.first = run.first
      unsafe message.pointee.n_advances = run.advances.count
      unsafe message.pointee.advances = array(run.advances.map(UInt32.init))
      return unsafe message
    }
    unsafe message.pointee.default_advance = UInt32(sizes.defaultAdvance)
    unsafe message.pointee.wide_advance = UInt32(sizes.wideAdvance)
    unsafe message.pointee.repost_height = UInt32(sizes.repostHeight)
    unsafe message.pointee.day_height = UInt32(sizes.dayHeight)
    if let insets = sizes.regular { unsafe message.pointee.regular = self.insets(insets) }
    if let insets = sizes.compact { unsafe message.pointee.compact = self.insets(insets) }
    if let column = sizes.column {
      let sizes = unsafe make(stack__v1__column_sizes__init)
      unsafe sizes.pointee.maximum_width = UInt32(column.maximumWidth)
      unsafe sizes.pointee.inset = UInt32(column.inset)
      unsafe sizes.pointee.compact_below = UInt32(column.compactBelow)
      unsafe message.pointee.column = unsafe sizes
    }
    if let panes = sizes.panes {
      let sizes = unsafe make(stack__v1__pane_sizes__init)
      unsafe sizes.pointee.menu = UInt32(panes.menu)
      unsafe sizes.pointee.strip = UInt32(panes.strip)
      unsafe sizes.pointee.pane = UInt32(panes.pane)
      unsafe message.pointee.panes = unsafe sizes
    }
    return unsafe message
  }

  private func insets(_ insets: PointSizes.RowInsets) -> UnsafeMutablePointer<Stack__V1__RowInsets> {
    let message = unsafe make(stack__v1__row_insets__init)
    unsafe message.pointee.above = UInt32(insets.above)
    unsafe message.pointee.below = UInt32(insets.below)
    unsafe message.pointee.left = UInt32(insets.left)
    unsafe message.pointee.right = UInt32(insets.right)
    unsafe message.pointee.least_height = UInt32(insets.leastHeight)
    return unsafe message
  }
}

/// Reads how a proportional font is measured; nil for cells. Whatever is wrong is a failure that names the field.
/// O(advances).
func readPoints(
  _ pointer: UnsafeMutablePointer<Stack__V1__PointMetrics>?, _ metrics: Stack__V1__MetricsProfile
) throws(DecodingFailure) -> PointMetrics? {
  guard let pointer = unsafe pointer else {
    guard metrics != STACK__V1__METRICS_PROFILE__METRICS_PROFILE_POINTS else {
      throw DecodingFailure(field: "layout.points", "is missing: a layout in points says how they are counted")
    }
    return nil
  }
  guard metrics != STACK__V1__METRICS_PROFILE__METRICS_PROFILE_CELLS else {
    throw DecodingFailure(field: "layout.metrics", "is CELLS beside layout.points: leave one of them out")
  }
  let message = unsafe pointer.pointee
  var runs: [AdvanceRun] = []
  unsafe runs.reserveCapacity(message.n_advances)
  for index in unsafe 0..<message.n_advances {
    runs.append(unsafe try readRun(message.advances[index]!.pointee, index))
  }
  do throws(InvalidMetrics) {
    return try PointMetrics(sizes: unsafe readSizes(message), runs: runs)
  } catch {
    throw DecodingFailure(field: "layout.points.\(error.field)", error.problem, limit: error.limit)
  }
}

private func readRun(_ message: Stack__V1__AdvanceRun, _ index: Int) throws(DecodingFailure) -> AdvanceRun {
  var run = unsafe AdvanceRun(first: message.first, advances: [])
  unsafe run.advances.reserveCapacity(message.n_advances)
  for place in unsafe 0..<message.n_advances {
    let advance = unsafe message.advances[place]
    guard advance <= PointSizes.maximumAdvance else {
      throw DecodingFailure(
        field: "layout.points.advances[\(index)].advances[\(place)]",
        "is \(advance); 0 to \(PointSizes.maximumAdvance) is possible")
    }
    run.advances.append(UInt16(advance))
  }
  return run
}

private func readSizes(_ message: Stack__V1__PointMetrics) -> PointSizes {
  var sizes = unsafe PointSizes(lineHeight: Int(message.line_height))
  sizes.defaultAdvance = unsafe Int(message.default_advance)
  sizes.wideAdvance = unsafe Int(message.wide_advance)
  sizes.repostHeight = unsafe Int(message.repost_height)
  sizes.dayHeight = unsafe Int(message.day_height)
  if let insets = unsafe message.regular { sizes.regular = unsafe readInsets(insets.pointee) }
  if let insets = unsafe message.compact { sizes.compact = unsafe readInsets(insets.pointee) }
  if let column = unsafe message.column {
    sizes.column = unsafe PointSizes.Column(
      maximumWidth: Int(column.pointee.maximum_width), inset: Int(column.pointee.inset),
      compactBelow: Int(column.pointee.compact_below))
  }
  if let panes = unsafe message.panes {
    sizes.panes = unsafe PointSizes.Panes(
      menu: Int(panes.pointee.menu), strip: Int(panes.pointee.strip), pane: Int(panes.pointee.pane))
  }
  return sizes
}

private func readInsets(_ message: Stack__V1__RowInsets) -> PointSizes.RowInsets {
  unsafe PointSizes.RowInsets(
    above: Int(message.above), below: Int(message.below), left: Int(message.left), right: Int(message.right),
    leastHeight: Int(message.least_height))
}
