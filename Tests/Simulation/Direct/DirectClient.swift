package import Messages
package import RPC
package import ViewState

/// A client of a ``DirectDaemon`` whose calls complete before they return.
package final class DirectClient {
  /// A call did not end although the daemon was idle.
  package struct Unanswered: Error {
    package let path: String
  }

  /// Called with every message that any call receives, before the call's own handler.
  package var onMessage: ([UInt8]) -> Void = { _ in }
  let server: ServerConnection
  private let client: ClientConnection
  private unowned let daemon: DirectDaemon
  private let metadata: Metadata
  private var now = Duration.zero

  init(peer: Peer, token: String?, handler: any ServerCallHandler, daemon: DirectDaemon) throws {
    var limits = ConnectionLimits()
    limits.messages.receivedBytes = 4 << 20
    var metadata = Metadata()
    if let token { try metadata.add("authorization", "Bearer \(token)") }
    self.metadata = metadata
    self.daemon = daemon
    guard let server = ServerConnection(limits: ConnectionLimits(), peer: peer, handler: handler, at: .zero),
      let client = ClientConnection(limits: limits, at: .zero)
    else { throw Unanswered(path: "a connection") }
    self.server = server
    self.client = client
  }

  /// Transfers pending bytes in both directions once. Returns false if there were none.
  func carryBytes(at now: Duration) -> Bool {
    self.now = now
    var up: [UInt8] = []
    var down: [UInt8] = []
    client.takeOutput(into: &up, limit: 1 << 20)
    if !up.isEmpty { unsafe server.receive(up.span.bytes, at: now) }
    server.takeOutput(into: &down, limit: 1 << 20)
    if !down.isEmpty { unsafe client.receive(down.span.bytes, at: now) }
    return !up.isEmpty || !down.isEmpty
  }

  /// Closes the connection.
  package func close() {
    client.connectionLost("the test is over")
    server.connectionLost()
  }

  /// Sends one request, without waiting for the response.
  ///
  /// - Parameter onEnd: called with the status.
  @discardableResult
  package func begin(
    _ path: String, _ request: some WireMessage, onEnd: @escaping (Status) -> Void = { _ in }
  ) throws -> ClientCall {
    let call = try start(path)
    call.onEnd = { _, status, _ in onEnd(status) }
    try call.send(request.encoded())
    call.closeSend()
    return call
  }

  /// Starts a call.
  package func start(_ path: String) throws -> ClientCall {
    try client.start(path, metadata: metadata, timeout: nil, at: now)
  }

  /// Sends one request, and returns all responses and the status.
  package func ask(_ path: String, _ request: [UInt8]) throws -> (responses: [[UInt8]], status: Status) {
    var responses: [[UInt8]] = []
    var end: Status?
    let call = try start(path)
    call.onMessage = { [unowned self] _, message in
      onMessage(message)
      responses.append(message)
    }
    call.onEnd = { _, status, _ in end = status }
    try call.send(request)
    call.closeSend()
    daemon.runUntilIdle()
    guard let end else { throw Unanswered(path: path) }
    return (responses, end)
  }

  /// Calls a method with one request and one response.
  ///
  /// - Throws: the status if it is not OK.
  package func call<Response: WireMessage>(
    _ path: String, _ request: some WireMessage, _ response: Response.Type = Response.self
  ) throws -> Response {
    let (responses, status) = try ask(path, request.encoded())
    guard status.isOK, responses.count == 1 else { throw status }
    return try Response(decoding: responses[0])
  }

  /// Makes a call, and returns its status.
  package func status(of path: String, _ request: some WireMessage) throws -> Status {
    try ask(path, request.encoded()).status
  }

  /// Opens a view that acknowledges its frames.
  package func attach(_ hello: Hello) throws -> DirectView {
    let view = DirectView(try start(Method.attach)) { [unowned self] in onMessage($0) }
    try view.call.send(ClientFrame.hello(hello).encoded())
    daemon.runUntilIdle()
    return view
  }
}

/// A view of a ``DirectClient``, with a mirror of its frames.
package final class DirectView {
  package let call: ClientCall
  package private(set) var mirror = ViewSnapshot()
  /// The welcome of the first frame.
  package private(set) var welcome: Welcome?
  /// The stream's final status; nil while it is open.
  package private(set) var end: Status?
  /// The error of a frame that could not be applied.
  package private(set) var failure: (any Error)?

  init(_ call: ClientCall, _ onBytes: @escaping ([UInt8]) -> Void) {
    self.call = call
    call.onMessage = { call, bytes in
      onBytes(bytes)
      do {
        let frame = try Frame(decoding: bytes)
        try self.mirror.apply(frame)
        if let welcome = frame.welcome { self.welcome = welcome }
        try call.send(ClientFrame.ack(frame.number).encoded())
      } catch {
        self.failure = error
      }
    }
    call.onEnd = { _, status, _ in self.end = status }
  }
}
