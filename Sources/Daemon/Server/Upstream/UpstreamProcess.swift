internal import Ingest
internal import Posts
internal import Services
internal import UV

/// The program of a source as a process: commands go to its standard input, answers come from its standard output, a
/// line each.
final class UpstreamProcess: UpstreamProgram {
  /// Bytes that may wait for a program which does not read; one that lets more wait is ended, and told everything
  /// again.
  static let waitingBytes = 4 << 20
  /// How long a program that has ended may leave its output open, for what it wrote last.
  static let lastWords = Duration.seconds(1)
  /// Lines that are no answers and are told to the keeper of the daemon, of one process.
  static let toldMistakes = 10
  /// Lines that are no answers after which a process is ended: it is no program of this kind.
  static let mistakes = 100

  private let log: (String) -> Void
  private let onAnswer: (UpstreamAnswer) -> Void
  private var onEnd: ((String) -> Void)?
  private var process: PipedProcess?
  private var timer: Timer?
  private var lines = UpstreamLine()
  private var waiting: [UInt8] = []
  private var mistakes = 0
  private var status: Int32?

  /// Starts `command[0]` with the rest, without a shell.
  init(
    loop: Loop, command: [String], log: @escaping (String) -> Void, onAnswer: @escaping (UpstreamAnswer) -> Void,
    onEnd: @escaping (String) -> Void
  ) throws(UpstreamFailure) {
    (self.log, self.onAnswer, self.onEnd) = (log, onAnswer, onEnd)
    do throws(UVError) {
      let timer = try Timer(loop: loop) { [weak self] in self?.end() }
      timer.keepsLoopRunning = false
      self.timer = timer
      process = try PipedProcess(loop: loop, arguments: command) { [weak self] in self?.exited($0) }
      try process?.output.startReadingArrays { [weak self] bytes in
        self?.read(bytes)
      } onEnd: { [weak self] _ in
        self?.outputEnded()
      }
    } catch {
      close()
      throw UpstreamFailure(reason: "\(command[0]): \(error)")
    }
  }

  deinit { release() }

  func send(_ command: UpstreamCommand) {
    waiting += UpstreamLine.line(command)
    flush()
  }

  func close() {
    onEnd = nil
    release()
  }

  private func release() {
    timer?.close()
    timer = nil
    guard let process else { return }
    self.process = nil
    process.input.close()
    process.output.close()
    if status == nil { process.terminate() }
    process.close()
  }

  /// Hands over what waits, as far as it is taken; one write at a time.
  private func flush() {
    guard let input = process?.input, !waiting.isEmpty else { return }
    guard !input.isWriting else {
      if waiting.count > Self.waitingBytes { end("it does not read what it is told") }
      return
    }
    let bytes = waiting
    waiting = []
    do throws(UVError) {
      try input.write(bytes) { [weak self] error in
        if error == nil { self?.flush() }
      }
    } catch {
      // It has ended, or will: its output says so.
    }
  }

  private func read(_ bytes: [UInt8]) {
    var answers: [Result<UpstreamAnswer, UpstreamMistake>] = []
    lines.read(bytes) { answers.append($0) }
    for answer in answers where onEnd != nil {
      switch answer {
      case .success(let answer): onAnswer(answer)
      case .failure(let mistake):
        mistakes += 1
        if mistakes <= Self.toldMistakes { log("\(mistake.reason); it is passed over") }
        if mistakes > Self.mistakes { end("it says what is no answer") }
      }
    }
  }

  private func exited(_ status: Int32) {
    self.status = status
    timer?.arm(after: Self.lastWords)
  }

  /// Without output it is of no use: it is told to end, and if it does not it is none of our business any more.
  private func outputEnded() {
    if status == nil { process?.terminate() }
    timer?.arm(after: status == nil ? Self.lastWords : .zero)
  }

  private func end(_ how: String? = nil) {
    let callback = onEnd
    onEnd = nil
    let how = how ?? status.map { "it ended with \($0)" } ?? "it closed its output"
    release()
    callback?(how)
  }
}
