internal import Dates
internal import Engine
internal import Ingest
internal import Messages
internal import Posts
internal import RPC
internal import Store

/// One import as a pure state machine: requests and outcomes go in, actions come out.
struct ImportMachine {
  /// Maximum size of an item of a file in bytes. The item is stored beside its post; both together fit into a message
  /// of an export.
  static let itemLimit = 1 << 20
  /// Maximum length of a file's name in bytes, as for a path.
  static let nameLimit = 4096

  /// An action for the owner to carry out.
  enum Action {
    /// Submit a step to the import worker; report back with `stepEnded` or `workerRefused`.
    case step(ImportWorker.Step)
    /// Make the import worker forget the import.
    case drop
    /// Submit a write to the store; report back with `writeEnded`.
    case write(Write)
    /// Return this many message bytes to the client's window.
    case consume(Int)
    /// Wake the call; there may be something to send.
    case wake
  }

  /// The import's phase.
  private enum Phase {
    case awaitingHeader
    case open(isMe: Bool, dryRun: Bool, publishes: Bool)
    /// Queued work has been dropped, and outcomes of running work are ignored.
    case closed
  }

  /// The state of claiming the archive's author as this account.
  private enum Claim {
    case notAsked
    case beingWritten
    case done
  }

  private let account: AccountID
  /// The import, by which it can be taken back; it has a number once it has brought something.
  private var run: ImportRun
  /// True if other accounts use the daemon.
  private let isShared: Bool
  private var phase = Phase.awaitingHeader
  private var file: String?
  private var isHalfClosed = false
  private var claim = Claim.notAsked
  private var failure: EngineError?
  private var queue = ImportQueue()
  private var tally = ImportTally(format: .auto)

  /// A new import of an account. `isShared` is true if other accounts use the daemon, or may.
  init(of account: AccountID, isShared: Bool, at now: Instant = Instant(milliseconds: 0)) {
    (self.account, self.isShared) = (account, isShared)
    run = ImportRun(name: .empty, startedAt: now)
  }

  // MARK: Requests

  /// Handles a request whose message had `size` bytes. They are returned to the client's window once what they brought
  /// is stored.
  mutating func received(_ request: ImportRequest, size: Int) -> [Action] {
    guard failure == nil else { return [] }
    if case .awaitingHeader = phase {
      guard case .header(let format, let source, let isMe, let dryRun, let publishes) = request else {
        return fail(Self.noHeader)
      }
      return begin(format, source, .open(isMe: isMe, dryRun: dryRun, publishes: publishes), size: size)
    }
    switch request {
    case .header: return fail(EngineError(.invalidArgument, "an import has one header, and it must come first"))
    case .file(let name, _):
      guard name.utf8.count <= Self.nameLimit else {
        return fail(
          EngineError(
            .invalidArgument, "a file name may have at most \(Self.nameLimit) bytes", field: "file.name",
            limit: Self.nameLimit))
      }
      let ended = endFile()
      let safeName = SafeText(line: name).string
      if run.name.isEmpty { run.name = SafeText(line: name) }
      file = safeName
      return ended + add(.file(safeName), file: safeName, charge: size)
    case .chunk(let bytes):
      guard let file else { return fail(EngineError(.invalidArgument, "a chunk arrived before its file")) }
      tally.received(byteCount: bytes.count)
      return add(.chunk(bytes), file: file, charge: size)
    }
  }

  private mutating func begin(_ format: String, _ source: String, _ open: Phase, size: Int) -> [Action] {
    guard let known = ImportFormat(rawValue: format.isEmpty ? "auto" : format) else {
      let names = ImportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      return fail(
        EngineError(
          .invalidArgument, "unknown format; use one of \(names)", field: "header.format"))
    }
    guard source.utf8.count <= StoreLimits.sourceBytes else {
      return fail(
        EngineError(
          .invalidArgument, "a source name may have at most \(StoreLimits.sourceBytes) bytes", field: "header.source",
          limit: StoreLimits.sourceBytes))
    }
    phase = open
    tally = ImportTally(format: known)
    let options = ImportOptions(
      format: known, sourceName: source.isEmpty ? nil : source, itemLimit: Self.itemLimit)
    return add(.begin(options), file: "", charge: size)
  }

  /// The client has sent all of its requests.
  mutating func halfClosed() -> [Action] {
    isHalfClosed = true
    return endFile() + finishIfDone()
  }

  private mutating func endFile() -> [Action] {
    guard let name = file else { return [] }
    file = nil
    return add(.endFile, file: name, charge: 0)
  }

  private mutating func add(_ step: ImportWorker.Step, file: String, charge: Int) -> [Action] {
    guard case .open = phase else { return [] }
    queue.add(step, file: file, charge: charge)
    return nextStep()
  }

  private mutating func nextStep() -> [Action] { queue.nextStep().map { [.step($0)] } ?? [] }

  // MARK: Outcomes

  /// The worker refused the step.
  mutating func workerRefused() -> [Action] {
    _ = queue.endStep()
    return fail(EngineError(.resourceExhausted, "too many imports are running; try again later", reason: .busy))
  }

