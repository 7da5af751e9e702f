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
    queued(type, access, messageLimitBytes: messageLimitBytes, responseBytes: responseBytes) {
      request, caller, _, receiver in
      answer(request, caller, receiver)
    }
  }

  /// A method like ``command(_:_:messageLimitBytes:responseBytes:_:)`` whose work waits for its turn. No response is
  /// encoded for a call that has ended.
  static func queued<Request: WireMessage, Response: WireMessage>(
    _ type: Request.Type, _ access: MethodAccess, messageLimitBytes: Int? = nil,
    responseBytes: Int = longResponseBytes,
    _ answer: @escaping (Request, Caller, Requester, @escaping (Result<Response, EngineError>) -> Void) -> Void
  ) -> ServiceMethod {
    .request(access, messageLimitBytes: messageLimitBytes, responseBytes: responseBytes) { call, bytes throws(Status) in
      let request: Request
      do throws(DecodingFailure) {
        request = try Request(decoding: bytes)
      } catch {
        throw Status(error.naming((call.path.split(separator: "/").last ?? "") + "Request"))
      }
      let byteCount = bytes.count
      return { caller in
        let requester = Requester(call: call, account: caller.account.id, bytes: byteCount)
        answer(request, caller, requester) { response in
          guard call.isOpen else { return }
          switch response {
          case .success(let message): call.finish(message: message.encoded())
          case .failure(let error): call.finish(Status(error))
          }
        }
      }
    }
  }
}
