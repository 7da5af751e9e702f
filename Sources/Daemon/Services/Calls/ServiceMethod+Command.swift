internal import Engine
internal import Messages
internal import RPC
internal import Store

extension ServiceMethod {
  /// A method with one request of a type and its caller, and one answer of a type, now or later. `requestName` is what
  /// the schema calls the request, unless that is the method's name with "Request" behind it.
  static func command<Request: WireMessage, Response: WireMessage>(
    _ type: Request.Type, _ access: Access, named requestName: String? = nil, messageLimitBytes: Int? = nil,
    _ accounts: Accounts,
    _ answer: @escaping (Request, Caller, @escaping (Result<Response, EngineError>) -> Void) -> Void
  ) -> ServiceMethod {
    .oneRequest(access, messageLimitBytes: messageLimitBytes) { call, bytes in
      let request: Request
      do throws(DecodingFailure) {
        request = try Request(decoding: bytes)
      } catch {
        return call.finish(
          Status(error.naming(requestName ?? (call.path.split(separator: "/").last ?? "") + "Request")))
      }
      accounts.find(call.peer) { result in
        switch result {
        case .failure(let error): call.finish(Status(error))
        case .success(let caller):
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
}
