import ClientTransport
import Messages
import RPC
import Testing
import ViewState

/// A client of one daemon.
final class TestClient {
  unowned let bench: Bench
  let channel: Channel

  init(bench: Bench, channel: Channel) {
    self.bench = bench
    self.channel = channel
  }

  /// Calls a method and waits for the response.
  ///
  /// - Throws: the status, if it is not OK.
  func call<Request: WireMessage, Response: WireMessage>(
    _ path: String, _ request: Request, _ response: Response.Type = Response.self
  ) throws -> Response {
    var result: Result<[UInt8], Status>?
    channel.unary(path, request.encoded()) { result = $0 }
    try bench.wait(for: "the response to \(path)") { result != nil }
    return try Response(decoding: try #require(result).get())
  }

  /// Returns the status with which a call is refused.
  func refusal<Request: WireMessage>(of path: String, _ request: Request) throws -> Status {
    var result: Result<[UInt8], Status>?
    channel.unary(path, request.encoded()) { result = $0 }
    try bench.wait(for: "the response to \(path)") { result != nil }
    guard case .failure(let status) = result else { return .ok }
    return status
  }

  /// Writes a post.
  @discardableResult
  func post(_ text: String, requestID: String = "", replyingTo parent: String = "") throws -> ComposeResponse {
    var request = ComposeRequest(text: text)
    request.requestID = requestID
    request.inReplyTo = parent
    return try call(Method.compose, request)
  }

  /// The daemon's status.
  func status() throws -> DaemonStatus { try call(Method.getStatus, EmptyMessage()) }

  /// Rows of the timeline, newest first.
  func rows(
    _ layout: LayoutParameters = .test, count: Int = 50, from anchor: UInt64 = 0,
    _ direction: GetRowsRequest.Direction = .down
  ) throws -> GetRowsResponse {
    var request = GetRowsRequest(layout: layout)
    request.count = count
    request.anchorRow = anchor
    request.direction = direction
    return try call(Method.getRows, request)
  }

  /// Opens a view with Attach.
  func attach(
    _ hello: Hello = .test, acknowledges: Bool = true, from mirror: ViewSnapshot = ViewSnapshot()
  ) throws -> TestView {
    let view = TestView(
      bench: bench, call: try channel.start(Method.attach), acknowledges: acknowledges, from: mirror)
    try view.call.send(ClientFrame.hello(hello).encoded())
    return view
  }

  /// Opens a view with Watch.
  func watch(_ hello: Hello = .test, from mirror: ViewSnapshot = ViewSnapshot()) throws -> TestView {
    let view = TestView(bench: bench, call: try channel.start(Method.watch), acknowledges: false, from: mirror)
    try view.call.send(WatchRequest(hello: hello).encoded())
    view.call.closeSend()
    return view
  }

  /// Exports every post, as lines.
  func export() throws -> [String] {
    let call = try channel.start(Method.export)
    var bytes: [UInt8] = []
    var count = 0
    var end: Status?
    call.onMessage = { _, message in
      guard let page = try? ExportResponse(decoding: message) else { return }
      bytes += page.lines
      count += page.count
    }
    call.onEnd = { _, status, _ in end = status }
    try call.send(ExportRequest(publicOnly: false).encoded())
    call.closeSend()
    try bench.wait(for: "the end of the export") { end != nil }
    #expect(end == .ok)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) }
    #expect(lines.count == count)
    return lines
  }
}

extension LayoutParameters {
  /// A line-mode view of 40 cells.
  static var test: LayoutParameters {
    var layout = LayoutParameters(width: 40, height: 24)
    layout.isSinglePane = true
    return layout
  }
}

extension Hello {
  /// A view of the main session.
  static var test: Hello { Hello(session: "", layout: .test, client: "tests") }
}
