public import RPC

/// Finds what answers a call, by its path, once the caller has shown who it is.
public final class ServiceRegistry: ServerCallHandler {
  private var methods: [String: ServiceMethod] = [:]
  /// By name; kept here, so that their methods may refer to them without keeping them.
  private var services: [String: any Service] = [:]
  private let tokens: TokenVerifier?

  /// A registry without services.
  ///
  /// - Parameter tokens: knows the tokens of callers that the kernel does not vouch for; without it those are refused.
  public init(tokens: TokenVerifier? = nil) { self.tokens = tokens }

  /// Offers a service. A path that is already taken goes to the newcomer.
  public func register<S: Service>(_ service: S) {
    services[S.name] = service
    methods.merge(service.methods) { _, new in new }
  }

  /// Offers reflection under both of its names. It tells of every service that is registered when it is asked.
  public func registerReflection() {
    let names = { [unowned self] in serviceNames }
    register(ReflectionService<ReflectionV1>(services: names))
    register(ReflectionService<ReflectionV1Alpha>(services: names))
  }

  /// The full names of the services offered, sorted.
  public var serviceNames: [String] { services.keys.sorted() }

  /// Sees who calls, and hands the call to its method.
  public func handle(_ call: ServerCall) {
    if call.peer == .unknown {
      guard let name = tokens?.holder(of: call.metadata) else {
        return call.finish(
          Status(.unauthenticated, "send the daemon's token as the metadata \"authorization: Bearer TOKEN\""))
      }
      call.peer = .tokenHolder(name: name)
    }
    guard let method = methods[call.path] else { return call.finish(unknown(call.path)) }
    if let limit = method.messageLimitBytes { call.messageLimitBytes = limit }
    method.begin(call)
  }

  private func unknown(_ path: String) -> Status {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, services[String(parts[1])] != nil else {
      return Status(.unimplemented, "there is no service for \(path)")
    }
    return Status(.unimplemented, "\(parts[1]) has no method \(parts[2])")
  }
}
