internal import Engine
internal import Messages
internal import RPC
internal import Store

extension ServiceMethod {
  /// A method with one typed request and one typed response, sent now or later. In the schema the request has the
  /// method's name followed by "Request".
  static func command<Request: WireMessage, Response: WireMessage>(
    _ type: Request.Type, _ access: MethodAccess, messageLimitBytes: Int? = nil,
    responseBytes: Int = shortResponseBytes,
    _ answer: @escaping (Request, Caller, @escaping (Result<Response, EngineError>) -> Void) -> Void
  ) -> ServiceMethod {
    .request(access, messageLimitBytes: messageLimitBytes, responseBytes: responseBytes) { call, bytes throws(Status) in
      let request: Request
      do throws(DecodingFailure) {
        request = try Request(decoding: bytes)
      } catch {
        throw Status(error.naming((call.path.split(separator: "/").last ?? "") + "Request"))
      }
      return { caller in
        answer(request, caller) { response in
          switch response {
          case .success(let message): call.finish(message: message.encoded())
          case .failure(let error): call.finish(Status(error))
          }
        }
      }
    }
  }
}
