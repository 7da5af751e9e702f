public import ViewState

/// How a client opens a view; the schema's Hello.
public struct Hello: Equatable, DeclaredMessage {
  /// Empty for "main", and where there is a subject.
  public var session: String
  /// A section or a search that a view shows which is attached to no session; nil for a view of the session.
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

  static let schema = MessageSchema("Hello")

  /// A view of no size.
  init() { self.init(layout: LayoutParameters(), client: "") }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &session)
    try layout.walkForView(2, &fields)
    try fields.message(3, &viewport)
    try fields.text(4, &client)
    try ResumeMessage.walkIfUsable(5, &resume, &fields)
    try fields.subject(6, &subject)
    guard fields.isReading else { return }
    switch subject {
    case nil, .section, .search: break
    default: throw fields.failure("subject", "can be a section or a search; push other panes in a session")
    }
    guard subject == nil || session.isEmpty else {
      throw fields.failure(
        "session", "is set, but a view with a subject is attached to no session; set one of them")
    }
  }
}
