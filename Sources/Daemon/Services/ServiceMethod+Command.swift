internal import Engine
internal import Messages
internal import RPC
internal import Store

extension Status {
  /// The engine's refusal as a status.
  init(_ error: EngineError) {
    let code: StatusCode =
      switch error.code {
      case .invalidArgument: .invalidArgument
      case .notFound: .notFound
      case .aborted: .aborted
      case .failedPrecondition: .failedPrecondition
      case .resourceExhausted: .resourceExhausted
      case .permissionDenied: .permissionDenied
      case .unavailable: .unavailable
      case .internal: .internal
      }
    self.init(code, error.message)
  }

  /// A request that could not be read.
  init(_ failure: DecodingFailure) { self.init(.invalidArgument, failure.reason) }
}

extension ServiceMethod {
  /// A method with one request of a type and the caller's account, and one answer of a type, now or later.
  static func command<Request: WireMessage, Response: WireMessage>(
    _ type: Request.Type, messageLimitBytes: Int? = nil, _ accounts: Accounts,
    _ answer: @escaping (Request, Account, @escaping (Result<Response, EngineError>) -> Void) -> Void
  ) -> ServiceMethod {
    .oneRequest(messageLimitBytes: messageLimitBytes) { call, bytes in
      let request: Request
      do throws(DecodingFailure) {
        request = try Request(decoding: bytes)
      } catch {
        return call.finish(Status(error))
      }
      accounts.find(call.peer) { result in
        switch result {
        case .failure(let error): call.finish(Status(error))
        case .success(let account):
          answer(request, account) { response in
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
