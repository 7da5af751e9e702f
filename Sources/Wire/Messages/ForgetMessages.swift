/// An import that can be taken back; the schema's StoredImport.
public struct ImportSummary: Equatable, DeclaredMessage {
  public var importID: UInt64 = 0
  /// Name of the account that imported.
  public var account = ""
  /// Name of the first file.
  public var file = ""
  public var startedAtMilliseconds: Int64 = 0
  /// Number of posts that it brought first.
  public var new: UInt64 = 0
  /// Number of posts that it changed.
  public var changed: UInt64 = 0

  static let schema = MessageSchema("StoredImport")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &importID)
    try fields.text(2, &account)
    try fields.text(3, &file)
    fields.signed(4, &startedAtMilliseconds)
    fields.number(5, &new)
    fields.number(6, &changed)
  }
}

/// Imports, newest first.
public struct ListImportsResponse: Equatable, DeclaredMessage, PageResponse {
  public var imports: [ImportSummary] = []
  public var nextPageToken = ""

  /// The imports, for generic readers of pages.
  public var items: [ImportSummary] { imports }

  static let schema = MessageSchema("ListImportsResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &imports)
    try fields.text(2, &nextPageToken)
  }
}

/// Removes a part of what was imported.
public struct ForgetImportedRequest: Equatable, DeclaredMessage {
  /// The posts to remove.
  public enum Subject: Equatable, Sendable {
    /// Those that an import brought first.
    case importID(UInt64)
    /// Those of a source.
    case source(String)
  }

  public var subject: Subject?
  /// True to remove the posts of all accounts, also what others have a part in.
  public var isForEveryone = false
  /// ``ForgetImportedResponse/nextToken`` of the previous call; empty to begin.
  public var token = ""

  static let schema = MessageSchema("ForgetImportedRequest")

  public init(_ subject: Subject) { self.subject = subject }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, of: &subject, Subject.importID) { if case .importID(let id) = $0 { id } else { nil } }
    try fields.text(2, of: &subject, Subject.source) { if case .source(let name) = $0 { name } else { nil } }
    fields.flag(3, &isForEveryone)
    try fields.text(4, &token)
  }
}

/// A part of the posts is removed.
public struct ForgetImportedResponse: Equatable, DeclaredMessage {
  public var removed: UInt64 = 0
  /// Number of posts that stay, since other accounts have a part in them.
  public var kept: UInt64 = 0
  /// Where to continue; empty if all is done.
  public var nextToken = ""
  /// Frames at or after this revision include the change.
  public var revision: UInt64 = 0

  static let schema = MessageSchema("ForgetImportedResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &removed)
    fields.number(2, &kept)
    try fields.text(3, &nextToken)
    fields.number(4, &revision)
  }
}
