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
  let start: Start

  /// How a call of a method starts.
  enum Start {
    /// At once: `begin` sets the call's callbacks before any of its messages comes.
    case atOnce(_ begin: (ServerCall) -> Void)
    /// When it is known who calls: `begin` sets the call's callbacks, and then gets all of its messages, the first of
    /// which is due in time.
    case identified(FirstMessage?, _ begin: (ServerCall, Viewer) -> Void)
    /// When its one request is there: `read` reads that, and returns what answers it once it is known who calls.
    case requested(_ read: (ServerCall, [UInt8]) throws(Status) -> (Viewer) -> Void)
  }

  /// By when the first message of a stream is due, and how its call ends otherwise.
  struct FirstMessage {
    let within: Duration
    let otherwise: Status
  }

  private init(_ access: Access, isStream: Bool, messageLimitBytes: Int?, _ start: Start) {
    self.access = access
    self.isStream = isStream
    self.messageLimitBytes = messageLimitBytes
    self.start = start
  }

  // MARK: Methods that need no account

  /// A method of any shape: `begin` sets the call's callbacks.
  public static func streaming(
    _ access: Access = .signedIn, messageLimitBytes: Int? = nil, _ begin: @escaping (ServerCall) -> Void
  ) -> ServiceMethod {
    ServiceMethod(access, isStream: true, messageLimitBytes: messageLimitBytes, .atOnce(begin))
  }

  /// A method whose request is one message. `answer` is called once it is there and complete; it may answer with one
  /// message or a stream of them, now or later. No message or a second one ends the call with INTERNAL.
  public static func oneRequest(
    _ access: Access = .signedIn, isStream: Bool = false, messageLimitBytes: Int? = nil,
    _ answer: @escaping (ServerCall, [UInt8]) -> Void
  ) -> ServiceMethod {
    ServiceMethod(
      access, isStream: isStream, messageLimitBytes: messageLimitBytes, .atOnce { $0.awaitRequest(answer) })
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

  // MARK: Methods of accounts

  /// A method of any shape of an account: `begin` sets the call's callbacks.
  static func stream(
    _ access: Access, messageLimitBytes: Int? = nil, _ begin: @escaping (ServerCall, Caller) -> Void
  ) -> ServiceMethod {
    ServiceMethod(
      access, isStream: true, messageLimitBytes: messageLimitBytes,
      .identified(nil) { call, viewer in
        guard case .signedIn(let caller) = viewer else { return call.finish(Admission.noToken) }
        begin(call, caller)
      })
  }

  /// A method whose request is one message, which `read` reads; it returns what answers the call. No message or a second
  /// one ends the call with INTERNAL.
  static func request(
    _ access: Access, isStream: Bool = false, messageLimitBytes: Int? = nil,
    _ read: @escaping (ServerCall, [UInt8]) throws(Status) -> (Caller) -> Void
  ) -> ServiceMethod {
    ServiceMethod(
      access, isStream: isStream, messageLimitBytes: messageLimitBytes,
      .requested { call, bytes throws(Status) in
        let answer = try read(call, bytes)
        return { viewer in
          guard case .signedIn(let caller) = viewer else { return call.finish(Admission.noToken) }
          answer(caller)
        }
      })
  }

  // MARK: Methods of viewers

  /// A stream that a client may open without a token.
  static func viewerStream(
    messageLimitBytes: Int? = nil, firstMessage: FirstMessage, _ begin: @escaping (ServerCall, Viewer) -> Void
  ) -> ServiceMethod {
    ServiceMethod(
      .viewOrSignedOut, isStream: true, messageLimitBytes: messageLimitBytes, .identified(firstMessage, begin))
  }

  /// A stream of answers to one request, which a client may send without a token.
  static func viewerRequest(
    messageLimitBytes: Int? = nil, _ read: @escaping (ServerCall, [UInt8]) throws(Status) -> (Viewer) -> Void
  ) -> ServiceMethod {
    ServiceMethod(.viewOrSignedOut, isStream: true, messageLimitBytes: messageLimitBytes, .requested(read))
  }
}

extension ServerCall {
  /// Calls `answer` when the call's one request message is there and complete. No message or a second one ends the call
  /// with INTERNAL.
  func awaitRequest(_ answer: @escaping (ServerCall, [UInt8]) -> Void) {
    var request: [UInt8]?
    expectMessage(
      within: .seconds(5), or: Status(.deadlineExceeded, "\(path) takes one request message; none came in 5 s"))
    onMessage = { call, message in
      guard request == nil else {
        return call.finish(Status(.internal, "\(call.path) takes one request message, and a second came"))
      }
      request = message
    }
    onHalfClose = { call in
      guard let message = request else {
        return call.finish(Status(.internal, "\(call.path) takes one request message, and none came"))
      }
      request = nil
      answer(call, message)
    }
  }

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
