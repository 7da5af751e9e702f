/// The result of an integrity check of the store.
public struct CheckIntegrityResponse: Equatable, DeclaredMessage {
  /// The problems found, one line each.
  public var findings: [String] = []

  static let schema = MessageSchema("CheckIntegrityResponse")

  /// A store without problems.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.texts(1, &findings) }
}

/// Requests a copy of the store.
public struct BackupRequest: Equatable, DeclaredMessage {
  /// An absolute path on the daemon's machine, where nothing exists yet.
  public var path = ""

  static let schema = MessageSchema("BackupRequest")
  /// Maximum bytes of a path: Linux's PATH_MAX without the terminating NUL.
  public static let pathLimit = 4095

  /// Requests a copy at `path`.
  public init(path: String) { self.path = path }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &path, limit: Self.pathLimit)
    guard !fields.isReading || path.hasPrefix("/") else {
      throw fields.failure("path", "must be an absolute path on the daemon's machine")
    }
  }
}

/// The result of Backup.
public struct BackupResponse: Equatable, DeclaredMessage {
  public var path = ""
  public var bytes: UInt64 = 0

  static let schema = MessageSchema("BackupResponse")

  public init(path: String, bytes: UInt64) {
    self.path = path
    self.bytes = bytes
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &path)
    fields.number(2, &bytes)
  }
}
