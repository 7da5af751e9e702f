internal import CProtobufC
internal import WireProto

/// What a client says on Import: the header, then for each file its name and its bytes.
public enum ImportRequest: Equatable, WireMessage {
  /// First and only first.
  case header(format: String, source: String, isMe: Bool, dryRun: Bool)
  /// A file begins; `size` is 0 where unknown.
  case file(name: String, size: UInt64)
  /// The next bytes of the file.
  case chunk([UInt8])

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "ImportRequest", stack__v1__import_request__unpack) {
      message throws(DecodingFailure) in
      switch unsafe message.part_case {
      case STACK__V1__IMPORT_REQUEST__PART_HEADER:
        let header = unsafe message.header.pointee
        return unsafe .header(
          format: text(header.format), source: text(header.source), isMe: header.is_me != 0,
          dryRun: header.dry_run != 0)
      case STACK__V1__IMPORT_REQUEST__PART_FILE:
        return unsafe .file(name: text(message.file.pointee.name), size: message.file.pointee.size)
      case STACK__V1__IMPORT_REQUEST__PART_CHUNK:
        return unsafe .chunk(Messages.bytes(message.chunk))
      default: throw DecodingFailure("an import request holds none of header, file and chunk")
      }
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__import_request__init)
    switch self {
    case .header(let format, let source, let isMe, let dryRun):
      let header = unsafe arena.make(stack__v1__import_header__init)
      unsafe header.pointee.format = arena.string(format)
      unsafe header.pointee.source = arena.string(source)
      unsafe header.pointee.is_me = isMe ? 1 : 0
      unsafe header.pointee.dry_run = dryRun ? 1 : 0
      unsafe message.pointee.part_case = STACK__V1__IMPORT_REQUEST__PART_HEADER
      unsafe message.pointee.header = unsafe header
    case .file(let name, let size):
      let file = unsafe arena.make(stack__v1__import_file__init)
      unsafe file.pointee.name = arena.string(name)
      unsafe file.pointee.size = size
      unsafe message.pointee.part_case = STACK__V1__IMPORT_REQUEST__PART_FILE
      unsafe message.pointee.file = unsafe file
    case .chunk(let bytes):
      unsafe message.pointee.part_case = STACK__V1__IMPORT_REQUEST__PART_CHUNK
      unsafe message.pointee.chunk = arena.data(bytes)
    }
    return unsafe arena.encode(message)
  }
}

/// How far an import is, or how it ended.
public struct ImportResponse: Equatable, WireMessage {
  /// One thing that was not taken.
  public struct Skip: Equatable, Sendable {
    public var file: String
    /// Element or line, counted from 1.
    public var position: UInt64
    public var reason: String

    /// Puts the parts together.
    public init(file: String, position: UInt64, reason: String) {
      self.file = file
      self.position = position
      self.reason = reason
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
  /// The last message: the report.
  public var isDone = false
  /// The format asked for.
  public var format = ""
  /// At the end, the revision at which the import is visible.
  public var revision: UInt64 = 0

  /// Nothing read yet.
  public init() {}

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "ImportResponse", stack__v1__import_response__unpack) {
      message throws(DecodingFailure) in
      var response = ImportResponse()
      response.read = unsafe message.read
      response.new = unsafe message.new_posts
      response.changed = unsafe message.changed
      response.same = unsafe message.same
      response.skipped = unsafe message.skipped
      response.bytes = unsafe message.bytes
      response.skips = unsafe try array(message.skips, message.n_skips) { skip throws(DecodingFailure) in
        unsafe Skip(file: text(skip.pointee.file), position: skip.pointee.position, reason: text(skip.pointee.reason))
      }
      response.isDone = unsafe message.done != 0
      response.format = unsafe text(message.format)
      response.revision = unsafe message.revision
      return response
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__import_response__init)
    unsafe message.pointee.read = read
    unsafe message.pointee.new_posts = new
    unsafe message.pointee.changed = changed
    unsafe message.pointee.same = same
    unsafe message.pointee.skipped = skipped
    unsafe message.pointee.bytes = bytes
    unsafe message.pointee.n_skips = skips.count
    unsafe message.pointee.skips = arena.pointers(skips) { skip in
      let message = unsafe arena.make(stack__v1__import_skip__init)
      unsafe message.pointee.file = arena.string(skip.file)
      unsafe message.pointee.position = skip.position
      unsafe message.pointee.reason = arena.string(skip.reason)
      return unsafe message
    }
    unsafe message.pointee.done = isDone ? 1 : 0
    unsafe message.pointee.format = arena.string(format)
    unsafe message.pointee.revision = revision
    return unsafe arena.encode(message)
  }
}
