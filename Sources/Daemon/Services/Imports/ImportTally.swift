internal import Engine
internal import Ingest
internal import Messages
internal import Posts
internal import Store

/// The report of an import: what was read, stored and skipped so far, and whose archive it is.
struct ImportTally {
  /// Skipped items and refused files told with their reason, in all.
  static let skipLimit = 1000

  private var progress = ImportResponse()
  /// What the files were said to be.
  private let format: ImportFormat
  /// What was found in them, in the order in which it was found.
  private var formats: [ImportFormat] = []
  private var refusals: [ImportRefusal] = []
  private var toldSkips = 0
  private var hasNews = false
  /// The author of the archive; nil while nothing has said so.
  private(set) var owner: ImportedAuthor?
  /// The source of the posts; nil while none has come.
  private(set) var source: String?

  /// Nothing yet of files of a format.
  init(format: ImportFormat) {
    self.format = format
    progress.format = format.rawValue
  }

  /// Whether the report is complete.
  var isDone: Bool { progress.isDone }

  /// Posts that were new or changed.
  var storedCount: UInt64 { progress.new + progress.changed }

  /// The file that was refused first, where nothing at all was read.
  var onlyRefusal: ImportRefusal? { progress.read == 0 ? refusals.first : nil }

  /// Returns the next message of the report; nil where nothing is new.
  mutating func nextResponse() -> ImportResponse? {
    guard hasNews else { return nil }
    hasNews = false
    defer { progress.skips = [] }
    return progress
  }

  // MARK: Counting

  /// Counts bytes of files.
  mutating func received(byteCount: Int) { progress.bytes += UInt64(byteCount) }

  /// Counts what a piece of a file held. Returns what of it is to be stored.
  mutating func parsed(_ batch: ImportBatch, of name: String) -> [ImportQueue.Piece] {
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
    for post in batch.posts where !Self.fits(post) {
      progress.skipped += 1
      tell(name, position: 0, "post \(Self.shown(post)) is longer than \(PostBody.byteLimit >> 10) KiB")
    }
    hasNews = true
    return batch.pieces { Self.fits($0) }
  }

  /// Counts a file that is not imported. It is told at the end.
  mutating func refusedFile(_ refusal: ImportRefusal) {
    progress.skipped += 1
    if refusals.count < Self.skipLimit { refusals.append(refusal) }
    hasNews = true
  }

  /// Counts posts that were stored.
  mutating func stored(_ report: ImportReport, of posts: [ImportedPost], in name: String, at revision: UInt64) {
    progress.new += UInt64(report.new)
    progress.changed += UInt64(report.changed)
    progress.same += UInt64(report.same)
    progress.skipped += UInt64(report.refused.count)
    for refused in report.refused {
      tell(name, position: 0, "post \(Self.shown(posts[refused.index])) \(refused.reason)")
    }
    reached(revision)
    hasNews = true
  }

  /// Counts a gap that was noted.
  mutating func noted(hasChanged: Bool, at revision: UInt64) {
    if hasChanged { progress.changed += 1 } else { progress.same += 1 }
    reached(revision)
    hasNews = true
  }

  /// Counts a gap that cannot be noted.
  mutating func refusedGap(_ error: EngineError, in name: String) {
    progress.skipped += 1
    tell(name, position: 0, "a gap: \(error.message)")
    hasNews = true
  }

  /// Notes the revision at which what was stored can be seen.
  mutating func reached(_ revision: UInt64) { progress.revision = max(progress.revision, revision) }

  // MARK: The end

  /// Tells of the files that were refused.
  mutating func tellRefusals() {
    for refusal in refusals { tell(refusal.file, position: 0, refusal.reason) }
    refusals = []
  }

  /// Tells that the archive's author is not known. About no file, and told however much was skipped: a client has to say
  /// that this was not done.
  mutating func tellOwnerIsMissing() {
    let reason =
      "the files do not say whose archive this is; import them again with account.js (Twitter) or actor.json (Mastodon)"
    progress.skips.append(ImportResponse.Skip(file: "", position: 0, reason: reason))
  }

  /// Completes the report.
  mutating func complete() {
    progress.isDone = true
    hasNews = true
  }

  // MARK: Reasons

  /// Whether a post is no longer than a post may be.
  private static func fits(_ post: ImportedPost) -> Bool {
    post.body.byteCount <= PostBody.byteLimit && post.original.allSatisfy { $0.body.byteCount <= PostBody.byteLimit }
  }

  private static func shown(_ post: ImportedPost) -> SafeText { SafeText(line: String(post.nativeID.prefix(60))) }

  private mutating func tell(_ name: String, position: Int, _ reason: String) {
    guard toldSkips < Self.skipLimit else { return }
    toldSkips += 1
    progress.skips.append(ImportResponse.Skip(file: name, position: UInt64(max(0, position)), reason: reason))
  }

  /// Whether people count a file's items by its lines.
  private func isLines(_ name: String) -> Bool {
    format == .jsonLines || name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson")
  }
}
