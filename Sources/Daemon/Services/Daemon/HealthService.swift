public import Messages
internal import Posts
internal import RPC

/// `grpc.health.v1.Health`: reports the health of the server and of each of its services.
public final class HealthService: Service {
  /// The full name, as in the schema.
  public static let name = "grpc.health.v1.Health"

  private var statuses: [String: HealthCheckResponse.Status] = [:]
  /// Watching calls, oldest first.
  private var watchers: [ServerCall] = []

  /// Reports the server and the named services as serving.
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

  /// Changes the status of every service and notifies watchers.
  public func setAll(_ status: HealthCheckResponse.Status) {
    for service in statuses.keys { statuses[service] = status }
    for watcher in watchers { watcher.wake() }
  }

  /// Ends every watch, so that a server that shuts down does not wait for them.
  public func endWatches() {
    for watcher in watchers { watcher.finish(Status(.unavailable, "the daemon is shutting down")) }
    watchers = []
  }

  /// Sends a watcher the current status whenever it differs from the last one sent; intermediate changes are skipped.
  private func watch(_ call: ServerCall, _ request: [UInt8]) {
    let service: String
    do {
      service = try HealthService.service(request)
    } catch {
      return call.finish(error)
    }
    var lastSent: HealthCheckResponse.Status?
    watchers.append(call)
    call.onInterrupted = { [weak self] call, _ in self?.watchers.removeAll { $0 === call } }
    call.onReadyToSend = { [weak self] _ in
      let status = self?.statuses[service] ?? .serviceUnknown
      guard status != lastSent else { return .wait }
      lastSent = status
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
