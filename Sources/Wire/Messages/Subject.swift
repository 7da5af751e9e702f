public import ViewState

/// The content of a pane, a view or a range of rows; the schema's Subject. Posts are named by ID or `source:native-id`,
/// authors also by @handle, lists by ID or name.
public enum Subject: Equatable, Sendable {
  case section(Section)
  case post(String)
  case conversation(String)
  case author(String)
  case list(String)
  /// A direct conversation, by its ID.
  case direct(UInt64)
  /// The results of a search, by the query as typed.
  case search(String)
}

/// The message that holds a subject; nil if it is empty or holds one of a later version.
private struct SubjectMessage: DeclaredMessage {
  var subject: Subject?

  static let schema = MessageSchema("Subject")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.choice(1, of: &subject, Subject.section) { if case .section(let section) = $0 { section } else { nil } }
    try fields.text(2, of: &subject, Subject.post) { if case .post(let post) = $0 { post } else { nil } }
    try fields.text(3, of: &subject, Subject.conversation) {
      if case .conversation(let post) = $0 { post } else { nil }
    }
    try fields.text(4, of: &subject, Subject.author) { if case .author(let author) = $0 { author } else { nil } }
    try fields.text(5, of: &subject, Subject.list) { if case .list(let list) = $0 { list } else { nil } }
    fields.number(6, of: &subject, Subject.direct) { if case .direct(let direct) = $0 { direct } else { nil } }
    try fields.text(7, of: &subject, Subject.search) { if case .search(let query) = $0 { query } else { nil } }
  }
}

extension WireFields {
  /// A subject that may be missing.
  ///
  /// - Throws: if the field is present but empty.
  mutating func subject(_ number: UInt32, _ value: inout Subject?) throws(DecodingFailure) {
    var message = value.map { SubjectMessage(subject: $0) }
    try self.message(number, &message)
    guard isReading else { return }
    if let message, message.subject == nil {
      throw failure("subject", "is empty; set one of section, post, conversation, author, list, direct and search")
    }
    value = message?.subject
  }
}
