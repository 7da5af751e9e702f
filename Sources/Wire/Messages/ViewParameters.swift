internal import CProtobufC
public import ViewState
internal import WireProto

/// How a client opens a view; the schema's Hello.
public struct Hello: Equatable, Sendable {
  /// What a view shows that is attached to no session.
  public enum Subject: Equatable, Sendable {
    case section(Section)
    /// What a search finds, as somebody typed it.
    case search(String)
  }
  /// Empty for "main", and where there is a subject.
  public var session: String
  /// nil for a view of the session.
  public var subject: Subject?
  public var layout: LayoutParameters
  /// nil: where the session was last.
  public var viewport: ViewportParameters?
  /// Name and version of the client.
  public var client: String
  /// What the client still holds of a view that ended; nil for nothing.
  public var resume: Resume?

  /// Puts the parts together.
  public init(
    session: String = "", subject: Subject? = nil, layout: LayoutParameters, viewport: ViewportParameters? = nil,
    client: String,
    resume: Resume? = nil
  ) {
    self.session = session
    self.subject = subject
    self.layout = layout
    self.viewport = viewport
    self.client = client
    self.resume = resume
  }
}

extension CArena {
  func layout(_ layout: LayoutParameters) -> UnsafeMutablePointer<Stack__V1__Layout> {
    let message = unsafe make(stack__v1__layout__init)
    unsafe message.pointee.metrics =
      layout.points == nil
      ? STACK__V1__METRICS_PROFILE__METRICS_PROFILE_CELLS : STACK__V1__METRICS_PROFILE__METRICS_PROFILE_POINTS
    if let points = layout.points { unsafe message.pointee.points = self.points(points) }
    unsafe message.pointee.width = UInt32(clamping: layout.width)
    unsafe message.pointee.height = UInt32(clamping: layout.height)
    unsafe message.pointee.width_profile = Stack__V1__WidthProfile(rawValue: layout.widthProfile.rawValue)
    unsafe message.pointee.ambiguous_width = UInt32(clamping: layout.ambiguousWidth)
    unsafe message.pointee.single_pane = layout.isSinglePane ? 1 : 0
    unsafe message.pointee.time_zone = string(layout.timeZone)
    unsafe message.pointee.time_style = Stack__V1__TimeStyle(rawValue: layout.timeStyle.rawValue)
    unsafe message.pointee.locale = string(layout.locale)
    unsafe message.pointee.clock_size = UInt32(clamping: layout.clockSize)
    unsafe message.pointee.day_lines = layout.hasDayLines ? 1 : 0
    return unsafe message
  }

  func viewport(_ viewport: ViewportParameters) -> UnsafeMutablePointer<Stack__V1__Viewport> {
    let message = unsafe make(stack__v1__viewport__init)
    unsafe message.pointee.pane_id = viewport.paneID
    unsafe message.pointee.anchor_row = viewport.anchorRow
    unsafe message.pointee.line = UInt32(clamping: viewport.line)
    unsafe message.pointee.generation = viewport.generation
    unsafe message.pointee.at_ms = viewport.atMilliseconds
    return unsafe message
  }

  func hello(_ hello: Hello) -> UnsafeMutablePointer<Stack__V1__Hello> {
    let message = unsafe make(stack__v1__hello__init)
    unsafe message.pointee.session = string(hello.session)
    unsafe message.pointee.layout = layout(hello.layout)
    if let viewport = hello.viewport { unsafe message.pointee.viewport = self.viewport(viewport) }
    unsafe message.pointee.client = string(hello.client)
    if let resume = hello.resume { unsafe message.pointee.resume = self.resume(resume) }
    switch hello.subject {
    case .section(let section):
      unsafe message.pointee.subject_case = STACK__V1__HELLO__SUBJECT_SECTION
      unsafe message.pointee.section = Stack__V1__Section(rawValue: UInt32(section.rawValue))
    case .search(let query):
      unsafe message.pointee.subject_case = STACK__V1__HELLO__SUBJECT_SEARCH
      unsafe message.pointee.search = string(query)
    case nil: break
    }
    return unsafe message
  }
}

