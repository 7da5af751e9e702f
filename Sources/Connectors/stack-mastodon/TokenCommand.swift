internal import Mastodon
internal import UV

/// A command that prints a token, while it runs. Its errors go to the daemon's log.
final class TokenCommand {
  /// The most bytes that it may print.
  private static let outputBytes = 64 << 10
  /// A person may have to type a passphrase.
  private static let patience = Duration.seconds(60)
  /// Time that its output may stay open after its end, as a program that it has left running has it.
  private static let drainTime = Duration.seconds(1)

  private var onEnd: ((Result<[UInt8], CommandFailure>) -> Void)?
  private var process: PipedProcess?
  private var timer: Timer?
  private var output: [UInt8] = []
  private var status: Int32?

  /// Runs a command, whose words are separated by spaces, without a shell. `onEnd` is called once, unless it is closed
  /// before.
  init(_ command: String, loop: Loop, onEnd: @escaping (Result<[UInt8], CommandFailure>) -> Void) {
    self.onEnd = onEnd
    let words = command.split(separator: " ").map(String.init)
    guard !words.isEmpty else {
      end(because: "is empty")
      return
    }
    do throws(UVError) {
      let timer = try Timer(loop: loop) { [weak self] in self?.timeIsUp() }
      self.timer = timer
      timer.arm(after: Self.patience)
      let process = try PipedProcess(loop: loop, arguments: words) { [weak self] in self?.exited($0) }
      self.process = process
      process.input.close()
      try process.output.startReadingArrays { [weak self] in
        self?.read($0)
      } onEnd: { [weak self] _ in
        self?.outputEnded()
      }
    } catch {
      end(because: "cannot be run: \(error)")
    }
  }

  /// Ends the command, if it runs.
  func close() {
    onEnd = nil
    timer?.close()
    process?.end(within: .seconds(1))
    (timer, process) = (nil, nil)
  }

  private func read(_ bytes: [UInt8]) {
    output += bytes
    if output.count > Self.outputBytes { end(because: "prints too much") }
  }

  private func outputEnded() {
    process?.output.close()
    if status != nil { finish() }
  }

  private func exited(_ status: Int32) {
    self.status = status
    if process?.output.isOpen == true { timer?.arm(after: Self.drainTime) } else { finish() }
  }

  private func timeIsUp() {
    if status == nil { end(because: "did not end within \(Self.patience.components.seconds) s") } else { finish() }
  }

  private func finish() {
    guard status == 0 else { return end(because: "ended with status \(status ?? 0)") }
    end(with: .success(output))
  }

  private func end(because reason: String) { end(with: .failure(CommandFailure(reason: reason))) }

  private func end(with result: Result<[UInt8], CommandFailure>) {
    let callback = onEnd
    close()
    callback?(result)
  }
}
