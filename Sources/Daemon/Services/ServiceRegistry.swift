internal import Engine
internal import Messages
internal import Posts
public import RPC
internal import Store

/// Routes calls by path to their methods, after authenticating the caller.
public final class ServiceRegistry: ServerCallHandler {
  private var methods: [String: ServiceMethod] = [:]
  /// Services by name. Retained here, so that their methods may refer to them unowned.
  private var services: [String: any Service] = [:]
  private let authenticator: Authenticator
  /// Maps callers to accounts; nil if no method needs an account.
  private let callers: (any CallerDirectory)?
  private var resets = ResetAllowances()
  /// Maximum size of an error's details in bytes. Longer details, which only a long message produces, are dropped: a
  /// client that rejects oversized trailers would learn nothing at all.
  private static let detailsLimitBytes = 2048
  /// Maximum length of a path that an error repeats, in bytes.
  private static let repeatedPathBytes = 200
  /// Returns a random extra retry delay from 0 to the argument, inclusive. Set by the shell, the only part with
  /// randomness; no delay is added until then.
  public var drawExtraDelay: (Int64) -> Int64 = { _ in 0 }

  /// A registry without services.
  ///
  /// - Parameter tokens: verifies the token of callers that the kernel does not identify; without it they are refused.
  public convenience init(tokens: TokenVerifier? = nil) {
    self.init(authenticator: Authenticator(own: tokens, daemonUser: nil), callers: nil)
  }

  /// A registry without services. `authenticator` decides who may call; `callers` maps callers to accounts.
  init(authenticator: Authenticator, callers: (any CallerDirectory)?) {
    self.authenticator = authenticator
    self.callers = callers
  }

  /// Registers a service. Its paths replace those of an earlier one.
  public func register<S: Service>(_ service: S) {
    services[S.name] = service
    methods.merge(service.methods) { _, new in new }
  }

  /// Registers reflection under both of its names. It lists the services that are registered when it is asked.
  public func registerReflection() {
    let names = { [unowned self] in serviceNames }
    register(ReflectionService(services: names))
  }

  /// The full names of the registered services, sorted.
  public var serviceNames: [String] { services.keys.sorted() }

  /// Authenticates the caller, and hands the call to its method.
  public func handle(_ call: ServerCall) {
    let method = methods[call.path]
    defer { if method?.keepsMetadata != true { call.forgetMetadata() } }
    do throws(Status) {
      call.peer = try authenticator.authenticate(call.peer, call.metadata)
      try authenticator.authorize(call.peer, method?.access ?? .signedIn)
    } catch {
      return call.finish(error)
    }
    guard let method else { return call.finish(unknown(call.path)) }
    call.countBytes(for: owner(of: call.peer))
    if let limit = method.messageLimitBytes { call.messageLimitBytes = limit }
    if call.peer == .unknown { call.messageLimitBytes = min(call.messageLimitBytes, SignedOutViews.messageLimitBytes) }
    switch method.start {
    case .atOnce(let begin): begin(call)
    case .identified(let first, let begin):
      if let first { call.expectMessage(within: first.within, or: first.otherwise) }
      self.begin(call, begin)
    case .requested(let read):
      call.awaitRequest { [weak self] call, bytes in
        do throws(Status) {
          let answer = try read(call, bytes)
          self?.identify(call) { viewer in
            Self.answerWithRoom(call, of: method, keeping: bytes.count) { answer(viewer) }
          }
        } catch {
          call.finish(error)
        }
      }
    }
  }

  /// Answers a call once clients have read enough of what waits for them.
  private static func answerWithRoom(
    _ call: ServerCall, of method: ServiceMethod, keeping requestBytes: Int, _ answer: @escaping () -> Void
  ) {
    guard method.responseBytes > 0 else { return answer() }
    do {
      try call.awaitRoom(forResponseOf: method.responseBytes, keeping: requestBytes, answer)
    } catch {
      call.finish(Status(Self.unread))
    }
  }

  /// The refusal of a call for which too many others wait.
  private static let unread = EngineError(
    .resourceExhausted, "too many calls wait until responses are read; read those of earlier calls first",
    reason: .busy)

  /// Begins a stream once the caller is known, and queues the client's messages until then.
  private func begin(_ call: ServerCall, _ begin: @escaping (ServerCall, Viewer) -> Void) {
    var known: Viewer?
    var hold: CallHold?
    identify(call) { viewer in
      if let hold { return hold.release { begin($0, viewer) } }
      known = viewer
    }
    if let known {
      begin(call, known)
    } else if call.isOpen {
      hold = CallHold(call)
    }
  }

  /// Finds the call's account, at once if it is known already, or ends the call.
  private func identify(_ call: ServerCall, _ proceed: @escaping (Viewer) -> Void) {
    if call.peer == .unknown { return proceed(.signedOut) }
    guard let callers else {
      return call.finish(Status(.unimplemented, "\(call.path.shortened) needs an account, and this server has none"))
    }
    callers.find(call.peer) { result in
      switch result {
      case .success(let caller):
        call.countBytes(for: .account(caller.account.id.rawValue))
        proceed(.signedIn(caller))
      case .failure(let error): call.finish(Status(error))
      }
    }
  }

  /// Returns the number of the account of an issued token; nil for the daemon's own.
  public func account(ofToken token: UInt64) -> Int64? { authenticator[token]?.account.rawValue }

  /// Returns true if a call is a stream that a token opened.
  func isStream(_ call: ServerCall, openedBy token: UInt64) -> Bool {
    call.peer == .tokenHolder(token) && methods[call.path]?.isStream == true
  }

  /// Adds the standard details of a status, and a random retry delay where a retry can help, so that clients refused
  /// together do not return together.
  public func ending(_ call: ServerCall, with status: Status) -> Status {
    guard
      var details = status.details.isEmpty
        ? ErrorDetails(standardFor: status) : try? ErrorDetails(decoding: status.details)
    else {
      return status
    }
    if let delay = details.retryDelayMilliseconds { details.retryDelayMilliseconds = delay + drawExtraDelay(delay) }
    let encoded = details.encoded()
    return Status(status.code, status.message, details: encoded.count > Self.detailsLimitBytes ? [] : encoded)
  }

  /// Counts a stream that ended with an error against the allowance of its account.
  public func streamFailed(of caller: Peer, at now: Duration) -> Bool {
    resets.spend(of: owner(of: caller), at: now)
  }

  private func owner(of caller: Peer) -> CallOwner {
    if let account = callers?.knownAccount(of: caller) { return .account(account.rawValue) }
    if case .localUser(let user, _) = caller { return .user(user) }
    return .unauthenticated
  }

  private func unknown(_ path: String) -> Status {
    guard path.utf8.count <= Self.repeatedPathBytes else {
      return Status(.unimplemented, "there is no service for a path of \(path.utf8.count) bytes")
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, services[String(parts[1])] != nil else {
      return Status(.unimplemented, "there is no service for \(path.shortened)")
    }
    return Status(.unimplemented, "\(parts[1]) has no method \(String(parts[2]).shortened)")
  }
}
