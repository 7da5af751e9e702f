internal import Engine
internal import Ingest
internal import Messages
internal import Posts
internal import RPC
internal import Store

/// One import under way: its requests, its report, and its end. The client is held back while more than ``allowance``
/// bytes are on their way to the store (``ImportPipeline``).
final class ImportCall {
  /// Bytes of messages taken in whose posts are not stored yet.
  static let allowance = 1 << 20
  /// Skipped items and refused files told with their reason, in all.
  static let skipLimit = 1000
  /// Bytes of an item of a file, which is kept beside the post: with the post it fits into a message of an export.
  static let itemLimit = 1 << 20
  /// Bytes of a file's name: what a path may have.
  static let nameLimit = 4096

  private let call: ServerCall
  private let driver: EngineDriver
  private let importers: ImportWorker
  private let account: AccountID
  private var pipeline: ImportPipeline?
  private var header: (source: String, isMe: Bool, dryRun: Bool)?
  private var file: String?
  private var refusals: [ImportRefusal] = []
  private var owner: ImportedAuthor?
  private var source: String?
  private var progress = ImportResponse()
  /// What the files were said to be.
  private var format = ImportFormat.auto
  /// What was found in them, in the order in which it was found.
  private var formats: [ImportFormat] = []
  private var hasNews = false
  private var toldSkips = 0
  private var isHalfClosed = false
  private var claim = Claim.notAsked
  private var failure: EngineError?

  /// How it stands with the identity that the archive's author is.
  private enum Claim {
    case notAsked
    case beingWritten
    case done
  }

  init(_ call: ServerCall, of account: AccountID, driver: EngineDriver, importers: ImportWorker) {
    self.call = call
    self.account = account
    self.driver = driver
    self.importers = importers
  }

  /// Answers the call, which keeps the import until it ends.
  func start() {
    call.receiveByHand(allowance: Self.allowance)
    call.onMessage = { _, bytes in self.receive(bytes) }
    call.onHalfClose = { _ in
      self.isHalfClosed = true
      self.endOfRequests()
    }
    call.onInterrupted = { _, _ in self.fail(EngineError(.unavailable, "the client has gone")) }
    call.onReadyToSend = { _ in self.nextMessage() }
  }

  // MARK: Requests

  private func receive(_ bytes: [UInt8]) {
    do {
      handle(try ImportRequest(decoding: bytes), size: bytes.count)
    } catch {
      fail(EngineError(.invalidArgument, error.reason))
    }
  }

  /// Takes a request whose message had `size` bytes; they are the client's again once what they brought is stored.
  private func handle(_ request: ImportRequest, size: Int) {
    guard failure == nil else { return }
    guard let pipeline else {
      guard case .header(let format, let source, let isMe, let dryRun) = request else {
        return fail(EngineError(.invalidArgument, "an import begins with its header"))
      }
      return begin(format, source, isMe: isMe, dryRun: dryRun, size: size)
    }
    switch request {
    case .header: fail(EngineError(.invalidArgument, "an import has one header, and it comes first"))
    case .file(let name, _):
      guard name.utf8.count <= Self.nameLimit else {
        return fail(
          EngineError(
            .invalidArgument, "a file's name has at most \(Self.nameLimit) bytes", field: "file.name",
            limit: Self.nameLimit))
      }
      endFile()
      let shown = SafeText(line: name).string
      file = shown
      pipeline.add(.file(shown), file: shown, charge: size)
    case .chunk(let bytes):
      guard let file else { return fail(EngineError(.invalidArgument, "a chunk came before its file")) }
      progress.bytes += UInt64(bytes.count)
      pipeline.add(.chunk(bytes), file: file, charge: size)
    }
  }

  private func begin(_ format: String, _ source: String, isMe: Bool, dryRun: Bool, size: Int) {
    guard let known = ImportFormat(rawValue: format.isEmpty ? "auto" : format) else {
      let names = ImportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      return fail(
        EngineError(
          .invalidArgument, "there is no format of that name; there are \(names)", field: "header.format"))
    }
    guard source.utf8.count <= StoreLimits.sourceBytes else {
      return fail(
        EngineError(
          .invalidArgument, "the source's name has at most \(StoreLimits.sourceBytes) bytes", field: "header.source",
          limit: StoreLimits.sourceBytes))
    }
    header = (source, isMe, dryRun)
    self.format = known
    progress.format = known.rawValue
    let events = ImportPipeline.Events(
      parsed: { self.parsed($0, of: $1) }, refused: { self.refused($0) },
      stored: { self.count($0, of: $1, in: $2, $3) }, noted: { self.count($0, in: $1) }, failed: { self.fail($0) },
      finished: {
        self.call.consume($0)
        self.finishIfDone()
      })
    let id = ImportWorker.ImportID(number: driver.newNumber())
    let pipeline = ImportPipeline(id, of: account, driver: driver, importers: importers, events)
    self.pipeline = pipeline
    let options = ImportOptions(
      format: known, sourceName: source.isEmpty ? nil : source, itemLimit: Self.itemLimit)
    pipeline.add(.begin(options), file: "", charge: size)
  }

  private func endFile() {
    guard let name = file else { return }
    file = nil
    pipeline?.add(.endFile, file: name, charge: 0)
  }

  private func endOfRequests() {
    endFile()
    finishIfDone()
  }

  // MARK: What comes of them

