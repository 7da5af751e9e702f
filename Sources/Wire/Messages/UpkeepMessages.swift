/// Whether the store is sound.
public struct CheckIntegrityResponse: Equatable, DeclaredMessage {
  /// What is wrong, one line each.
  public var findings: [String] = []

  static let schema = MessageSchema("CheckIntegrityResponse")

  /// A sound store.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.texts(1, &findings) }
}

/// Asks for a copy of the store.
public struct BackupRequest: Equatable, DeclaredMessage {
  /// Absolute, on the daemon's machine; nothing is there yet.
  public var path = ""

  static let schema = MessageSchema("BackupRequest")
  /// Bytes that Linux's PATH_MAX leaves to a path.
  public static let pathLimit = 4095

  /// A copy at `path`.
  public init(path: String) { self.path = path }

  /// Nowhere yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &path, limit: Self.pathLimit)
    guard !fields.isReading || path.hasPrefix("/") else {
      throw fields.failure("path", "is not absolute: begin it with /, on the daemon's machine")
    }
  }
}

/// The copy is written.
public struct BackupResponse: Equatable, DeclaredMessage {
  public var path = ""
  public var bytes: UInt64 = 0

  static let schema = MessageSchema("BackupResponse")

  /// Puts the parts together.
  public init(path: String, bytes: UInt64) {
    self.path = path
    self.bytes = bytes
  }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &path)
    fields.number(2, &bytes)
  }
}
