import ClientTransport
import Messages
import RPC
import Testing

/// An import from its client's side: requests go out as fast as the daemon allows, responses are recorded.
final class TestImport {
  let call: ClientCall
  private(set) var responses: [ImportResponse] = []
  /// The status with which the call ended; nil until then.
  private(set) var end: Status?
  /// Chunk bytes handed to the call's flow control, and the most that was ahead of what the daemon had reported as
  /// stored.
  private(set) var sentBytes = 0
  private(set) var mostBytesAhead = 0
  private unowned let bench: Bench

  /// Starts an import. `storedBytes` returns how many of the sent bytes a response accounts for.
  init(
    _ client: TestClient, _ requests: [ImportRequest], closes: Bool = true,
    storedBytes: @escaping (ImportResponse) -> Int = { _ in 0 }
  ) throws {
    bench = client.bench
    call = try client.channel.start(Method.importPosts)
    // The call retains the import until it ends.
    call.onMessage = { _, bytes in
      do {
        self.responses.append(try ImportResponse(decoding: bytes))
      } catch {
        Issue.record("a response that cannot be decoded: \(error)")
      }
    }
    call.onEnd = { _, status, _ in self.end = status }
    var next = requests.makeIterator()
    call.onReadyToSend = { _ in
      guard let request = next.next() else { return closes ? .close : .wait }
      if case .chunk(let bytes) = request {
        self.sentBytes += bytes.count
        let stored = self.responses.last.map(storedBytes) ?? 0
        self.mostBytesAhead = max(self.mostBytesAhead, self.sentBytes - stored)
      }
      return .message(request.encoded())
    }
  }

  /// Waits for the final report.
  ///
  /// - Throws: the status, if it is not OK.
  func report() throws -> ImportResponse {
    try bench.wait(for: "the end of the import") { end != nil }
    if let end, !end.isOK { throw end }
    let report = try #require(responses.last)
    #expect(report.isDone && responses.dropLast().allSatisfy { !$0.isDone })
    return report
  }

  /// Waits for the refusal.
  func refusal() throws -> Status {
    try bench.wait(for: "the end of the import") { end != nil }
    return try #require(end)
  }

  /// Waits for a response that satisfies `condition`.
  func wait(for what: String, until condition: (ImportResponse) -> Bool) throws {
    try bench.wait(for: what) { end != nil || responses.last.map(condition) ?? false }
    if let end { throw end }
  }

  /// Returns the requests for one whole file in chunks of `chunk` bytes, after its header.
  static func requests(
    _ text: String, name: String = "posts.jsonl", format: String = "auto", dryRun: Bool = false, chunk: Int = 65_536
  ) -> [ImportRequest] {
    let bytes = Array(text.utf8)
    let chunks = stride(from: 0, to: bytes.count, by: chunk).map {
      ImportRequest.chunk(Array(bytes[$0..<min($0 + chunk, bytes.count)]))
    }
    return [
      .header(format: format, source: "", isMe: false, dryRun: dryRun), .file(name: name, size: UInt64(bytes.count)),
    ]
      + chunks
  }

  /// Returns line `number` of a JSON Lines file, LF included; all lines of the same `padding` have about the same
  /// length.
  static func line(_ number: Int, padding: Int = 0) -> String {
    let text = "Post \(number)." + String(repeating: " More.", count: padding / 6)
    return #"{"source":"test","id":"\#(number)","created_at":\#(1_700_000_000_000 + number * 1000),"#
      + #""author":{"id":"7","handle":"ann","name":"Ann"},"text":"\#(text)"}"# + "\n"
  }
}
