public import ViewState

/// Requests the layout of a text; the schema's MeasureRequest.
public struct MeasureRequest: Equatable, DeclaredMessage {
  public var text: String
  /// Its width and height may be 0 if ``width`` is not.
  public var layout = LayoutParameters(width: 0, height: 0)
  /// Width of a line; 0 for that of the first pane of a view with ``layout``.
  public var width = 0
  /// The source that a post with the text would be for, and the post that it would answer, as in ComposeRequest.
  public var source = ""
  public var inReplyTo = ""
  /// The content warning of that post, which counts with the text; empty for none.
  public var contentWarning = ""
  /// The post whose text this would become; empty for none.
  public var editedPost = ""

  /// Maximum bytes of text in one request.
  public static let maximumBytes = 64 * 1024

  /// Requests the layout of `text` in lines of `width`.
  public init(text: String, width: Int = 0) {
    self.text = text
    self.width = width
  }

  static let schema = MessageSchema("MeasureRequest")

  init() { self.init(text: "") }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &text)
    var layout = fields.isReading ? nil : Optional(layout)
    try fields.message(2, &layout)
    fields.count(3, &width)
    try fields.text(4, &source)
    try fields.text(5, &inReplyTo)
    try fields.text(6, &contentWarning)
    try fields.text(7, &editedPost)
    guard fields.isReading else { return }
    guard text.utf8.count <= Self.maximumBytes else {
      throw fields.failure(
        "text", "has more than \(Self.maximumBytes) bytes; measure it in parts, split at line breaks",
        limit: Self.maximumBytes)
    }
    guard width <= 10_000 else { throw fields.failure("width", "is \(width); it must be 0 to 10,000") }
    if let layout {
      self.layout = layout
      try layout.checkSize((width == 0 ? 1 : 0)...10_000, of: fields)
    } else if width == 0 {
      throw fields.failure("width", "is 0 and there is no layout; set one of them")
    }
  }
}

/// The layout of a text; the schema's MeasureResponse.
public struct MeasureResponse: Equatable, DeclaredMessage {
  /// The measured text, if it differs from the one that was sent.
  public var text: [UInt8] = []
  public var lineEnds: [UInt32] = []
  /// In ``units``; without the part at a line's end that is not painted.
  public var lineWidths: [UInt32] = []
  public var textHeight = 0
  public var rowHeight = 0
  public var width = 0
  /// First byte of each cluster.
  public var clusterStarts: [UInt32] = []
  /// In ``units``.
  public var clusterWidths: [UInt32] = []
  /// The number of units in a cell or a point.
  public var units = 1
  /// The length by which posts are limited.
  public var weightedLength = 0
  /// The length a post with this text has left; negative if it is too long.
  public var remaining = 0

  public init() {}

  static let schema = MessageSchema("MeasureResponse")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.utf8(1, &text)
    fields.numbers(2, &lineEnds)
    fields.numbers(3, &lineWidths)
    fields.count(4, &textHeight)
    fields.count(5, &rowHeight)
    fields.count(6, &width)
    fields.numbers(7, &clusterStarts)
    fields.numbers(8, &clusterWidths)
    fields.count(9, &units)
    fields.count(10, &weightedLength)
    fields.signed(11, &remaining)
    guard fields.isReading else { return }
    guard lineEnds.count == lineWidths.count, clusterStarts.count == clusterWidths.count, units > 0 else {
      throw DecodingFailure("the measured text has more or fewer widths than lines or clusters, or no units")
    }
  }
}
