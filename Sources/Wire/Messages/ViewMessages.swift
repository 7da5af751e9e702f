public import ViewState

/// A client's message on Attach; the schema's ClientFrame. Its large cases are boxed: nearly every frame is an
/// acknowledgement, and each is copied several times on its way.
public enum ClientFrame: Equatable, DeclaredMessage {
  indirect case hello(Hello)
  indirect case viewport(ViewportParameters)
  indirect case layout(LayoutParameters)
  /// The newest frame shown.
  case ack(UInt64)
  case bye
  /// A message of a later version.
  case unknown

  static let schema = MessageSchema("ClientFrame")

  init() { self = .bye }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    var frame = fields.isReading ? nil : Optional(self)
    try fields.message(1, of: &frame, ClientFrame.hello) { if case .hello(let hello) = $0 { hello } else { nil } }
    try fields.message(2, of: &frame, ClientFrame.viewport) {
      if case .viewport(let viewport) = $0 { viewport } else { nil }
    }
    try fields.message(3, of: &frame, ClientFrame.layout) { if case .layout(let layout) = $0 { layout } else { nil } }
    try fields.message(4, of: &frame) { (ack: AckMessage) in
      .ack(ack.frame)
    } _: {
      if case .ack(let frame) = $0 { AckMessage(frame: frame) } else { nil }
    }
    try fields.message(5, of: &frame) { (_: ByeMessage) in
      .bye
    } _: {
      $0 == .bye ? ByeMessage() : nil
    }
    if case .layout(let layout) = frame { try layout.checkSize(1...10_000, of: fields) }
    self = frame ?? .unknown
  }
}

private struct AckMessage: DeclaredMessage {
  var frame: UInt64 = 0

  static let schema = MessageSchema("Ack")

  mutating func walk(_ fields: inout WireFields) { fields.number(1, &frame) }
}

private struct ByeMessage: DeclaredMessage {
  static let schema = MessageSchema("Bye")

  mutating func walk(_ fields: inout WireFields) {}
}

/// Opens a view for a simple tool.
public struct WatchRequest: Equatable, DeclaredMessage {
  public var hello: Hello

  static let schema = MessageSchema("WatchRequest")

  /// Opens a view with `hello`.
  public init(hello: Hello) { self.hello = hello }

  init() { hello = Hello() }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.requiredMessage(1, &hello) }
}

/// Moves the viewport of a view opened by Watch.
public struct MoveViewportRequest: Equatable, DeclaredMessage {
  public var viewID: UInt64 = 0
  public var viewport = ViewportParameters()

  static let schema = MessageSchema("MoveViewportRequest")

  public init(viewID: UInt64, viewport: ViewportParameters) {
    self.viewID = viewID
    self.viewport = viewport
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &viewID)
    try fields.requiredMessage(2, &viewport)
  }
}

/// Chooses the preview of a view.
public struct SetPreviewRequest: Equatable, DeclaredMessage {
  public var viewID: UInt64 = 0
  /// The post whose conversation is shown; 0 for none.
  public var postID: UInt64 = 0

  static let schema = MessageSchema("SetPreviewRequest")

  public init(viewID: UInt64, postID: UInt64) {
    self.viewID = viewID
    self.postID = postID
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) {
    fields.number(1, &viewID)
    fields.number(2, &postID)
  }
}

/// A message without content.
public struct EmptyMessage: Equatable, DeclaredMessage {
  static let schema = MessageSchema(
    "StopResponse", "MoveViewportResponse", "SetPreviewResponse", "RefreshResponse", "WatchSourcesRequest")

  public init() {}

  mutating func walk(_ fields: inout WireFields) {}
}

/// Requests laid-out rows of any range.
public struct GetRowsRequest: Equatable, DeclaredMessage {
  /// The direction to read in.
  public enum Direction: UInt32, Sendable {
    /// Towards older posts in a timeline.
    case down = 1
    case up = 2
  }
  public var layout: LayoutParameters
  /// The rows to read; nil for the timeline.
  public var subject: Subject?
  /// Returns rows strictly beyond this one; 0 starts at the end.
  public var anchorRow: UInt64 = 0
  /// The time of that row, which locates its place even if it has been removed; 0 if not given.
  public var anchorAtMilliseconds: Int64 = 0
  public var direction = Direction.down
  /// 1 to 200; 0 means 50.
  public var count = 0
  /// A filter expression; empty for everything.
  public var filter = ""
  /// The session whose reading positions determine what is unread; empty for "main".
  public var session = ""

  /// Requests the newest rows of the timeline.
  public init(layout: LayoutParameters) { self.layout = layout }

  static let schema = MessageSchema("GetRowsRequest")

  init() { layout = LayoutParameters() }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try layout.walkForView(1, &fields)
    try fields.subject(2, &subject)
    fields.number(3, &anchorRow)
    fields.signed(4, &anchorAtMilliseconds)
    fields.choice(5, &direction, unknown: .down)
    fields.count(6, &count)
    try fields.text(7, &filter)
    try fields.text(8, &session)
  }
}

/// Rows in the order of their pane.
public struct GetRowsResponse: Equatable, DeclaredMessage {
  public var rows: [PlacedRow]
  /// The revision they show.
  public var revision: UInt64
  /// True if there are more rows in the requested direction.
  public var hasMore: Bool
  public var labelsAtMilliseconds: Int64
  /// The BCP 47 tag of the language of the labels.
  public var locale: String
  /// Additional indentation of each level of a conversation's tree.
  public var indent: Int

  public init(
    rows: [PlacedRow], revision: UInt64, hasMore: Bool, labelsAtMilliseconds: Int64, locale: String = "en",
    indent: Int = 0
  ) {
    self.locale = locale
    self.indent = indent
    self.rows = rows
    self.revision = revision
    self.hasMore = hasMore
    self.labelsAtMilliseconds = labelsAtMilliseconds
  }

  static let schema = MessageSchema("GetRowsResponse")

  init() { self.init(rows: [], revision: 0, hasMore: false, labelsAtMilliseconds: 0) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &rows)
    fields.number(2, &revision)
    fields.flag(3, &hasMore)
    fields.signed(4, &labelsAtMilliseconds)
    try fields.text(5, &locale)
    fields.count(6, &indent)
  }
}
