/// The part of a post that an edit changes. Everything else of a body is its source's word, also while an edit waits.
public struct EditableText: Equatable, Sendable {
  public var text: SafeText
  public var spans: [Span]
  /// True if it differs from the post's first version.
  public var isEdited: Bool

  /// The text of a body.
  public init(of body: PostBody) {
    (text, spans, isEdited) = (body.text, body.spans, body.flags.contains(.edited))
  }

  /// The text of a packed body; a note that says so for a damaged one.
  public init(of body: PackedBody) {
    self.init(of: body.unpacked() ?? PostBody(text: SafeText(trusted: CompactBody.damagedText)))
  }

  /// Returns a body with this text in place of its own.
  public func replacing(in body: PostBody) -> PostBody {
    var body = body
    (body.text, body.spans) = (text, spans)
    if isEdited { body.flags.insert(.edited) } else { body.flags.remove(.edited) }
    return body
  }

  /// The text as a body without anything else, as the store keeps it. O(length).
  public var packed: PackedBody { PackedBody(replacing(in: PostBody(text: .empty))) }
}
