internal import CProtobufC
public import ViewState
internal import WireProto

/// Asks how a text is laid out; the schema's MeasureRequest.
public struct MeasureRequest: Equatable, WireMessage {
  public var text: String
  /// Its width and height may be 0 if ``width`` is not.
  public var layout = LayoutParameters(width: 0, height: 0)
  /// Of a line; 0: as in the first pane of a view with ``layout``.
  public var width = 0

  /// Bytes of text that are measured at a time.
  public static let maximumBytes = 64 * 1024

  /// How `text` is laid out in lines of `width`.
  public init(text: String, width: Int = 0) {
    self.text = text
    self.width = width
  }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    try refuseNUL(in: bytes, field: 1, "text")
    self = unsafe try decode(bytes, "MeasureRequest", stack__v1__measure_request__unpack) {
      message throws(DecodingFailure) in
      var request = unsafe MeasureRequest(text: Messages.text(message.text), width: Int(message.width))
      guard request.text.utf8.count <= Self.maximumBytes else {
        throw DecodingFailure(
          field: "text", "has more than \(Self.maximumBytes) bytes: measure it in parts, cut where a line ends",
          limit: Self.maximumBytes)
      }
      guard 0...10_000 ~= request.width else {
        throw DecodingFailure(field: "width", "is \(request.width); 0 to 10,000 is possible")
      }
      let isSized = request.width == 0
      if let layout = unsafe message.layout {
        request.layout = unsafe try readLayoutParameters(layout, isSized: isSized)
      } else if isSized {
        throw DecodingFailure(field: "width", "is 0 and there is no layout: one of them says how wide lines are")
      }
      return request
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__measure_request__init)
    unsafe message.pointee.text = arena.string(text)
    unsafe message.pointee.layout = arena.layout(layout)
    unsafe message.pointee.width = UInt32(clamping: width)
    return unsafe arena.encode(message)
  }
}

/// How a text is laid out; the schema's MeasureResponse.
public struct MeasureResponse: Equatable, WireMessage {
  /// The text that was measured, where it is not the one that was sent.
  public var text: [UInt8] = []
  public var lineEnds: [UInt32] = []
  /// In ``units``; without what is not painted at a line's end.
  public var lineWidths: [UInt32] = []
  public var textHeight = 0
  public var rowHeight = 0
  public var width = 0
  /// First byte of each cluster.
  public var clusterStarts: [UInt32] = []
  /// In ``units``.
  public var clusterWidths: [UInt32] = []
  /// How many of them are a cell or a point.
  public var units = 1
  /// As that of a post counts.
  public var weightedLength = 0
  /// What a post with this text may still have; negative for one that is refused.
  public var remaining = 0

  /// Nothing measured.
  public init() {}

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "MeasureResponse", stack__v1__measure_response__unpack) {
      message throws(DecodingFailure) in
      var response = MeasureResponse()
      response.text = unsafe Messages.bytes(message.text)
      response.lineEnds = unsafe array(message.line_ends, message.n_line_ends)
      response.lineWidths = unsafe array(message.line_widths, message.n_line_widths)
      response.textHeight = unsafe Int(message.text_height)
      response.rowHeight = unsafe Int(message.row_height)
      response.width = unsafe Int(message.width)
      response.clusterStarts = unsafe array(message.cluster_starts, message.n_cluster_starts)
      response.clusterWidths = unsafe array(message.cluster_widths, message.n_cluster_widths)
      response.units = unsafe Int(message.units)
      response.weightedLength = unsafe Int(message.weighted_length)
      response.remaining = unsafe Int(message.remaining)
      guard response.lineEnds.count == response.lineWidths.count,
        response.clusterStarts.count == response.clusterWidths.count,
        response.units > 0
      else { throw DecodingFailure("a measured text has not as many widths as lines and clusters, or no unit of them") }
      return response
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__measure_response__init)
    if !text.isEmpty { unsafe message.pointee.text = arena.string(text) }
    unsafe message.pointee.n_line_ends = lineEnds.count
    unsafe message.pointee.line_ends = arena.array(lineEnds)
    unsafe message.pointee.n_line_widths = lineWidths.count
    unsafe message.pointee.line_widths = arena.array(lineWidths)
    unsafe message.pointee.text_height = UInt32(clamping: textHeight)
    unsafe message.pointee.row_height = UInt32(clamping: rowHeight)
    unsafe message.pointee.width = UInt32(clamping: width)
    unsafe message.pointee.n_cluster_starts = clusterStarts.count
    unsafe message.pointee.cluster_starts = arena.array(clusterStarts)
    unsafe message.pointee.n_cluster_widths = clusterWidths.count
    unsafe message.pointee.cluster_widths = arena.array(clusterWidths)
    unsafe message.pointee.units = UInt32(clamping: units)
    unsafe message.pointee.weighted_length = UInt32(clamping: weightedLength)
    unsafe message.pointee.remaining = Int32(clamping: remaining)
    return unsafe arena.encode(message)
  }
}
