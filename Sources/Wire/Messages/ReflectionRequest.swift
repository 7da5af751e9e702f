internal import CProtobufC
internal import WireProto

/// `ServerReflectionRequest` of `grpc.reflection.v1` and of `v1alpha`, which are the same bytes: one question about the
/// schema.
public struct ReflectionRequest: Hashable, WireMessage {
  /// What may be asked.
  public enum Question: Hashable, Sendable {
    /// The file of a name.
    case file(named: String)
    /// The file that declares a service, method, message or enum, by its full name.
    case fileDeclaring(symbol: String)
    /// The file that declares an extension of a message.
    case fileOfExtension(of: String, number: Int32)
    /// The numbers of all extensions of a message.
    case extensionNumbers(of: String)
    /// The services offered; the text means nothing.
    case services(String)
  }
  /// Repeated in the answer.
  public var host: String
  public var question: Question

  /// Asks.
  public init(_ question: Question, host: String = "") {
    self.host = host
    self.question = question
  }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(
      bytes, "ServerReflectionRequest", grpc__reflection__v1__server_reflection_request__unpack
    ) { message throws(DecodingFailure) in try unsafe Self.read(message) }
  }

  /// Reads what lies in memory; also the request inside of a response.
  static func read(_ message: Grpc__Reflection__V1__ServerReflectionRequest) throws(DecodingFailure)
    -> ReflectionRequest
  {
    let question: Question
    switch unsafe message.message_request_case {
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_FILE_BY_FILENAME:
      question = .file(named: unsafe text(message.file_by_filename))
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_FILE_CONTAINING_SYMBOL:
      question = .fileDeclaring(symbol: unsafe text(message.file_containing_symbol))
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_FILE_CONTAINING_EXTENSION:
      let wanted = unsafe message.file_containing_extension.pointee
      question = .fileOfExtension(of: unsafe text(wanted.containing_type), number: unsafe wanted.extension_number)
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_ALL_EXTENSION_NUMBERS_OF_TYPE:
      question = .extensionNumbers(of: unsafe text(message.all_extension_numbers_of_type))
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_LIST_SERVICES:
      question = .services(unsafe text(message.list_services))
    default: throw DecodingFailure("a reflection request asks nothing: message_request is not set")
    }
    return unsafe ReflectionRequest(question, host: text(message.host))
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    return unsafe arena.encode(arena.reflectionRequest(self))
  }
}

extension CArena {
  /// The request as protobuf-c has it.
  func reflectionRequest(_ request: ReflectionRequest) -> UnsafeMutablePointer<
    Grpc__Reflection__V1__ServerReflectionRequest
  > {
    let message = unsafe make(grpc__reflection__v1__server_reflection_request__init)
    unsafe message.pointee.host = string(request.host)
    switch request.question {
    case .file(let name):
      unsafe message.pointee.message_request_case =
        GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_FILE_BY_FILENAME
      unsafe message.pointee.file_by_filename = string(name)
    case .fileDeclaring(let symbol):
      unsafe message.pointee.message_request_case =
        GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_FILE_CONTAINING_SYMBOL
      unsafe message.pointee.file_containing_symbol = string(symbol)
    case .fileOfExtension(let type, let number):
      let wanted = unsafe make(grpc__reflection__v1__extension_request__init)
      unsafe wanted.pointee.containing_type = string(type)
      unsafe wanted.pointee.extension_number = number
      unsafe message.pointee.message_request_case =
        GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_FILE_CONTAINING_EXTENSION
      unsafe message.pointee.file_containing_extension = unsafe wanted
    case .extensionNumbers(let type):
      unsafe message.pointee.message_request_case =
        GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_ALL_EXTENSION_NUMBERS_OF_TYPE
      unsafe message.pointee.all_extension_numbers_of_type = string(type)
    case .services(let value):
      unsafe message.pointee.message_request_case =
        GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_LIST_SERVICES
      unsafe message.pointee.list_services = string(value)
    }
    return unsafe message
  }
}
