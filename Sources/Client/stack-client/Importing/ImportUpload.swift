internal import ClientCore
internal import Messages
internal import RPC
internal import UV

/// Sends files to the daemon in chunks, no faster than it accepts them, and collects its reports.
///
/// The transport asks for the next chunk when there is room for it, so only one is in memory, however long the file.
final class ImportUpload {
  /// The size of a chunk in bytes: a few disk reads, and a quarter of the largest message that the daemon accepts.
  static let chunkBytes = 256 << 10
  /// The interval between progress lines on a terminal.
  static let terminalInterval = Duration.milliseconds(100)
  /// The interval between progress lines in a log.
  static let logInterval = Duration.seconds(5)
  /// The number of skips whose reasons are kept: as many as the daemon reports.
  static let keptSkips = 1000

  /// The outcome of an import.
  struct Outcome {
    /// The last report of the daemon.
    var response = ImportResponse()
    /// The skipped items and files, with reasons.
    var skips: [ImportResponse.Skip] = []
    /// The reason why `--me` could not claim the archive's author; empty if it could or was not given.
    var claimTrouble = ""
    /// True after Ctrl-C.
    var isInterrupted = false
  }

  private let context: ClientContext
  private let files: ImportFiles
  private let header: ImportRequest
  private var outcome = Outcome()
  private var failure: ClientFailure?
  private var end: Status?
  private var hasSentHeader = false
  private var nextFile = 0
  private var open: Descriptor?
  private var startedAt = Loop.now
  private var reportedAt = Loop.now

  init(context: ClientContext, files: ImportFiles, header: ImportRequest) {
    self.context = context
    self.files = files
    self.header = header
  }

  /// Sends everything and waits for the report. After Ctrl-C nothing more is sent, and the report covers what the daemon
  /// has received. After a second Ctrl-C the client does not wait for the report.
  func run(_ link: DaemonLink) throws(ClientFailure) -> Outcome {
    let call = try link.start(Method.importPosts)
    let signal = try? UV.Signal(loop: link.loop, .interrupt) { [self] in
      if outcome.isInterrupted { return call.cancel() }
      outcome.isInterrupted = true
      call.closeSend()
    }
    defer { signal?.close() }
    startedAt = Loop.now
    reportedAt = startedAt
    call.onMessage = { [self] _, bytes in received(bytes) }
    call.onEnd = { [self] _, status, _ in end = status }
    call.onReadyToSend = { [self] call in nextMessage() }
    link.run { end != nil || failure != nil }
    context.console.endProgress()
    if let failure {
      call.cancel()
      throw failure
    }
    if let end, !end.isOK, !outcome.isInterrupted { throw addingStoredCount(to: link.failure(end)) }
    guard outcome.response.isDone || outcome.isInterrupted else {
      throw ClientFailure(.versionMismatch, "the daemon ended the import without a report")
    }
    return outcome
  }

  /// Adds the number of posts stored so far to a failure. A daemon that still responds includes it itself.
  private func addingStoredCount(to failure: ClientFailure) -> ClientFailure {
    guard failure.exitCode == .unreachable, !failure.message.contains("importing again") else { return failure }
    return ClientFailure(
      .unreachable, "\(failure.message); \(ImportProgress.storedBeforeLoss(outcome.response))",
      hint: "importing again continues")
  }

  /// Returns the next message, when there is room for it.
  private func nextMessage() -> ClientPull {
    if !hasSentHeader {
      hasSentHeader = true
      return .message(header.encoded())
    }
    do throws(ClientFailure) {
      while true {
        if let open {
          let path = files.files[nextFile - 1].path
          let bytes = try FileReading.attempt(path) { () throws(UVError) in try Self.read(open) }
          guard let bytes else { return .close }
          if !bytes.isEmpty { return .message(ImportRequest.chunk(bytes).encoded()) }
          self.open = nil
        }
        guard nextFile < files.files.count else { return .close }
        let file = files.files[nextFile]
        nextFile += 1
        open = try FileReading.attempt(file.path) { () throws(UVError) in
          file.path == "-" ? .standardInput : try Descriptor(path: file.path, for: .reading)
        }
        return .message(ImportRequest.file(name: file.name, size: file.size).encoded())
      }
    } catch {
      failure = error
      return .wait
    }
  }

  /// Reads the next bytes; empty at the end; nil if Ctrl-C interrupted the wait.
  private static func read(_ file: Descriptor) throws(UVError) -> [UInt8]? {
    do {
      return try file.read(limit: chunkBytes)
    } catch .interrupted {
      return nil
    }
  }

  private func received(_ bytes: [UInt8]) {
    do throws(ClientFailure) {
      let response: ImportResponse = try DaemonLink.decode(bytes)
      outcome.response = response
      // A skip without a file and a position concerns the claim of the archive's author.
      if let trouble = response.skips.first(where: { $0.file.isEmpty && $0.position == 0 }) {
        outcome.claimTrouble = trouble.reason
      }
      let skips = response.skips.filter { !$0.file.isEmpty || $0.position != 0 }
      outcome.skips += skips.prefix(max(0, Self.keptSkips - outcome.skips.count))
      if !response.isDone { reportProgress(response) }
    } catch {
      failure = error
    }
  }

  /// Returns the interval between lines of progress.
  static func progressInterval(_ context: ClientContext) -> Duration {
    context.console.noticesGoToTerminal ? terminalInterval : logInterval
  }

  private func reportProgress(_ response: ImportResponse) {
    let now = Loop.now
    guard now - reportedAt >= Self.progressInterval(context) else { return }
    reportedAt = now
    let elapsed = (now - startedAt) / .milliseconds(1)
    context.console.progress(
      ImportProgress(totalBytes: files.totalBytes)
        .line(response, elapsedMilliseconds: Int64(elapsed), width: context.console.windowSize?.columns ?? 80))
  }
}
