internal import ClientCore
internal import UV

/// The standard streams: output is collected and written in large pieces, notices are written at once.
///
/// Writing blocks until the reader is ready, which is the client's flow control. When the reader is gone the client
/// exits silently, like any program in a pipe.
final class Console {
  /// The number of bytes collected before they are written.
  private static let bufferBytes = 65536

  /// True if the output is a terminal.
  let isTerminal: Bool
  /// True if notices go to a terminal.
  let noticesGoToTerminal: Bool
  /// The size of the terminal, if there is one.
  let windowSize: (columns: Int, rows: Int)?
  private let output = Descriptor.standardOutput
  private let errors = Descriptor.standardError
  private let isQuiet: Bool
  private var pending: [UInt8] = []
  private var hasProgressLine = false

  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
    isTerminal = output.isTerminal
    noticesGoToTerminal = errors.isTerminal
    windowSize = output.windowSize ?? errors.windowSize
  }

  /// Collects output.
  func write(_ bytes: [UInt8]) throws(ClientFailure) {
    pending += bytes
    if pending.count >= Self.bufferBytes { try flush() }
  }

  func write(_ text: String) throws(ClientFailure) { try write(Array(text.utf8)) }

  /// Writes the collected output.
  func flush() throws(ClientFailure) {
    guard !pending.isEmpty else { return }
    let bytes = pending
    pending.removeAll(keepingCapacity: true)
    do throws(UVError) {
      try output.write(bytes)
    } catch .brokenPipe {
      throw ClientFailure(.closedPipe, "the output was closed")
    } catch {
      throw ClientFailure(.failure, "cannot write the output: \(error)")
    }
  }

  /// True if a question can be asked.
  var canAsk: Bool { noticesGoToTerminal && Descriptor.standardInput.isTerminal }

  /// Asks a question. Returns true if the answer begins with a y.
  func ask(_ question: String) throws(ClientFailure) -> Bool {
    var line = TerminalText(.bare)
    line.append(question + " [y/N] ")
    report(line.bytes)
    do throws(UVError) {
      // A terminal returns whole lines.
      return try Descriptor.standardInput.read(limit: 1024).first.map { $0 | 0x20 } == UInt8(ascii: "y")
    } catch {
      throw ClientFailure(.interrupted, "")
    }
  }

  /// Prints a notice, unless the client is quiet.
  func notice(_ text: String) {
    guard !isQuiet else { return }
    report(Notice.line(text))
  }

  /// Prints a line of progress; on a terminal it replaces the previous one.
  func progress(_ text: String) {
    guard !isQuiet else { return }
    if noticesGoToTerminal {
      // Carriage return and "erase in line" (ECMA-48, 8.3.41). The text has been filtered.
      var line = TerminalText(.bare)
      line.append(text)
      put([0x0D] + line.bytes + Array("\u{1B}[K".utf8))
      hasProgressLine = true
    } else {
      notice(text)
    }
  }

  /// Erases the line that `progress` has written.
  func endProgress() {
    if hasProgressLine { put(Array("\r\u{1B}[K".utf8)) }
    hasProgressLine = false
  }

  /// Writes to standard error even if the client is quiet: errors are always reported.
  func report(_ bytes: [UInt8]) {
    endProgress()
    put(bytes)
  }

  private func put(_ bytes: [UInt8]) {
    // If standard error is closed, nothing can be reported.
    try? errors.write(bytes)
  }
}
