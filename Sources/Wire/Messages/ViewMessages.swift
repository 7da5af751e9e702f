internal import CProtobufC
public import ViewState
internal import WireProto

/// What a client says on Attach; the schema's ClientFrame.
public enum ClientFrame: Equatable, WireMessage {
  case hello(Hello)
  case viewport(ViewportParameters)
  case layout(LayoutParameters)
  /// The newest frame shown.
  case ack(UInt64)
  case bye

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    try refuseNUL(in: bytes, outer: 1, field: 7, "hello.search")
    self = unsafe try decode(bytes, "ClientFrame", stack__v1__client_frame__unpack) {
      message throws(DecodingFailure) in
      switch unsafe message.frame_case {
      case STACK__V1__CLIENT_FRAME__FRAME_HELLO: return .hello(unsafe try readHello(message.hello))
      case STACK__V1__CLIENT_FRAME__FRAME_VIEWPORT:
        return .viewport(unsafe readViewport(message.viewport) ?? ViewportParameters())
      case STACK__V1__CLIENT_FRAME__FRAME_LAYOUT: return .layout(unsafe try readLayoutParameters(message.layout))
      case STACK__V1__CLIENT_FRAME__FRAME_ACK: return .ack(unsafe message.ack.pointee.frame)
      case STACK__V1__CLIENT_FRAME__FRAME_BYE: return .bye
      default: throw DecodingFailure("a client frame holds none of hello, viewport, layout, ack and bye")
      }
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__client_frame__init)
    switch self {
    case .hello(let hello):
      unsafe message.pointee.frame_case = STACK__V1__CLIENT_FRAME__FRAME_HELLO
      unsafe message.pointee.hello = arena.hello(hello)
    case .viewport(let viewport):
      unsafe message.pointee.frame_case = STACK__V1__CLIENT_FRAME__FRAME_VIEWPORT
      unsafe message.pointee.viewport = arena.viewport(viewport)
    case .layout(let layout):
      unsafe message.pointee.frame_case = STACK__V1__CLIENT_FRAME__FRAME_LAYOUT
      unsafe message.pointee.layout = arena.layout(layout)
    case .ack(let frame):
      let ack = unsafe arena.make(stack__v1__ack__init)
      unsafe ack.pointee.frame = frame
      unsafe message.pointee.frame_case = STACK__V1__CLIENT_FRAME__FRAME_ACK
      unsafe message.pointee.ack = unsafe ack
    case .bye:
      unsafe message.pointee.frame_case = STACK__V1__CLIENT_FRAME__FRAME_BYE
      unsafe message.pointee.bye = unsafe arena.make(stack__v1__bye__init)
    }
    return unsafe arena.encode(message)
  }
}

/// Opens a view for a simple tool.
public struct WatchRequest: Equatable, WireMessage {
  public var hello: Hello

  /// Opens with `hello`.
  public init(hello: Hello) { self.hello = hello }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    try refuseNUL(in: bytes, outer: 1, field: 7, "hello.search")
    self = unsafe try decode(bytes, "WatchRequest", stack__v1__watch_request__unpack) {
      message throws(DecodingFailure) in
      WatchRequest(hello: unsafe try readHello(message.hello))
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__watch_request__init)
    unsafe message.pointee.hello = arena.hello(hello)
    return unsafe arena.encode(message)
  }
}

/// Moves the viewport of a view that a tool watches.
public struct MoveViewportRequest: Equatable, WireMessage {
  public var viewID: UInt64
  public var viewport: ViewportParameters

  /// Puts the parts together.
  public init(viewID: UInt64, viewport: ViewportParameters) {
    self.viewID = viewID
    self.viewport = viewport
  }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "MoveViewportRequest", stack__v1__move_viewport_request__unpack) {
      message throws(DecodingFailure) in
      guard let viewport = unsafe readViewport(message.viewport) else { throw DecodingFailure("viewport is missing") }
      return MoveViewportRequest(viewID: unsafe message.view_id, viewport: viewport)
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__move_viewport_request__init)
    unsafe message.pointee.view_id = viewID
    unsafe message.pointee.viewport = arena.viewport(viewport)
    return unsafe arena.encode(message)
  }
}

/// A response without content: MoveViewportResponse and StopResponse are such.
public struct EmptyMessage: Equatable, WireMessage {
  /// The only one.
  public init() {}

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "StopResponse", stack__v1__stop_response__unpack) {
      message throws(DecodingFailure) in
      EmptyMessage()
    }
  }

  public func encoded() -> [UInt8] { [] }
}

/// Asks for laid-out rows of any range.
public struct GetRowsRequest: Equatable, WireMessage {
  /// What to read; posts are named by number or `source:native-id`, authors also by @handle, lists by number or name.
  public enum Subject: Equatable, Sendable {
    case timeline
    case post(String)
    case conversation(String)
    case section(Section)
    case author(String)
    case list(String)
    case search(String)
    /// A direct conversation, by its number.
    case direct(UInt64)
  }
  /// Which way to read.
  public enum Direction: UInt32, Sendable {
    case older = 1
    case newer = 2
  }
  public var layout: LayoutParameters
  public var subject = Subject.timeline
  /// Rows strictly beyond this one; 0 begins at the end.
  public var anchorRow: UInt64 = 0
  /// The instant of that row, by which its place is found though it has gone; 0 where it is not said.
  public var anchorAtMilliseconds: Int64 = 0
  public var direction = Direction.older
  /// 1 to 200; 0 means 50.
  public var count = 0
  /// What is to be let through, in the words of filters; empty for everything.
  public var filter = ""
  /// Whose reading positions say what is unread; empty for "main".
  public var session = ""

