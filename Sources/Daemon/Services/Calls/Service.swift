public import RPC

/// A gRPC service of the daemon: a name and the methods it implements.
public protocol Service: AnyObject {
  /// The full name, as in the schema: `stack.v1.ViewService`.
  static var name: String { get }
  /// The methods by path, such as `/stack.v1.ViewService/Attach`.
  var methods: [String: ServiceMethod] { get }
}

/// The implementation of one method.
public struct ServiceMethod {
  /// The callers that may call it.
  public let access: MethodAccess
  /// True for long-lived streams, which end when the token that opened them is revoked.
  public let isStream: Bool
  /// Maximum size of a request message in bytes; nil for the connection's limit.
  public let messageLimitBytes: Int?
  /// The size in bytes that is expected of a response to a single request: such a call begins only while clients read
  /// what waits for them. 0 for a call that begins at once.
  let responseBytes: Int
  let start: Start
  /// True if it reads the metadata of its calls later. Otherwise their memory is freed once the caller is known.
  public var keepsMetadata = false

  /// The size that most responses do not exceed.
  static let shortResponseBytes = 4096
  /// The size of a page, or of a response with rows.
  static let longResponseBytes = 1 << 19

  /// The way a call starts.
  enum Start {
    /// Starts at once: `begin` sets the call's callbacks before the first message arrives.
    case atOnce(_ begin: (ServerCall) -> Void)
    /// Starts once the caller is known: `begin` sets the call's callbacks and then gets all of its messages. The first
    /// message has a deadline.
    case identified(FirstMessage?, _ begin: (ServerCall, Viewer) -> Void)
    /// Starts once the single request has arrived: `read` decodes it and returns the closure that answers it once the
    /// caller is known.
    case requested(_ read: (ServerCall, [UInt8]) throws(Status) -> (Viewer) -> Void)
  }

  /// The deadline of a stream's first message, and the status that ends the call if it is missed.
  struct FirstMessage {
    let within: Duration
    let otherwise: Status
  }

  private init(
    _ access: MethodAccess, isStream: Bool, messageLimitBytes: Int?, responseBytes: Int = 0, _ start: Start
  ) {
    self.access = access
    self.isStream = isStream
    self.messageLimitBytes = messageLimitBytes
    self.responseBytes = responseBytes
    self.start = start
  }

  // MARK: Methods that need no account

  /// A method of any shape. `begin` sets the call's callbacks.
  public static func streaming(
    _ access: MethodAccess = .signedIn, messageLimitBytes: Int? = nil, _ begin: @escaping (ServerCall) -> Void
  ) -> ServiceMethod {
    ServiceMethod(access, isStream: true, messageLimitBytes: messageLimitBytes, .atOnce(begin))
  }

  /// A method with a single request message. `answer` is called once it is complete, and may respond with one message
  /// or a stream, now or later. A missing or second message ends the call with INTERNAL.
  public static func oneRequest(
    _ access: MethodAccess = .signedIn, isStream: Bool = false, messageLimitBytes: Int? = nil,
    _ answer: @escaping (ServerCall, [UInt8]) -> Void
  ) -> ServiceMethod {
    ServiceMethod(
      access, isStream: isStream, messageLimitBytes: messageLimitBytes, .atOnce { $0.awaitRequest(answer) })
  }

  /// A unary method that returns its response at once, or throws a status.
  public static func unary(
    _ access: MethodAccess = .signedIn, messageLimitBytes: Int? = nil,
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

  /// A method of any shape that needs an account. `begin` sets the call's callbacks.
  static func stream(
    _ access: MethodAccess, messageLimitBytes: Int? = nil, _ begin: @escaping (ServerCall, Caller) -> Void
  ) -> ServiceMethod {
    ServiceMethod(
      access, isStream: true, messageLimitBytes: messageLimitBytes,
      .identified(nil) { call, viewer in
        guard case .signedIn(let caller) = viewer else { return call.finish(Authenticator.noToken) }
        begin(call, caller)
      })
  }

  /// A method with a single request message, which `read` decodes; the closure it returns answers the call. A missing
  /// or second message ends the call with INTERNAL.
  static func request(
    _ access: MethodAccess, isStream: Bool = false, messageLimitBytes: Int? = nil,
    responseBytes: Int = shortResponseBytes,
    _ read: @escaping (ServerCall, [UInt8]) throws(Status) -> (Caller) -> Void
  ) -> ServiceMethod {
    ServiceMethod(
      access, isStream: isStream, messageLimitBytes: messageLimitBytes, responseBytes: isStream ? 0 : responseBytes,
      .requested { call, bytes throws(Status) in
        let answer = try read(call, bytes)
        return { viewer in
          guard case .signedIn(let caller) = viewer else { return call.finish(Authenticator.noToken) }
          answer(caller)
        }
      })
  }

  // MARK: Methods of viewers

  /// A stream that needs no token.
  static func viewerStream(
    messageLimitBytes: Int? = nil, firstMessage: FirstMessage, _ begin: @escaping (ServerCall, Viewer) -> Void
  ) -> ServiceMethod {
    ServiceMethod(
      .viewOrSignedOut, isStream: true, messageLimitBytes: messageLimitBytes, .identified(firstMessage, begin))
  }

  /// A stream of responses to a single request that needs no token.
  static func viewerRequest(
    messageLimitBytes: Int? = nil, _ read: @escaping (ServerCall, [UInt8]) throws(Status) -> (Viewer) -> Void
  ) -> ServiceMethod {
    ServiceMethod(.viewOrSignedOut, isStream: true, messageLimitBytes: messageLimitBytes, .requested(read))
  }
}

extension ServerCall {
  /// Calls `answer` once the call's single request message has arrived and the client has ended its half, each within
  /// 5 s. A missing or second message ends the call with INTERNAL.
  func awaitRequest(_ answer: @escaping (ServerCall, [UInt8]) -> Void) {
    var request: [UInt8]?
    let patience = Duration.seconds(5)
    expectMessage(
      within: patience,
      or: Status(.deadlineExceeded, "\(path) takes one request message, but none arrived within 5 s"))
    // The message counts as held until it is answered; the window stays open for it.
    receiveByHand(allowance: .max)
    onMessage = { call, message in
      guard request == nil else {
        return call.finish(Status(.internal, "\(call.path) takes one request message, but a second arrived"))
      }
      request = message
      call.expectMessage(
        within: patience,
        or: Status(.deadlineExceeded, "\(call.path) takes one request message, but the stream was not ended in 5 s"))
    }
    onHalfClose = { call in
      guard let message = request else {
        return call.finish(Status(.internal, "\(call.path) takes one request message, but none arrived"))
      }
      request = nil
      call.consume(message.count)
      answer(call, message)
    }
  }

  /// Answers a unary call with one message and OK.
  public func finish(message: [UInt8], trailers: Metadata = Metadata()) {
    do {
      try send(message)
      finish(.ok, trailers: trailers)
    } catch .queueFull {
      finish(Status(.resourceExhausted, "the client does not read its responses"))
    } catch {
      // The call has ended; there is no client to answer.
    }
  }
}
