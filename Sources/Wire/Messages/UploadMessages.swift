public import ViewState

/// A client's message on UploadMedia: the header, then the bytes of the file.
public enum UploadMediaRequest: Equatable, DeclaredMessage {
  /// The first message, and only the first.
  case header(UploadMediaHeader)
  /// The next bytes of the file.
  case chunk([UInt8])

  static let schema = MessageSchema("UploadMediaRequest")

  init() { self = .chunk([]) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    var part = fields.isReading ? nil : Optional(self)
    try fields.message(1, of: &part, UploadMediaRequest.header) {
      if case .header(let header) = $0 { header } else { nil }
    }
    fields.bytes(2, of: &part, UploadMediaRequest.chunk) { if case .chunk(let bytes) = $0 { bytes } else { nil } }
    guard let part else { throw DecodingFailure("an upload must contain a header or a chunk") }
    self = part
  }
}

/// What a file is, and the post that it is for.
public struct UploadMediaHeader: Equatable, DeclaredMessage {
  /// The source of the post; empty for that of the post it replies to.
  public var source = ""
  /// The post it replies to; empty for none.
  public var inReplyTo = ""
  /// The MIME type of the file.
  public var mediaType = ""
  /// A description of its contents; may be empty.
  public var description = ""
  /// The number of its bytes.
  public var byteCount: UInt64 = 0

  static let schema = MessageSchema("UploadMediaHeader")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &source)
    try fields.text(2, &inReplyTo)
    try fields.text(3, &mediaType)
    try fields.text(4, &description)
    fields.number(5, &byteCount)
  }
}

/// A file that a source has for a new post.
public struct UploadedMedia: Equatable, DeclaredMessage {
  /// The source's ID of the file.
  public var id: String
  /// The attachment that it will be.
  public var media: RowMedia
  /// The login whose server has it.
  public var login: String

  static let schema = MessageSchema("UploadedMedia")

  public init(id: String, media: RowMedia, login: String = "") {
    (self.id, self.media, self.login) = (id, media, login)
  }

  init() { self.init(id: "", media: RowMedia()) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &id)
    try fields.message(2, &media)
    try fields.text(3, &login)
  }
}

/// The source has the file.
public struct UploadMediaResponse: Equatable, DeclaredMessage {
  public var media: UploadedMedia

  static let schema = MessageSchema("UploadMediaResponse")

  public init(_ media: UploadedMedia) { self.media = media }

  init() { media = UploadedMedia() }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.message(1, &media) }
}
