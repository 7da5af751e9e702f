import Messages
import RPC
import Testing
import ViewState

/// A live view from its client's side: the mirror that every frame was applied to, and the frames themselves.
final class TestView {
  let call: ClientCall
  private(set) var mirror: ViewSnapshot
  private(set) var frames: [Frame] = []
  /// The status with which the stream ended; nil until then.
  private(set) var end: Status?
  private unowned let bench: Bench

  init(bench: Bench, call: ClientCall, acknowledges: Bool, from mirror: ViewSnapshot = ViewSnapshot()) {
    self.bench = bench
    self.mirror = mirror
    self.call = call
    // The call retains the view until it ends.
    call.onMessage = { call, bytes in
      do {
        let frame = try Frame(decoding: bytes)
        try self.mirror.apply(frame)
        self.frames.append(frame)
        if acknowledges { try call.send(ClientFrame.ack(frame.number).encoded()) }
      } catch {
        Issue.record("a frame that does not fit: \(error)")
      }
    }
    call.onEnd = { _, status, _ in self.end = status }
  }

  /// Sends a frame on the stream.
  func send(_ frame: ClientFrame) throws { try call.send(frame.encoded()) }

  /// Waits until the view satisfies `condition`. A stream that ends meanwhile fails the test.
  func wait(for what: String, until condition: (ViewSnapshot) -> Bool) throws {
    try bench.wait(for: what) { end != nil || condition(mirror) }
    if let end { throw end }
  }

  /// Waits for the first frame.
  func waitForFirstFrame() throws {
    try wait(for: "the first frame") { _ in !frames.isEmpty }
  }

  /// Waits for the end of the stream.
  func waitForEnd() throws -> Status {
    try bench.wait(for: "the end of a view") { end != nil }
    return try #require(end)
  }

  /// The operations of the frames after the first.
  var laterOperations: [Operation] { frames.dropFirst().flatMap(\.operations) }

  /// The first frame that brought row `id` as an insertion.
  func frame(inserting id: UInt64) -> Frame? {
    frames.first { $0.operations.contains { $0.insertedRows.contains(id) } }
  }
}

extension ViewSnapshot {
  /// The IDs of the topmost pane's rows, from top to bottom.
  var topRows: [UInt64] { panes.last?.rows.map(\.rowID) ?? [] }
}

extension Operation {
  /// The IDs of the rows that an insertion adds.
  var insertedRows: [UInt64] {
    if case .rowsInserted(_, _, let rows) = self { return rows.map(\.rowID) }
    return []
  }
}
