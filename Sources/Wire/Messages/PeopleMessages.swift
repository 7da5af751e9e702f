public import ViewState

/// Sets what others see of the caller's account.
public struct SetProfileRequest: Equatable, DeclaredMessage {
  /// A part of what others see.
  public enum Change: Equatable, Sendable {
    /// The name to be shown under; empty for the account's own name.
    case displayName(String)
    /// A line about oneself; empty for none.
    case about(String)
  }

  public var change: Change?

  static let schema = MessageSchema("SetProfileRequest")

  public init(_ change: Change) { self.change = change }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, of: &change, Change.displayName) { if case .displayName(let name) = $0 { name } else { nil } }
    try fields.text(2, of: &change, Change.about) { if case .about(let line) = $0 { line } else { nil } }
  }
}

/// What others see of the caller's account.
public struct SetProfileResponse: Equatable, DeclaredMessage {
  public var profile = ProfileSummary()
  /// Frames at or after this revision include the change.
  public var revision: UInt64 = 0

  static let schema = MessageSchema("SetProfileResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.requiredMessage(1, &profile)
    fields.number(2, &revision)
  }
}

/// The accounts of the daemon as the caller sees them.
public struct ListPeopleResponse: Equatable, DeclaredMessage, PageResponse {
  /// By name.
  public var people: [ProfileSummary] = []
  public var nextPageToken = ""

  /// The people, for generic readers of pages.
  public var items: [ProfileSummary] { people }

  static let schema = MessageSchema("ListPeopleResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &people)
    try fields.text(2, &nextPageToken)
  }
}
