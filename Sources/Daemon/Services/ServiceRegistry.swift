internal import Messages
internal import Posts
public import RPC

/// Finds what answers a call, by its path, once the caller has shown who it is.
public final class ServiceRegistry: ServerCallHandler {
  private var methods: [String: ServiceMethod] = [:]
  /// By name; kept here, so that their methods may refer to them without keeping them.
  private var services: [String: any Service] = [:]
  private let admission: Admission
  /// Knows whose call it is; nil where no method asks.
  private let callers: (any CallerDirectory)?
  /// Bytes of an error's details; with more, which only a long message can make, there are none: a client that refuses
  /// the trailers for their size would learn nothing at all.
  private static let detailsLimitBytes = 2048
  /// Bytes of a path that an error repeats.
  private static let shownPathBytes = 200
  /// Draws by how much longer than its least wait a client is told to wait before it asks again: from 0 to the
  /// argument, both included. The shell's, which alone has randomness; until it is set, nobody waits longer.
  public var drawExtraDelay: (Int64) -> Int64 = { _ in 0 }

  /// A registry without services.
  ///
  /// - Parameter tokens: knows the one token of callers that the kernel does not vouch for; without it those are
  ///   refused.
  public convenience init(tokens: TokenVerifier? = nil) {
    self.init(admission: Admission(own: tokens, daemonUser: nil), callers: nil)
  }

  /// A registry without services; `admission` says who may call, `callers` knows whose call it is.
  init(admission: Admission, callers: (any CallerDirectory)?) {
    self.admission = admission
    self.callers = callers
  }

  /// Offers a service. A path that is already taken goes to the newcomer.
  public func register<S: Service>(_ service: S) {
    services[S.name] = service
    methods.merge(service.methods) { _, new in new }
  }

  /// Offers reflection under both of its names. It tells of every service that is registered when it is asked.
  public func registerReflection() {
    let names = { [unowned self] in serviceNames }
    register(ReflectionService(services: names))
  }

  /// The full names of the services offered, sorted.
  public var serviceNames: [String] { services.keys.sorted() }

  /// Sees who calls, and hands the call to its method.
  public func handle(_ call: ServerCall) {
    let method = methods[call.path]
    do throws(Status) {
      call.peer = try admission.identify(call.peer, call.metadata)
      try admission.check(call.peer, method?.access ?? .signedIn)
    } catch {
      return call.finish(error)
    }
    guard let method else { return call.finish(unknown(call.path)) }
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
          self?.identify(call, try read(call, bytes))
        } catch {
          call.finish(error)
        }
      }
    }
  }

  /// Begins a stream when it is known who calls, and holds what the client says until then.
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

  /// Finds whose call it is, at once where that is known, or ends the call.
  private func identify(_ call: ServerCall, _ proceed: @escaping (Viewer) -> Void) {
    if call.peer == .unknown { return proceed(.signedOut) }
    guard let callers else {
      return call.finish(Status(.unimplemented, "\(call.path.shortened) is a method of accounts; there are none here"))
    }
    callers.find(call.peer) { result in
      switch result {
      case .success(let caller): proceed(.signedIn(caller))
      case .failure(let error): call.finish(Status(error))
      }
    }
  }

  /// Whether a call is a stream that a token opened.
  func isStream(_ call: ServerCall, openedBy token: UInt64) -> Bool {
    call.peer == .tokenHolder(token) && methods[call.path]?.isStream == true
  }

  /// Adds what is told with every error of its code, and gives a client that may ask again later a time of its own, so
  /// that those who are turned away together do not come back together.
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

  private func unknown(_ path: String) -> Status {
    guard path.utf8.count <= Self.shownPathBytes else {
      return Status(.unimplemented, "there is no service for a path of \(path.utf8.count) bytes")
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, services[String(parts[1])] != nil else {
      return Status(.unimplemented, "there is no service for \(path.shortened)")
    }
    return Status(.unimplemented, "\(parts[1]) has no method \(String(parts[2]).shortened)")
  }
}
