public import Messages
internal import Posts
internal import RPC

/// `grpc.health.v1.Health`: says of the server and of each of its services whether calls are answered.
public final class HealthService: Service {
  /// As in the schema.
  public static let name = "grpc.health.v1.Health"

  private var statuses: [String: HealthCheckResponse.Status] = [:]
  /// In the order in which they came.
  private var watchers: [ServerCall] = []

  /// A server that is serving, and so are the services named.
  public init(services: [String]) {
    for service in services + ["", HealthService.name] { statuses[service] = .serving }
  }

  /// `Check` and `Watch`.
  public var methods: [String: ServiceMethod] {
    [
      "/\(HealthService.name)/Check": .unary { [unowned self] _, request throws(Status) in
        let service = try HealthService.service(request)
        guard let status = statuses[service] else {
          throw Status(.notFound, "there is no service \(service.shortened)")
        }
        return HealthCheckResponse(status: status).encoded()
      },
      "/\(HealthService.name)/Watch": .oneRequest(isStream: true) { [unowned self] call, request in watch(call, request)
      },
    ]
  }

  /// Changes what is said of every service, and tells those who watch.
  public func setAll(_ status: HealthCheckResponse.Status) {
    for service in statuses.keys { statuses[service] = status }
    for watcher in watchers { watcher.wake() }
  }

  /// Ends every watch, so that a server that shuts down does not wait for them.
  public func endWatches() {
    for watcher in watchers { watcher.finish(Status(.unavailable, "the daemon is shutting down")) }
    watchers = []
  }

  /// A watcher is told the status when it differs from what it was told last, however often it changed in between.
  private func watch(_ call: ServerCall, _ request: [UInt8]) {
    let service: String
    do {
      service = try HealthService.service(request)
    } catch {
      return call.finish(error)
    }
    var told: HealthCheckResponse.Status?
    watchers.append(call)
    call.onInterrupted = { [weak self] call, _ in self?.watchers.removeAll { $0 === call } }
    call.onReadyToSend = { [weak self] _ in
      let status = self?.statuses[service] ?? .serviceUnknown
      guard status != told else { return .wait }
      told = status
      return .message(HealthCheckResponse(status: status).encoded())
    }
  }

  private static func service(_ request: [UInt8]) throws(Status) -> String {
    do throws(DecodingFailure) {
      return try HealthCheckRequest(decoding: request).service
    } catch {
      throw Status(.invalidArgument, error.reason)
    }
  }
}
