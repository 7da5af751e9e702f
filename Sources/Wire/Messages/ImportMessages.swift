/// A client's message on Import: the header, then for each file its name and its bytes.
public enum ImportRequest: Equatable, DeclaredMessage {
  /// The first message, and only the first.
  case header(format: String, source: String, isMe: Bool, dryRun: Bool, publishes: Bool = false)
  /// Begins a file; `size` is 0 if unknown.
  case file(name: String, size: UInt64)
  /// The next bytes of the file.
  case chunk([UInt8])

  static let schema = MessageSchema("ImportRequest")

  init() { self = .chunk([]) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    var part = fields.isReading ? nil : Optional(self)
    try fields.message(1, of: &part, \HeaderMessage.request, HeaderMessage.init)
    try fields.message(2, of: &part, \FileMessage.request, FileMessage.init)
    fields.bytes(3, of: &part, ImportRequest.chunk) { if case .chunk(let bytes) = $0 { bytes } else { nil } }
    guard let part else { throw DecodingFailure("an import request must contain a header, a file or a chunk") }
    self = part
  }
}

private struct HeaderMessage: DeclaredMessage {
  var format = ""
  var source = ""
  var isMe = false
  var dryRun = false
  var publishes = false

  static let schema = MessageSchema("ImportHeader")

  init() {}

  init?(_ request: ImportRequest) {
    guard case .header(let format, let source, let isMe, let dryRun, let publishes) = request else { return nil }
    (self.format, self.source, self.isMe) = (format, source, isMe)
    (self.dryRun, self.publishes) = (dryRun, publishes)
  }

  var request: ImportRequest {
    .header(format: format, source: source, isMe: isMe, dryRun: dryRun, publishes: publishes)
  }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &format)
    try fields.text(2, &source)
    fields.flag(3, &isMe)
    fields.flag(4, &dryRun)
    fields.flag(5, &publishes)
  }
}

private struct FileMessage: DeclaredMessage {
  var name = ""
  var size: UInt64 = 0

  static let schema = MessageSchema("ImportFile")

  init() {}

  init?(_ request: ImportRequest) {
    guard case .file(let name, let size) = request else { return nil }
    (self.name, self.size) = (name, size)
  }

  var request: ImportRequest { .file(name: name, size: size) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &name)
    fields.number(2, &size)
  }
}

/// The progress or the result of an import.
public struct ImportResponse: Equatable, DeclaredMessage {
  /// One item that was not imported.
  public struct Skip: Equatable, DeclaredMessage {
    public var file: String
    /// Element or line, counted from 1.
    public var position: UInt64
    public var reason: String

    public init(file: String, position: UInt64, reason: String) {
      self.file = file
      self.position = position
      self.reason = reason
    }

    static let schema = MessageSchema("ImportSkip")

    init() { self.init(file: "", position: 0, reason: "") }

    mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
      try fields.text(1, &file)
      fields.number(2, &position)
      try fields.text(3, &reason)
    }
  }
  public var read: UInt64 = 0
  public var new: UInt64 = 0
  public var changed: UInt64 = 0
  public var same: UInt64 = 0
  public var skipped: UInt64 = 0
  public var bytes: UInt64 = 0
  /// Since the last message.
  public var skips: [Skip] = []
  /// True for the last message, which is the report.
  public var isDone = false
  /// The requested format.
  public var format = ""
  /// At the end, the revision at which the import is visible.
  public var revision: UInt64 = 0
  /// The ID by which the import can be taken back; 0 if it has brought nothing.
  public var importID: UInt64 = 0

  public init() {}

  static let schema = MessageSchema("ImportResponse")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &read)
    fields.number(2, &new)
    fields.number(3, &changed)
    fields.number(4, &same)
    fields.number(5, &skipped)
    fields.number(6, &bytes)
    try fields.messages(7, &skips)
    fields.flag(8, &isDone)
    try fields.text(9, &format)
    fields.number(10, &revision)
    fields.number(11, &importID)
  }
}
