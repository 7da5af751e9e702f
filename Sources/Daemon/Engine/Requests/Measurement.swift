public import Messages
internal import Posts
internal import TextLayout
internal import ViewState

extension MeasureResponse {
  /// Lays out a text as it would be in a row that is not folded, for ViewService.Measure. O(length).
  public init(measuring request: MeasureRequest) {
    self.init()
    let sent = Array(request.text.utf8)
    let safe = SafeText(sanitizing: sent).utf8
    if safe != sent { text = safe }
    var whole = request.layout
    whole.showsWholeTexts = true
    let key =
      request.width > 0
      ? LayoutKey(whole, textWidth: request.width, isCompact: whole.isSinglePane)
      : LayoutKey(whole, paneWidth: PaneGeometry(whole, panes: 1).widths[0])
    let layout = key.measure(safe, [])
    width = key.textWidth
    units = key.measures.units
    lineEnds = layout.lineEnds
    rowHeight = layout.height
    textHeight = lineEnds.count * key.lineHeight
    measureLines(of: safe.span, key.measures.text)
    measureClusters(of: safe.span, key.measures.text)
  }

  private mutating func measureLines(of text: Swift.Span<UInt8>, _ metrics: TextMetrics) {
    var start = 0
    for end in lineEnds.lazy.map(Int.init) {
      var painted = end
      while painted > start, text[painted - 1] == 0x20 || text[painted - 1] == 0x0A { painted -= 1 }
      lineWidths.append(UInt32(TextLayout.width(of: text.extracting(start..<painted), metrics: metrics)))
      start = end
    }
  }

  private mutating func measureClusters(of text: Swift.Span<UInt8>, _ metrics: TextMetrics) {
    forEachCluster(of: text, metrics: metrics) { cluster in
      clusterStarts.append(UInt32(cluster.offset))
      clusterWidths.append(UInt32(cluster.width))
      return true
    }
  }
}
