internal import ClientCore
internal import Messages
internal import RPC
internal import UV

/// Sends files to the daemon, piece by piece and no faster than it takes them, and follows its reports.
///
/// The transport asks for the next piece when there is room for it, so no more than one is in memory, however long the
/// file.
final class ImportUpload {
  /// Bytes a message: a few reads of the disk, and a quarter of what the daemon takes at most.
  static let chunkBytes = 256 << 10
  /// Between two lines of progress on a terminal.
  static let terminalInterval = Duration.milliseconds(100)
  /// Between two lines of progress in a log.
  static let logInterval = Duration.seconds(5)
  /// Skips whose reasons are kept: as many as the daemon tells of.
  static let keptSkips = 1000

  /// How it ended.
  struct Outcome {
    /// The last thing the daemon said of it.
    var response = ImportResponse()
    /// What was left out, and why.
    var skips: [ImportResponse.Skip] = []
    /// Why the archive's author is not the account, where that was asked for; empty where it is.
    var claimTrouble = ""
    /// Ctrl-C came.
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
  private var toldAt = Loop.now

  init(context: ClientContext, files: ImportFiles, header: ImportRequest) {
    self.context = context
    self.files = files
    self.header = header
  }

  /// Sends everything and waits for the report. After Ctrl-C no more is sent, and the report is of what the daemon
  /// took; after a second one the client does not wait for it.
  func run(_ link: DaemonLink) throws(ClientFailure) -> Outcome {
    let call = try link.start(Method.importPosts)
    let signal = try? UV.Signal(loop: link.loop, .interrupt) { [self] in
      if outcome.isInterrupted { return call.cancel() }
      outcome.isInterrupted = true
      call.closeSend()
    }
    defer { signal?.close() }
    startedAt = Loop.now
    toldAt = startedAt
    call.onMessage = { [self] _, bytes in received(bytes) }
    call.onEnd = { [self] _, status, _ in end = status }
    call.onReadyToSend = { [self] call in next() }
    link.run { end != nil || failure != nil }
    context.console.endProgress()
    if let failure {
      call.cancel()
      throw failure
    }
    if let end, !end.isOK, !outcome.isInterrupted { throw told(link.failure(end)) }
    guard outcome.response.isDone || outcome.isInterrupted else {
      throw ClientFailure(.versionMismatch, "the daemon ended the import without a report")
    }
    return outcome
  }

  /// A failure with what was stored before it. A daemon that can still speak says so itself.
  private func told(_ failure: ClientFailure) -> ClientFailure {
    guard failure.exitCode == .unreachable, !failure.message.contains("importing again") else { return failure }
    return ClientFailure(
      .unreachable, "\(failure.message); \(ImportProgress.lost(outcome.response))", hint: "importing again continues")
  }

  /// The next message, when there is room for it.
  private func next() -> ClientPull {
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

  /// The next bytes; empty at the end; nil if Ctrl-C came while waiting for some.
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
      // What is about no file and no item is about the whole: whose the archive is.
      if let trouble = response.skips.first(where: { $0.file.isEmpty && $0.position == 0 }) {
        outcome.claimTrouble = trouble.reason
      }
      let skips = response.skips.filter { !$0.file.isEmpty || $0.position != 0 }
      outcome.skips += skips.prefix(max(0, Self.keptSkips - outcome.skips.count))
      if !response.isDone { tellProgress(response) }
    } catch {
      failure = error
    }
  }

  private func tellProgress(_ response: ImportResponse) {
    let now = Loop.now
    let interval = context.console.showsNoticesToPerson ? Self.terminalInterval : Self.logInterval
    guard now - toldAt >= interval else { return }
    toldAt = now
    let elapsed = (now - startedAt) / .milliseconds(1)
    context.console.progress(
      ImportProgress(totalBytes: files.totalBytes)
        .line(response, elapsedMilliseconds: Int64(elapsed), width: context.console.windowSize?.columns ?? 80))
  }
}
