public import RPC

/// A gRPC service that the daemon offers: a name, and what answers each of its methods.
public protocol Service: AnyObject {
  /// The full name, as in the schema: `stack.v1.ViewService`.
  static var name: String { get }
  /// What answers each method, by its path: `/stack.v1.ViewService/Attach`.
  var methods: [String: ServiceMethod] { get }
}

/// What answers one method.
public struct ServiceMethod {
  /// Who may call it.
  public let access: Access
  /// Whether its calls live on by themselves: those end when the token that opened them is taken back.
  public let isStream: Bool
  /// Bytes of one request message; nil for the connection's limit.
  public let messageLimitBytes: Int?
  /// Called when a call has come and before any of its messages.
  public let begin: (ServerCall) -> Void

  /// A method of any shape: `begin` sets the call's callbacks.
  public static func streaming(
    _ access: Access = .signedIn, messageLimitBytes: Int? = nil, _ begin: @escaping (ServerCall) -> Void
  ) -> ServiceMethod {
    ServiceMethod(access: access, isStream: true, messageLimitBytes: messageLimitBytes, begin: begin)
  }

  /// A method whose request is one message. `answer` is called once it is there and complete; it may answer with one
  /// message or a stream of them, now or later. No message or a second one ends the call with INTERNAL.
  public static func oneRequest(
    _ access: Access = .signedIn, isStream: Bool = false, messageLimitBytes: Int? = nil,
    _ answer: @escaping (ServerCall, [UInt8]) -> Void
  ) -> ServiceMethod {
    ServiceMethod(access: access, isStream: isStream, messageLimitBytes: messageLimitBytes) { call in
      var request: [UInt8]?
      call.expectMessage(
        within: .seconds(5), or: Status(.deadlineExceeded, "\(call.path) takes one request message; none came in 5 s"))
      call.onMessage = { call, message in
        guard request == nil else {
          return call.finish(Status(.internal, "\(call.path) takes one request message, and a second came"))
        }
        request = message
      }
      call.onHalfClose = { call in
        guard let message = request else {
          return call.finish(Status(.internal, "\(call.path) takes one request message, and none came"))
        }
        request = nil
        answer(call, message)
      }
    }
  }

  /// A unary method that has its answer at once, or the status that says why not.
  public static func unary(
    _ access: Access = .signedIn, messageLimitBytes: Int? = nil,
    _ answer: @escaping (ServerCall, [UInt8]) throws(Status) -> [UInt8]
  ) -> ServiceMethod {
    oneRequest(access, messageLimitBytes: messageLimitBytes) { call, request in
      do throws(Status) {
        call.finish(message: try answer(call, request))
      } catch {
        call.finish(error)
      }
    }
  }
}

extension ServerCall {
  /// Answers a unary call: one message, then OK.
  public func finish(message: [UInt8], trailers: Metadata = Metadata()) {
    do {
      try send(message)
      finish(.ok, trailers: trailers)
    } catch .queueFull {
      finish(Status(.resourceExhausted, "the client does not read its responses"))
    } catch {
      // The call has ended: there is nobody left to answer.
    }
  }
}
