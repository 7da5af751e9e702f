internal import CProtobufC
internal import WireProto

/// `ServerReflectionResponse` of `grpc.reflection.v1` and of `v1alpha`, which are the same bytes: the answer to one
/// question.
public struct ReflectionResponse: Hashable, WireMessage {
  /// What the answer can be.
  public enum Answer: Hashable, Sendable {
    /// Serialized file descriptors: the file asked for, then all that it imports.
    case files([[UInt8]])
    /// The extensions of a message.
    case extensionNumbers(type: String, numbers: [Int32])
    /// The full names of the services.
    case services([String])
    /// There is no such thing: a gRPC status code and a sentence.
    case failure(code: Int32, message: String)
  }
  /// The question.
  public var request: ReflectionRequest
  public var answer: Answer

  /// Answers.
  public init(to request: ReflectionRequest, _ answer: Answer) {
    self.request = request
    self.answer = answer
  }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(
      bytes, "ServerReflectionResponse", grpc__reflection__v1__server_reflection_response__unpack
    ) { message throws(DecodingFailure) in
      guard let request = unsafe message.original_request else {
        throw DecodingFailure("a reflection response without the request it answers")
      }
      return ReflectionResponse(
        to: unsafe try ReflectionRequest.read(request.pointee), unsafe try Self.readAnswer(message))
    }
  }

  private static func readAnswer(
    _ message: Grpc__Reflection__V1__ServerReflectionResponse
  ) throws(DecodingFailure) -> Answer {
    switch unsafe message.message_response_case {
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_FILE_DESCRIPTOR_RESPONSE:
      let files = unsafe message.file_descriptor_response.pointee
      return .files(
        (0..<(unsafe files.n_file_descriptor_proto)).map { unsafe Messages.bytes(files.file_descriptor_proto[$0]) })
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_ALL_EXTENSION_NUMBERS_RESPONSE:
      let found = unsafe message.all_extension_numbers_response.pointee
      return .extensionNumbers(
        type: unsafe text(found.base_type_name), numbers: unsafe array(found.extension_number, found.n_extension_number)
      )
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_LIST_SERVICES_RESPONSE:
      let list = unsafe message.list_services_response.pointee
      return .services(unsafe try array(list.service, list.n_service) { unsafe text($0.pointee.name) })
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_ERROR_RESPONSE:
      let failure = unsafe message.error_response.pointee
      return .failure(code: unsafe failure.error_code, message: unsafe text(failure.error_message))
    default: throw DecodingFailure("a reflection response without an answer")
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(grpc__reflection__v1__server_reflection_response__init)
    unsafe message.pointee.valid_host = arena.string(request.host)
    unsafe message.pointee.original_request = arena.reflectionRequest(request)
    switch answer {
    case .files(let files):
      let response = unsafe arena.make(grpc__reflection__v1__file_descriptor_response__init)
      unsafe response.pointee.n_file_descriptor_proto = files.count
      unsafe response.pointee.file_descriptor_proto = arena.datas(files)
      unsafe message.pointee.message_response_case =
        GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_FILE_DESCRIPTOR_RESPONSE
      unsafe message.pointee.file_descriptor_response = unsafe response
    case .extensionNumbers(let type, let numbers):
      let response = unsafe arena.make(grpc__reflection__v1__extension_number_response__init)
      unsafe response.pointee.base_type_name = arena.string(type)
      unsafe response.pointee.n_extension_number = numbers.count
      unsafe response.pointee.extension_number = arena.array(numbers)
      unsafe message.pointee.message_response_case =
        GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_ALL_EXTENSION_NUMBERS_RESPONSE
      unsafe message.pointee.all_extension_numbers_response = unsafe response
    case .services(let names):
      let response = unsafe arena.make(grpc__reflection__v1__list_service_response__init)
      unsafe response.pointee.n_service = names.count
      unsafe response.pointee.service = arena.pointers(names) { name in
        let service = unsafe arena.make(grpc__reflection__v1__service_response__init)
        unsafe service.pointee.name = arena.string(name)
        return unsafe service
      }
      unsafe message.pointee.message_response_case =
        GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_LIST_SERVICES_RESPONSE
      unsafe message.pointee.list_services_response = unsafe response
    case .failure(let code, let text):
      let response = unsafe arena.make(grpc__reflection__v1__error_response__init)
      unsafe response.pointee.error_code = code
      unsafe response.pointee.error_message = arena.string(text)
      unsafe message.pointee.message_response_case =
        GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_ERROR_RESPONSE
      unsafe message.pointee.error_response = unsafe response
    }
    return unsafe arena.encode(message)
  }
}

extension CArena {
  /// A repeated `bytes` field.
  func datas(_ elements: [[UInt8]]) -> UnsafeMutablePointer<ProtobufCBinaryData> {
    unsafe array(elements.map { unsafe data($0) })
  }
}