  /// Counts what a piece of a file held, and answers with what is to be stored.
  private func parsed(_ batch: ImportBatch, of name: String) -> [ImportPipeline.Piece] {
    if let owner = batch.owner { self.owner = owner }
    if let first = batch.posts.first { source = source ?? first.source }
    if let found = batch.format, !formats.contains(found) {
      formats.append(found)
      progress.format = formats.map(\.rawValue).joined(separator: ", ")
    }
    progress.read += UInt64(batch.posts.count + batch.gaps.count + batch.skippedCount)
    progress.skipped += UInt64(batch.skippedCount)
    for item in batch.skipped {
      tell(name, position: item.line > 0 && isLines(name) ? item.line : item.item, item.reason)
    }
    news()
    tellOfTooLong(batch.posts, of: name)
    return header?.dryRun == true ? [] : batch.pieces { Self.fits($0) }
  }

  /// Whether a post is no longer than a post may be.
  private static func fits(_ post: ImportedPost) -> Bool {
    post.body.byteCount <= PostBody.byteLimit && post.original.allSatisfy { $0.body.byteCount <= PostBody.byteLimit }
  }

  private func tellOfTooLong(_ posts: [ImportedPost], of name: String) {
    for post in posts where !Self.fits(post) {
      progress.skipped += 1
      let id = SafeText(line: String(post.nativeID.prefix(60)))
      tell(name, position: 0, "post \(id) is longer than \(PostBody.byteLimit >> 10) KiB")
    }
  }

  /// Counts what was said of a gap.
  private func count(_ noted: Result<(hasChanged: Bool, revision: UInt64), EngineError>, in name: String) {
    switch noted {
    case .success(let done):
      if done.hasChanged { progress.changed += 1 } else { progress.same += 1 }
      progress.revision = max(progress.revision, done.revision)
    case .failure(let error):
      progress.skipped += 1
      tell(name, position: 0, "a gap: \(error.message)")
    }
    news()
  }

  private func refused(_ refusal: ImportRefusal) {
    progress.skipped += 1
    if refusals.count < Self.skipLimit { refusals.append(refusal) }
    news()
  }

  private func count(_ report: ImportReport, of posts: [ImportedPost], in name: String, _ revision: UInt64) {
    progress.new += UInt64(report.new)
    progress.changed += UInt64(report.changed)
    progress.same += UInt64(report.same)
    progress.skipped += UInt64(report.refused.count)
    for refused in report.refused {
      let id = SafeText(line: String(posts[refused.index].nativeID.prefix(60)))
      tell(name, position: 0, "post \(id) \(refused.reason)")
    }
    progress.revision = max(progress.revision, revision)
    news()
  }

  private func tell(_ name: String, position: Int, _ reason: String) {
    guard toldSkips < Self.skipLimit else { return }
    toldSkips += 1
    progress.skips.append(ImportResponse.Skip(file: name, position: UInt64(max(0, position)), reason: reason))
  }

  /// Whether people count a file's items by its lines.
  private func isLines(_ name: String) -> Bool {
    format == .jsonLines || name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson")
  }

  // MARK: The end

  private func finishIfDone() {
    guard isHalfClosed, file == nil, failure == nil, !progress.isDone, claim != .beingWritten else { return }
    guard let pipeline else { return fail(EngineError(.invalidArgument, "an import begins with its header")) }
    guard pipeline.isIdle else { return }
    if progress.read == 0, let refusal = refusals.first {
      return fail(EngineError(.invalidArgument, refusal.description))
    }
    for refusal in refusals { tell(refusal.file, position: 0, refusal.reason) }
    refusals = []
    if header?.isMe == true, header?.dryRun == false, claim == .notAsked { return claimIdentity() }
    progress.isDone = true
    closePipeline()
    news()
  }

  /// The archive's author is this account.
  private func claimIdentity() {
    guard let owner, let source else {
      claim = .done
      // About no file, and told however much was skipped: a client has to say that this was not done.
      let reason =
        "the files do not say whose archive this is; import them again with account.js (Twitter) or actor.json (Mastodon)"
      progress.skips.append(ImportResponse.Skip(file: "", position: 0, reason: reason))
      return finishIfDone()
    }
    claim = .beingWritten
    driver.write(.claimIdentity(account, source: source, authorNativeID: owner.nativeID)) { result in
      self.claim = .done
      switch result {
      case .success(let done): self.progress.revision = max(self.progress.revision, done.revision)
      case .failure(let error): return self.fail(error)
      }
      self.finishIfDone()
    }
  }

  /// The pipeline keeps its import, and the import lets go of it at the end.
  private func closePipeline() {
    pipeline?.close()
    pipeline = nil
  }

  private func news() {
    hasNews = true
    call.wake()
  }

  private func nextMessage() -> Pull {
    if let failure { return .finish(Status(failure), trailers: Metadata()) }
    guard hasNews else { return progress.isDone ? .finish(.ok, trailers: Metadata()) : .wait }
    hasNews = false
    let message = progress.encoded()
    progress.skips = []
    return .message(message)
  }

  /// What was stored stays; the client learns how much that is.
  private func fail(_ error: EngineError) {
    guard failure == nil else { return }
    let stored = progress.new + progress.changed
    let note = stored == 0 ? "" : " (\(stored) posts were stored before that; importing again continues)"
    var told = error
    told.message += note
    failure = told
    closePipeline()
    call.wake()
  }
}
