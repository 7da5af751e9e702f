internal import Engine
internal import Ingest
internal import Messages
internal import Posts
internal import RPC
internal import Store

/// One import under way: chunks go to the import thread, posts from there to the store, and the client is held back while more
/// than ``allowance`` bytes are on their way.
final class ImportCall {
  /// Bytes taken in whose posts are not stored yet.
  static let allowance = 1 << 20
  /// Posts a write holds at most; the store writes what waits together.
  static let postsPerWrite = 500
  /// Skipped items told with their reason, in all.
  static let skipLimit = 1000

  private let call: ServerCall
  private let driver: EngineDriver
  private let importers: ImportThread
  private let id: ImportThread.ImportID
  private var account: AccountID?
  private var waiting: [(request: ImportRequest, size: Int)] = []
  private var header: (source: String, isMe: Bool, dryRun: Bool)?
  private var file: String?
  private var files = 0
  private var refusals: [ImportRefusal] = []
  private var owner: ImportedAuthor?
  private var source: String?
  private var progress = ImportResponse()
  private var hasNews = false
  private var toldSkips = 0
  /// Steps and writes that have not ended.
  private var pending = 0
  private var isHalfClosed = false
  private var isClaiming = false
  private var failure: EngineError?

  init(_ call: ServerCall, driver: EngineDriver, importers: ImportThread) {
    self.call = call
    self.driver = driver
    self.importers = importers
    id = ImportThread.ImportID(number: driver.newNumber())
  }

  /// Answers the call, which keeps the import until it ends.
  func start(_ accounts: Accounts) {
    call.receiveByHand(allowance: Self.allowance)
    call.onMessage = { _, bytes in self.receive(bytes) }
    call.onHalfClose = { _ in
      self.isHalfClosed = true
      if self.account != nil { self.endOfRequests() }
    }
    call.onInterrupted = { _, _ in self.drop() }
    accounts.find(call.peer) { result in
      switch result {
      case .failure(let error): self.fail(error)
      case .success(let account):
        self.account = account.id
        self.call.onReadyToSend = { _ in self.nextMessage() }
        let early = self.waiting
        self.waiting = []
        for entry in early { self.handle(entry.request, size: entry.size) }
        if self.isHalfClosed { self.endOfRequests() }
      }
    }
  }

  // MARK: Requests

  private func receive(_ bytes: [UInt8]) {
    do {
      let request = try ImportRequest(decoding: bytes)
      if account == nil { waiting.append((request, bytes.count)) } else { handle(request, size: bytes.count) }
    } catch {
      fail(EngineError(.invalidArgument, error.reason))
    }
  }

  /// Takes a request whose message had `size` bytes; they are the client's again once what they brought is stored.
  private func handle(_ request: ImportRequest, size: Int) {
    guard failure == nil else { return }
    if case .chunk = request {} else { call.consume(size) }
    switch (request, header) {
    case (.header(let format, let source, let isMe, let dryRun), nil):
      begin(format, source, isMe: isMe, dryRun: dryRun)
    case (.header, _): fail(EngineError(.invalidArgument, "an import has one header, and it comes first"))
    case (_, nil): fail(EngineError(.invalidArgument, "an import begins with its header"))
    case (.file(let name, _), _):
      endFile()
      file = name
      files += 1
      submit(.file(name))
    case (.chunk(let bytes), _):
      guard file != nil else { return fail(EngineError(.invalidArgument, "a chunk came before its file")) }
      progress.bytes += UInt64(bytes.count)
      submit(.chunk(bytes), size: size)
    }
  }

  private func begin(_ format: String, _ source: String, isMe: Bool, dryRun: Bool) {
    guard let known = ImportFormat(rawValue: format.isEmpty ? "auto" : format) else {
      let names = ImportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      return fail(EngineError(.invalidArgument, "there is no format of that name; there are \(names)"))
    }
    guard source.utf8.count <= StoreLimits.sourceBytes else {
      return fail(EngineError(.invalidArgument, "the source's name has at most \(StoreLimits.sourceBytes) bytes"))
    }
    header = (source, isMe, dryRun)
    progress.format = known.rawValue
    submit(.begin(ImportOptions(format: known, sourceName: source.isEmpty ? nil : source)))
  }

  private func endFile() {
    guard file != nil else { return }
    submit(.endFile)
    file = nil
  }

  private func endOfRequests() {
    endFile()
    finishIfDone()
  }

  // MARK: Steps

