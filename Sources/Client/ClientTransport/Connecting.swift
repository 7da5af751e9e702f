internal import RPC
internal import UV

/// An attempt to connect. The connection races its time limit; whichever comes first decides.
final class Connecting {
  private let loop: Loop
  private let endpoint: Endpoint
  private let token: String?
  private let limits: ConnectionLimits
  private var completion: ((Result<Channel, ChannelError>) -> Void)?
  private var timer: Timer?
  private var stream: Stream?

  init(
    loop: Loop, endpoint: Endpoint, token: String?, limits: ConnectionLimits,
    completion: @escaping (Result<Channel, ChannelError>) -> Void
  ) {
    self.loop = loop
    self.endpoint = endpoint
    self.token = token
    self.limits = limits
    self.completion = completion
  }

  /// Starts the attempt. The timer and the request keep it alive.
  func start(_ timeout: Duration) {
    do {
      let timer = try Timer(loop: loop) { self.finish(.failure(.timedOut)) }
      self.timer = timer
      timer.arm(after: timeout)
      stream = try Stream.connect(loop: loop, to: endpoint) { self.finish($0) }
    } catch {
      failLater(error)
    }
  }

  /// Reports an immediate failure from the loop, as for every other outcome.
  private func failLater(_ error: UVError) {
    timer?.close()
    do {
      timer = try Timer(loop: loop) { self.finish(.failure(error)) }
      timer?.arm(after: .zero)
    } catch {
      finish(.failure(error))
    }
  }

  private func finish(_ result: Result<Stream, UVError>) {
    guard let completion else {
      // The time limit passed before the connection was made.
      if case .success(let stream) = result { stream.close() }
      return
    }
    self.completion = nil
    timer?.close()
    timer = nil
    switch result {
    case .failure(let error):
      stream?.close()
      stream = nil
      completion(.failure(ChannelError(error, endpoint)))
    case .success(let stream):
      self.stream = nil
      do {
        completion(.success(try Channel(loop: loop, stream: stream, endpoint: endpoint, token: token, limits: limits)))
      } catch {
        stream.close()
        completion(.failure(ChannelError(error, endpoint)))
      }
    }
  }
}