  /// The worker has finished its step.
  mutating func stepEnded(_ result: Result<ImportBatch, ImportRefusal>) -> [Action] {
    guard let (file, charge) = queue.endStep() else { return [] }
    guard case .open(_, let dryRun, _) = phase else { return [.drop] }
    var actions = [Action.wake]
    switch result {
    case .success(let batch):
      let found = tally.parsed(batch, of: file)
      if dryRun || found.isEmpty {
        actions += finished(charge)
      } else {
        queue.add(found, file: file, charge: charge)
        actions += nextWrite()
      }
    case .failure(let refusal):
      tally.refusedFile(refusal)
      actions += finished(charge)
    }
    return actions + nextStep()
  }

  private mutating func nextWrite() -> [Action] {
    guard let batch = queue.nextBatch() else { return [] }
    switch batch.content {
    case .posts(let posts, _): return [.write(.importBatch(posts, owner: account, sharing: sharing, run: run))]
    case .gap(let note, _): return [.write(.noteGap(account, note))]
    }
  }

  /// Who sees the public posts. An archive's author counts as this account if it is going to claim it.
  private var sharing: ImportSharing {
    guard isShared, case .open(let isMe, _, false) = phase else { return .everyone }
    return .own(archive: isMe ? tally.owner?.nativeID : nil)
  }

  /// The store has finished its write.
  mutating func writeEnded(_ result: Result<(Outcome, revision: UInt64), EngineError>) -> [Action] {
    if claim == .beingWritten { return claimed(result) }
    guard let batch = queue.endBatch() else { return [] }
    var actions: [Action] = []
    switch (batch.content, result) {
    case (.posts(let posts, let positions), .success((.imported(let report), let revision))):
      run.number = report.run
      tally.stored(report, of: posts, at: positions, in: batch.file, revision: revision)
      actions = [.wake]
    case (.gap, .success((.gapNoted(let hasChanged), let revision))):
      tally.storedGap(hasChanged: hasChanged, at: revision)
      actions = [.wake]
    case (.gap(_, let position), .failure(let error)) where error.isAboutGap:
      tally.refusedGap(error, at: position, in: batch.file)
      actions = [.wake]
    case (_, .failure(let error)): return fail(error)
    case (_, .success): break
    }
    // The next write starts before the check whether everything is done.
    actions += nextWrite()
    return actions + finished(batch.charge)
  }

  /// Returns a finished charge to the client's window.
  private mutating func finished(_ charge: Int) -> [Action] { [.consume(charge)] + finishIfDone() }

  // MARK: The end

  private mutating func finishIfDone() -> [Action] {
    guard isHalfClosed, file == nil, failure == nil, !tally.isDone, claim != .beingWritten else { return [] }
    guard case .open(let isMe, let dryRun, _) = phase else { return fail(Self.noHeader) }
    guard queue.isIdle else { return [] }
    if let refusal = tally.onlyRefusal { return fail(EngineError(.invalidArgument, refusal.description)) }
    tally.reportRefusals()
    if isMe, !dryRun, claim == .notAsked { return claimIdentity() }
    tally.complete()
    return close() + [.wake]
  }

  /// Claims the archive's author as this account.
  private mutating func claimIdentity() -> [Action] {
    guard let owner = tally.owner, let source = tally.source else {
      claim = .done
      tally.reportMissingOwner()
      return finishIfDone()
    }
    claim = .beingWritten
    return [.write(.claimIdentity(account, source: source, authorNativeID: owner.nativeID))]
  }

  private mutating func claimed(_ result: Result<(Outcome, revision: UInt64), EngineError>) -> [Action] {
    claim = .done
    switch result {
    case .success(let done): tally.reached(done.revision)
    case .failure(let error): return fail(error)
    }
    return finishIfDone()
  }

  /// Ends the import. Stored posts stay; the client learns how many there are.
  mutating func fail(_ error: EngineError) -> [Action] {
    guard failure == nil else { return [] }
    let stored = tally.storedCount
    let note = stored == 0 ? "" : " (\(stored) posts were stored first; importing again continues)"
    var reported = error
    reported.message += note
    failure = reported
    return close() + [.wake]
  }

  /// Drops queued work. A running write is still finished.
  private mutating func close() -> [Action] {
    guard case .open = phase else { return [] }
    phase = .closed
    queue.removeAll()
    return queue.isStepping ? [] : [.drop]
  }

  /// Returns what to send next.
  mutating func nextMessage() -> Pull {
    if let failure { return .finish(Status(failure), trailers: Metadata()) }
    if let response = tally.nextResponse() { return .message(response.encoded()) }
    return tally.isDone ? .finish(.ok, trailers: Metadata()) : .wait
  }

  private static let noHeader = EngineError(.invalidArgument, "an import must start with its header")
}

extension EngineError {
  /// True if a gap note is at fault, not the store.
  fileprivate var isAboutGap: Bool { code == .resourceExhausted && limit != nil || code == .invalidArgument }
}