/// Reads a layout. An unknown profile or style is its default; whatever is out of range is a failure that names the
/// field.
///
/// - Parameter isSized: Whether it is for a view, which has a width and a height; otherwise both may be 0.
func readLayoutParameters(
  _ pointer: UnsafeMutablePointer<Stack__V1__Layout>?, isSized: Bool = true
) throws(DecodingFailure) -> LayoutParameters {
  guard let pointer = unsafe pointer else { throw DecodingFailure(field: "layout", "is missing") }
  let message = unsafe pointer.pointee
  let sizes = (isSized ? 1 : 0)...10_000
  for (field, size) in unsafe [("layout.width", message.width), ("layout.height", message.height)]
  where !sizes.contains(Int(size)) {
    throw DecodingFailure(field: field, "is \(size); \(sizes.lowerBound) to 10,000 is possible")
  }
  var layout = unsafe LayoutParameters(width: Int(message.width), height: Int(message.height))
  layout.points = unsafe try readPoints(message.points, message.metrics)
  layout.widthProfile = unsafe LayoutParameters.WidthProfile(rawValue: message.width_profile.rawValue) ?? .sum
  layout.ambiguousWidth = unsafe message.ambiguous_width == 2 ? 2 : 1
  layout.isSinglePane = unsafe message.single_pane != 0
  layout.timeZone = unsafe text(message.time_zone)
  layout.timeStyle = unsafe LayoutParameters.TimeStyle(rawValue: message.time_style.rawValue) ?? .veryShort
  layout.locale = unsafe text(message.locale)
  guard unsafe message.clock_size <= 1000 else {
    throw DecodingFailure(field: "layout.clock_size", "is \(unsafe message.clock_size); 0 to 1,000 is possible")
  }
  layout.clockSize = unsafe Int(message.clock_size)
  layout.hasDayLines = unsafe message.day_lines != 0
  return layout
}

/// Reads a viewport; nil where there is none.
func readViewport(_ pointer: UnsafeMutablePointer<Stack__V1__Viewport>?) -> ViewportParameters? {
  guard let pointer = unsafe pointer else { return nil }
  var viewport = ViewportParameters()
  viewport.paneID = unsafe pointer.pointee.pane_id
  viewport.anchorRow = unsafe pointer.pointee.anchor_row
  viewport.line = unsafe Int(pointer.pointee.line)
  viewport.generation = unsafe pointer.pointee.generation
  viewport.atMilliseconds = unsafe pointer.pointee.at_ms
  return viewport
}

/// Reads a hello.
func readHello(_ pointer: UnsafeMutablePointer<Stack__V1__Hello>?) throws(DecodingFailure) -> Hello {
  guard let pointer = unsafe pointer else { throw DecodingFailure("hello is missing") }
  let message = unsafe pointer.pointee
  var hello = unsafe Hello(
    session: text(message.session), layout: try readLayoutParameters(message.layout),
    viewport: readViewport(message.viewport), client: text(message.client), resume: try readResume(message.resume))
  switch unsafe message.subject_case {
  case STACK__V1__HELLO__SUBJECT_SECTION:
    let number = unsafe message.section.rawValue
    guard let section = UInt8(exactly: number).flatMap(Section.init) else {
      throw DecodingFailure(field: "hello.section", "is \(number), which is none of its values")
    }
    hello.subject = .section(section)
  case STACK__V1__HELLO__SUBJECT_SEARCH: hello.subject = .search(unsafe text(message.search))
  default: break
  }
  guard hello.subject == nil || hello.session.isEmpty else {
    throw DecodingFailure(
      field: "hello.session", "is set, but a view of a section or a search is attached to no session; set one of them")
  }
  return hello
}
