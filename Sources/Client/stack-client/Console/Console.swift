internal import ClientCore
internal import UV

/// The three standard streams, as the verbs use them: output is collected and written in large pieces, notices go out
/// at once.
///
/// Writing waits for the reader, which is the client's flow control. When the reader has gone the client ends, without
/// a word, as every program in a pipe does.
final class Console {
  /// Bytes collected before they are written.
  private static let bufferBytes = 65536

  /// Whether a person reads the output.
  let isTerminal: Bool
  /// Whether a person reads notices.
  let showsNoticesToPerson: Bool
  /// Columns and rows of the terminal, if there is one.
  let windowSize: (columns: Int, rows: Int)?
  private let output = Descriptor.standardOutput
  private let errors = Descriptor.standardError
  private let isQuiet: Bool
  private var pending: [UInt8] = []
  private var hasProgressLine = false

  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
    isTerminal = output.isTerminal
    showsNoticesToPerson = errors.isTerminal
    windowSize = output.windowSize ?? errors.windowSize
  }

  /// Collects output.
  func write(_ bytes: [UInt8]) throws(ClientFailure) {
    pending += bytes
    if pending.count >= Self.bufferBytes { try flush() }
  }

  func write(_ text: String) throws(ClientFailure) { try write(Array(text.utf8)) }

  /// Writes what has been collected.
  func flush() throws(ClientFailure) {
    guard !pending.isEmpty else { return }
    let bytes = pending
    pending.removeAll(keepingCapacity: true)
    do throws(UVError) {
      try output.write(bytes)
    } catch .brokenPipe {
      throw ClientFailure(.closedPipe, "nobody reads the output any more")
    } catch {
      throw ClientFailure(.failure, "the output cannot be written: \(error)")
    }
  }

  /// Whether there is a person to answer a question.
  var canAsk: Bool { showsNoticesToPerson && Descriptor.standardInput.isTerminal }

  /// Asks a question, and says whether the answer begins with a y.
  func ask(_ question: String) throws(ClientFailure) -> Bool {
    var line = TerminalText(.bare)
    line.append(question + " [y/N] ")
    report(line.bytes)
    do throws(UVError) {
      // A terminal gives whole lines.
      return try Descriptor.standardInput.read(limit: 1024).first.map { $0 | 0x20 } == UInt8(ascii: "y")
    } catch {
      throw ClientFailure(.interrupted, "")
    }
  }

  /// A line for the person, unless they want none.
  func notice(_ text: String) {
    guard !isQuiet else { return }
    report(Notice.line(text))
  }

  /// A line that takes the place of the one before it, on a terminal; otherwise a line of its own.
  func progress(_ text: String) {
    guard !isQuiet else { return }
    if showsNoticesToPerson {
      // Carriage return and "erase in line" (ECMA-48, 8.3.41); the text has passed the filter as all others.
      var line = TerminalText(.bare)
      line.append(text)
      put([0x0D] + line.bytes + Array("\u{1B}[K".utf8))
      hasProgressLine = true
    } else {
      notice(text)
    }
  }

  /// Ends the line that `progress` has written.
  func endProgress() {
    if hasProgressLine { put(Array("\r\u{1B}[K".utf8)) }
    hasProgressLine = false
  }

  /// Writes to standard error whatever is said about being quiet: an error is told.
  func report(_ bytes: [UInt8]) {
    endProgress()
    put(bytes)
  }

  private func put(_ bytes: [UInt8]) {
    // If standard error is closed there is nobody left to tell.
    try? errors.write(bytes)
  }
}