  /// The newest rows of the timeline.
  public init(layout: LayoutParameters) { self.layout = layout }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    try refuseNUL(in: bytes, field: 10, "search")
    try refuseNUL(in: bytes, field: 12, "filter")
    try refuseNUL(in: bytes, field: 13, "session")
    self = unsafe try decode(bytes, "GetRowsRequest", stack__v1__get_rows_request__unpack) {
      message throws(DecodingFailure) in
      var request = GetRowsRequest(layout: unsafe try readLayoutParameters(message.layout))
      switch unsafe message.subject_case {
      case STACK__V1__GET_ROWS_REQUEST__SUBJECT_POST: request.subject = .post(unsafe text(message.post))
      case STACK__V1__GET_ROWS_REQUEST__SUBJECT_CONVERSATION:
        request.subject = .conversation(unsafe text(message.conversation))
      case STACK__V1__GET_ROWS_REQUEST__SUBJECT_SECTION:
        let number = unsafe message.section.rawValue
        guard let section = UInt8(exactly: number).flatMap(Section.init) else {
          throw DecodingFailure(field: "section", "is \(number), which is none of its values")
        }
        request.subject = .section(section)
      case STACK__V1__GET_ROWS_REQUEST__SUBJECT_AUTHOR: request.subject = .author(unsafe text(message.author))
      case STACK__V1__GET_ROWS_REQUEST__SUBJECT_LIST: request.subject = .list(unsafe text(message.list))
      case STACK__V1__GET_ROWS_REQUEST__SUBJECT_SEARCH: request.subject = .search(unsafe text(message.search))
      case STACK__V1__GET_ROWS_REQUEST__SUBJECT_DIRECT: request.subject = .direct(unsafe message.direct)
      default: request.subject = .timeline
      }
      request.anchorRow = unsafe message.anchor_row
      request.anchorAtMilliseconds = unsafe message.anchor_at_ms
      request.direction = unsafe Direction(rawValue: message.direction.rawValue) ?? .older
      request.count = unsafe Int(message.count)
      request.filter = unsafe text(message.filter)
      request.session = unsafe text(message.session)
      return request
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__get_rows_request__init)
    unsafe message.pointee.layout = arena.layout(layout)
    switch subject {
    case .timeline: break
    case .post(let reference):
      unsafe message.pointee.subject_case = STACK__V1__GET_ROWS_REQUEST__SUBJECT_POST
      unsafe message.pointee.post = arena.string(reference)
    case .conversation(let reference):
      unsafe message.pointee.subject_case = STACK__V1__GET_ROWS_REQUEST__SUBJECT_CONVERSATION
      unsafe message.pointee.conversation = arena.string(reference)
    case .section(let section):
      unsafe message.pointee.subject_case = STACK__V1__GET_ROWS_REQUEST__SUBJECT_SECTION
      unsafe message.pointee.section = Stack__V1__Section(rawValue: UInt32(section.rawValue))
    case .author(let reference):
      unsafe message.pointee.subject_case = STACK__V1__GET_ROWS_REQUEST__SUBJECT_AUTHOR
      unsafe message.pointee.author = arena.string(reference)
    case .list(let reference):
      unsafe message.pointee.subject_case = STACK__V1__GET_ROWS_REQUEST__SUBJECT_LIST
      unsafe message.pointee.list = arena.string(reference)
    case .search(let query):
      unsafe message.pointee.subject_case = STACK__V1__GET_ROWS_REQUEST__SUBJECT_SEARCH
      unsafe message.pointee.search = arena.string(query)
    case .direct(let circle):
      unsafe message.pointee.subject_case = STACK__V1__GET_ROWS_REQUEST__SUBJECT_DIRECT
      unsafe message.pointee.direct = circle
    }
    unsafe message.pointee.anchor_row = anchorRow
    unsafe message.pointee.anchor_at_ms = anchorAtMilliseconds
    unsafe message.pointee.direction = Stack__V1__Direction(rawValue: direction.rawValue)
    unsafe message.pointee.count = UInt32(clamping: count)
    unsafe message.pointee.filter = arena.string(filter)
    unsafe message.pointee.session = arena.string(session)
    return unsafe arena.encode(message)
  }
}

/// Rows in the order of their pane.
public struct GetRowsResponse: Equatable, WireMessage {
  public var rows: [PlacedRow]
  /// The revision they show.
  public var revision: UInt64
  /// There are more in the asked direction.
  public var hasMore: Bool
  public var labelsAtMilliseconds: Int64
  /// The BCP 47 tag of the language that labels are in.
  public var locale: String
  /// How much further right each level of a conversation's tree begins.
  public var indent: Int

  /// Puts the parts together.
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

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "GetRowsResponse", stack__v1__get_rows_response__unpack) {
      message throws(DecodingFailure) in
      unsafe GetRowsResponse(
        rows: try array(message.rows, message.n_rows, readPlacedRow), revision: message.revision,
        hasMore: message.more != 0, labelsAtMilliseconds: message.labels_at_ms, locale: text(message.locale),
        indent: Int(message.indent))
    }
  }

  public func encoded() -> [UInt8] {
    var writer = WireWriter()
    for row in rows { writer.bytes(1, row.encoded()) }
    writer.varint(2, revision)
    writer.varint(3, hasMore ? 1 : 0)
    writer.zigzag(4, labelsAtMilliseconds)
    if !locale.isEmpty { writer.bytes(5, Array(locale.utf8)) }
    writer.varint(6, UInt64(clamping: indent))
    return writer.output
  }
}
