import TextLayout

// Tests write texts as arrays and mostly measure in cells.

/// The ends of the lines of `text`.
func wrap(_ text: [UInt8], width: Int, metrics: TextMetrics) -> [UInt32] {
  var ends: [UInt32] = []
  wrap(text.span, width: width, metrics: metrics, into: &ends)
  return ends
}

/// The same in cells.
func wrap(_ text: [UInt8], width: Int, profile: CellProfile) -> [UInt32] {
  wrap(text, width: width, metrics: .cells(profile))
}

/// How many lines `text` has in cells.
func lineCount(of text: [UInt8], width: Int, profile: CellProfile) -> Int {
  lineCount(of: text.span, width: width, metrics: .cells(profile))
}

/// The clusters of `text`, in cells.
func clusters(of text: [UInt8], profile: CellProfile) -> [Cluster] { clusters(of: text.span, metrics: .cells(profile)) }

/// The cells that `text` takes on one line.
func cellWidth(of text: [UInt8], profile: CellProfile) -> Int { width(of: text.span, metrics: .cells(profile)) }

/// The end of what of `text` fits into so many cells.
func truncate(_ text: [UInt8], to width: Int, profile: CellProfile) -> Int {
  truncate(text.span, to: width, metrics: .cells(profile))
}
