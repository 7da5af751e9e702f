public import ViewState

/// Opens a view; the schema's Hello.
public struct Hello: Equatable, DeclaredMessage {
  /// Empty for "main", and if there is a subject.
  public var session: String
  /// A section or a search, for a view that is attached to no session; nil for a view of the session.
  public var subject: Subject?
  public var layout: LayoutParameters
  /// Nil for the session's last position.
  public var viewport: ViewportParameters?
  /// Name and version of the client.
  public var client: String
  /// The rows a client still holds of a view that ended; nil for none.
  public var resume: Resume?

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
    default: throw fields.failure("subject", "must be a section or a search; push other panes in a session")
    }
    guard subject == nil || session.isEmpty else {
      throw fields.failure(
        "session", "is set together with subject; set only one of them")
    }
  }
}
