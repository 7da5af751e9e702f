internal import Ingest
public import UV

/// A connector's standard input and output: lines from the daemon, and lines to it. The program ends with its input.
public final class DaemonPipe {
  /// An event.
  public enum Event {
    /// A line, without its end.
    case line([UInt8])
    /// A line of more than ``lineBytes``, which was skipped.
    case lineTooLong
    /// The daemon has gone, or does not read: the program is to end with this status.
    case ended(Int32)
  }

  /// The longest line from the daemon, in bytes.
  static let lineBytes = 64 << 10
  /// The most bytes that wait for a daemon that does not read; with more the program ends.
  static let waitingBytes = 64 << 20

  private let input: UV.Stream
  private let output: UV.Stream
  private var onEvent: (Event) -> Void = { _ in }
  private var lines = LineFramer(limit: lineBytes)
  private var waiting: [UInt8] = []

  /// Takes the process's standard input and output.
  public init(loop: Loop) throws(UVError) {
    input = try Stream.pipedInput(loop: loop)
    output = try Stream.pipedOutput(loop: loop)
    output.keepsLoopRunning = false
  }

  /// False once the program is to end.
  public var isOpen: Bool { input.isOpen }

  /// Begins to read. `onEvent` is called on the loop.
  public func start(onEvent: @escaping (Event) -> Void) throws(UVError) {
    self.onEvent = onEvent
    try input.startReadingArrays { [unowned self] bytes in
      read(bytes)
    } onEnd: { _ in
      onEvent(.ended(0))
    }
  }

  /// Adds a line, with its end, to what ``flush()`` writes.
  public func write(_ line: [UInt8]) { waiting += line }

  /// Writes what waits, one write at a time.
  public func flush() {
    guard !waiting.isEmpty, output.isOpen else { return }
    guard !output.isWriting else {
      if waiting.count > Self.waitingBytes { onEvent(.ended(75)) }
      return
    }
    let bytes = waiting
    waiting = []
    do throws(UVError) {
      try output.write(bytes) { [unowned self] error in
        if error == nil { flush() }
      }
    } catch {
      onEvent(.ended(74))
    }
  }

  /// Closes both.
  public func close() {
    input.close()
    output.close()
  }

  private func read(_ bytes: [UInt8]) {
    var index = 0
    while let read = lines.next(bytes.span, from: &index) {
      onEvent(read == .line ? .line(lines.line) : .lineTooLong)
    }
  }
}