  private func submit(_ step: ImportThread.Step, size: Int = 0) {
    pending += 1
    let name = file ?? ""
    let isTaken = importers.submit(step, of: id) { result in
      self.pending -= 1
      switch result {
      case .success(let batch): self.take(batch, of: name, size: size)
      case .failure(let refusal):
        self.refusals.append(refusal)
        self.call.consume(size)
      }
      self.finishIfDone()
    }
    if !isTaken {
      pending -= 1
      fail(EngineError(.resourceExhausted, "too many imports are under way; try again later"))
    }
  }

  private func take(_ batch: ImportBatch, of name: String, size: Int) {
    if let owner = batch.owner { self.owner = owner }
    if let first = batch.posts.first { source = source ?? first.source }
    progress.read += UInt64(batch.posts.count + batch.skippedCount)
    progress.skipped += UInt64(batch.skippedCount)
    for item in batch.skipped {
      tell(name, position: item.line > 0 && isLines(name) ? item.line : item.item, item.reason)
    }
    hasNews = true
    let posts = fitting(batch.posts, of: name)
    guard !posts.isEmpty, header?.dryRun == false, failure == nil else {
      call.consume(size)
      return call.wake()
    }
    let pieces = stride(from: 0, to: posts.count, by: Self.postsPerWrite).map {
      Array(posts[$0..<min($0 + Self.postsPerWrite, posts.count)])
    }
    for (index, piece) in pieces.enumerated() {
      write(piece, of: name, consuming: index == pieces.count - 1 ? size : 0)
    }
  }

  /// The posts that are no longer than a post may be; the others are skipped.
  private func fitting(_ posts: [ImportedPost], of name: String) -> [ImportedPost] {
    func fits(_ post: ImportedPost) -> Bool {
      post.body.byteCount <= PostBody.byteLimit && post.original.allSatisfy { $0.body.byteCount <= PostBody.byteLimit }
    }
    // Most batches have no such post, and are not copied.
    guard !posts.allSatisfy(fits) else { return posts }
    for post in posts where !fits(post) {
      progress.skipped += 1
      let id = SafeText(line: String(post.nativeID.prefix(60)))
      tell(name, position: 0, "post \(id) is longer than \(PostBody.byteLimit >> 10) KiB")
    }
    return posts.filter(fits)
  }

  private func write(_ posts: [ImportedPost], of name: String, consuming bytes: Int) {
    guard let account else { return }
    pending += 1
    driver.write(.importBatch(posts, owner: account)) { result in
      self.pending -= 1
      self.call.consume(bytes)
      switch result {
      case .success((.imported(let report), let revision)): self.count(report, of: posts, in: name, revision)
      case .success: break
      case .failure(let error): self.fail(error)
      }
      self.finishIfDone()
    }
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
    hasNews = true
    call.wake()
  }

  private func tell(_ name: String, position: Int, _ reason: String) {
    guard toldSkips < Self.skipLimit else { return }
    toldSkips += 1
    progress.skips.append(ImportResponse.Skip(file: name, position: UInt64(max(0, position)), reason: reason))
  }

  /// Whether people count a file's items by its lines.
  private func isLines(_ name: String) -> Bool {
    progress.format == "jsonl" || name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson")
  }

  // MARK: The end

  private func finishIfDone() {
    guard isHalfClosed, account != nil, file == nil, pending == 0, failure == nil, !progress.isDone else { return }
    if header == nil { return fail(EngineError(.invalidArgument, "an import begins with its header")) }
    if progress.read == 0, let refusal = refusals.first {
      return fail(EngineError(.invalidArgument, refusal.description))
    }
    for refusal in refusals {
      progress.skipped += 1
      progress.skips.append(ImportResponse.Skip(file: refusal.file, position: 0, reason: refusal.reason))
    }
    refusals = []
    if header?.isMe == true, header?.dryRun == false, !isClaiming { return claim() }
    progress.isDone = true
    hasNews = true
    call.wake()
    drop()
  }

  /// The archive's author is this account.
  private func claim() {
    isClaiming = true
    guard let owner, let source, let account else {
      progress.skipped += 1
      let reason = "--me: the files do not say whose archive this is; import account.js (Twitter) or actor.json (Mastodon) with it"
      progress.skips.append(ImportResponse.Skip(file: "", position: 0, reason: reason))
      return finishIfDone()
    }
    pending += 1
    driver.write(.claimIdentity(account, source: source, authorNativeID: owner.nativeID)) { result in
      self.pending -= 1
      switch result {
      case .success(let done): self.progress.revision = max(self.progress.revision, done.revision)
      case .failure(let error): return self.fail(error)
      }
      self.finishIfDone()
    }
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
    failure = EngineError(error.code, error.message + note)
    drop()
    if account == nil { call.finish(Status(error)) } else { call.wake() }
  }

  private func drop() { _ = importers.submit(.drop, of: id) { _ in } }
}
