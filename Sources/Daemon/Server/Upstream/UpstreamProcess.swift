internal import Ingest
internal import Posts
internal import Services
internal import UV

/// A source's program as a process: lines go to its standard input, and come from its standard output.
final class UpstreamProcess: UpstreamProgram {
  /// Maximum number of bytes queued for a program that does not read; beyond it the program is terminated, and gets
  /// everything again after its restart.
  static let waitingBytes = 4 << 20
  /// Time that the output of a program may stay open after its end, for the last lines it wrote.
  static let drainTimeout = Duration.seconds(1)
  /// Time for which the program is not read after each status, so that one that never stops has a small share of the
  /// loop. A chunk of its output has a few hundred at most.
  static let statusPause = Duration.microseconds(200)
  /// Time that the program has to end once it is terminated; then it is killed.
  static let terminationTime = Duration.seconds(3)
  /// Maximum number of invalid lines of one process that are logged.
  static let loggedMistakeLimit = 10
  /// Number of invalid lines after which a process is terminated as not being an upstream program.
  static let mistakeLimit = 100

  private let log: (String) -> Void
  private let onMessage: (UpstreamMessage) -> Void
  private var onEnd: ((UpstreamEnd) -> Void)?
  private var process: PipedProcess?
  private var timer: Timer?
  private var pause: Timer?
  private var lines: UpstreamLine
  private var waiting: [UInt8] = []
  private var onTaken: [() -> Void] = []
  private var mistakes = 0
  private var status: Int32?

  /// Starts `command[0]`, the program of a source, with the rest as arguments, without a shell.
  init(
    loop: Loop, source: String, command: [String], log: @escaping (String) -> Void,
    onMessage: @escaping (UpstreamMessage) -> Void, onEnd: @escaping (UpstreamEnd) -> Void
  ) throws(UpstreamFailure) {
    (self.log, self.onMessage, self.onEnd) = (log, onMessage, onEnd)
    lines = UpstreamLine(source: source)
    do throws(UVError) {
      let timer = try Timer(loop: loop) { [weak self] in self?.end() }
      timer.keepsLoopRunning = false
      self.timer = timer
      let pause = try Timer(loop: loop) { [weak self] in self?.startReading() }
      pause.keepsLoopRunning = false
      self.pause = pause
      process = try PipedProcess(loop: loop, arguments: command) { [weak self] in self?.exited($0) }
    } catch {
      close()
      throw UpstreamFailure(reason: "\(command[0]): \(error)")
    }
    startReading()
  }

  private func startReading() {
    do throws(UVError) {
      try process?.output.startReadingArrays { [weak self] bytes in
        self?.read(bytes)
      } onEnd: { [weak self] _ in
        self?.outputEnded()
      }
    } catch {
      end()
    }
  }

  deinit { release() }

  func send(_ command: UpstreamCommand) {
    waiting += UpstreamLine.line(command)
    flush()
  }

  func send(_ notice: UpstreamNotice) {
    waiting += UpstreamLine.line(notice)
    flush()
  }

  func whenTaken(_ body: @escaping () -> Void) {
    guard process?.input.isWriting == true else { return body() }
    onTaken.append(body)
  }

  func close() {
    onEnd = nil
    release()
  }

  private func release() {
    onTaken = []
    timer?.close()
    timer = nil
    pause?.close()
    pause = nil
    guard let process else { return }
    self.process = nil
    process.end(within: Self.terminationTime)
  }

  /// Writes the queued bytes, one write at a time.
  private func flush() {
    guard let input = process?.input else { return }
    guard !input.isWriting else {
      if waiting.count > Self.waitingBytes { end(because: "it does not read its input") }
      return
    }
    let bytes = waiting
    waiting = []
    do throws(UVError) {
      try input.write(bytes) { [weak self] error in
        if error == nil { self?.flush() }
      }
    } catch {
      // It has ended, or will; the end of its output reports that.
      return
    }
    guard !input.isWriting else { return }
    let callbacks = onTaken
    onTaken = []
    for callback in callbacks { callback() }
  }

  private func read(_ bytes: [UInt8]) {
    var messages: [Result<UpstreamMessage, UpstreamMistake>] = []
    lines.read(bytes) { messages.append($0) }
    var statuses = 0
    for message in messages where onEnd != nil {
      switch message {
      case .success(let message):
        if case .status = message { statuses += 1 }
        onMessage(message)
      case .failure(let mistake):
        mistakes += 1
        if mistakes <= Self.loggedMistakeLimit { log("\(mistake.reason); line ignored") }
        if mistakes > Self.mistakeLimit { end(because: "too many of its lines are invalid") }
      }
    }
    if statuses > 1, let pause {
      process?.output.stopReading()
      pause.arm(after: Self.statusPause * statuses)
    }
  }

  private func exited(_ status: Int32) {
    self.status = status
    timer?.arm(after: Self.drainTimeout)
  }

  /// A program without output is useless: it is asked to terminate, and abandoned if it does not.
  private func outputEnded() {
    if status == nil { process?.terminate() }
    timer?.arm(after: status == nil ? Self.drainTimeout : .zero)
  }

  /// Ends the program for breaking a rule or, without one, reports how it has ended.
  private func end(because offence: String? = nil) {
    let callback = onEnd
    onEnd = nil
    let reason = offence ?? status.map { "it ended with status \($0)" } ?? "it closed its output"
    release()
    callback?(UpstreamEnd(reason: reason, isTermination: offence != nil))
  }
}
