import TextLayout

// Conveniences for tests, which pass texts as arrays and usually measure in cells.

/// Returns the ends of the lines of `text`.
func wrap(_ text: [UInt8], width: Int, metrics: TextMetrics) -> [UInt32] {
  var ends: [UInt32] = []
  wrap(text.span, width: width, metrics: metrics, into: &ends)
  return ends
}

/// Returns the ends of the lines of `text`, in cells.
func wrap(_ text: [UInt8], width: Int, profile: CellProfile) -> [UInt32] {
  wrap(text, width: width, metrics: .cells(profile))
}

/// Returns the number of lines of `text`, in cells.
func lineCount(of text: [UInt8], width: Int, profile: CellProfile) -> Int {
  lineCount(of: text.span, width: width, metrics: .cells(profile))
}

/// Returns the clusters of `text`, in cells.
func clusters(of text: [UInt8], profile: CellProfile) -> [Cluster] { clusters(of: text.span, metrics: .cells(profile)) }

/// Returns the cells that `text` takes on one line.
func cellWidth(of text: [UInt8], profile: CellProfile) -> Int { width(of: text.span, metrics: .cells(profile)) }

/// Returns the end of the longest run of clusters from the start of `text` that fits into `width` cells.
func truncate(_ text: [UInt8], to width: Int, profile: CellProfile) -> Int {
  truncate(text.span, to: width, metrics: .cells(profile))
}
