internal import Engine
internal import Ingest
internal import Messages
internal import Posts
internal import Store

/// The report of an import: what was read, stored and skipped so far, and whose archive it is.
struct ImportTally {
  /// Maximum number of skipped items and refused files reported with their reason.
  static let skipLimit = 1000

  private var progress = ImportResponse()
  /// The formats found, in order.
  private var formats: [ImportFormat] = []
  private var refusals: [ImportRefusal] = []
  private var reportedSkips = 0
  private var hasUpdate = false
  /// The author of the archive; nil until a file names one.
  private(set) var owner: ImportedAuthor?
  /// The source of the posts; nil until a post arrives.
  private(set) var source: String?

  /// An empty report of files of a format.
  init(format: ImportFormat) {
    progress.format = format.rawValue
  }

  /// True if the report is complete.
  var isDone: Bool { progress.isDone }

  /// Number of posts that were new or changed.
  var storedCount: UInt64 { progress.new + progress.changed }

  /// The first refused file if nothing at all was read.
  var onlyRefusal: ImportRefusal? { progress.read == 0 ? refusals.first : nil }

  /// Returns the next message of the report; nil if nothing has changed since the last.
  mutating func nextResponse() -> ImportResponse? {
    guard hasUpdate else { return nil }
    hasUpdate = false
    defer { progress.skips = [] }
    return progress
  }

  // MARK: Counting

  /// Counts bytes of files.
  mutating func received(byteCount: Int) { progress.bytes += UInt64(byteCount) }

  /// Counts the contents of a piece of a file. Returns what to store of them.
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
      reportSkip(name, position: item.position, item.reason)
    }
    for (post, position) in zip(batch.posts, batch.positions) where !Self.fits(post) {
      progress.skipped += 1
      reportSkip(name, position: position, "post \(Self.shortID(post)) is longer than \(PostBody.byteLimit >> 10) KiB")
    }
    hasUpdate = true
    return batch.pieces { Self.fits($0) }
  }

  /// Counts a refused file. Its reason is reported at the end.
  mutating func refusedFile(_ refusal: ImportRefusal) {
    progress.skipped += 1
    if refusals.count < Self.skipLimit { refusals.append(refusal) }
    hasUpdate = true
  }

  /// Counts posts that were stored; `positions` are theirs in the file.
  mutating func stored(
    _ report: ImportReport, of posts: [ImportedPost], at positions: [Int], in name: String, revision: UInt64
  ) {
    progress.new += UInt64(report.new)
    progress.changed += UInt64(report.changed)
    progress.same += UInt64(report.same)
    progress.skipped += UInt64(report.refused.count)
    progress.importID = report.run.map { UInt64($0) } ?? 0
    for refused in report.refused {
      let post = Self.shortID(posts[refused.index])
      reportSkip(name, position: positions[refused.index], "post \(post) \(refused.reason)")
    }
    reached(revision)
    hasUpdate = true
  }

  /// Counts a gap that was stored.
  mutating func storedGap(hasChanged: Bool, at revision: UInt64) {
    if hasChanged { progress.changed += 1 } else { progress.same += 1 }
    reached(revision)
    hasUpdate = true
  }

  /// Counts a gap that was refused.
  mutating func refusedGap(_ error: EngineError, at position: Int, in name: String) {
    progress.skipped += 1
    reportSkip(name, position: position, "a gap: \(error.message)")
    hasUpdate = true
  }

  /// Raises the report's revision, at which what was stored is visible.
  mutating func reached(_ revision: UInt64) { progress.revision = max(progress.revision, revision) }

  // MARK: The end

  /// Reports the refused files.
  mutating func reportRefusals() {
    for refusal in refusals { reportSkip(refusal.file, position: 0, refusal.reason) }
    refusals = []
  }

  /// Reports that the archive's author is unknown. Names no file and ignores the limit of reported skips: a client must
  /// be able to say that the claim was not made.
  mutating func reportMissingOwner() {
    let reason =
      "the files do not say whose archive this is; import them again with account.js (Twitter) or actor.json (Mastodon)"
    progress.skips.append(ImportResponse.Skip(file: "", position: 0, reason: reason))
  }

  /// Completes the report.
  mutating func complete() {
    progress.isDone = true
    hasUpdate = true
  }

  // MARK: Reasons

  /// Returns true if a post is within the size limit.
  private static func fits(_ post: ImportedPost) -> Bool {
    post.body.byteCount <= PostBody.byteLimit && post.original.allSatisfy { $0.body.byteCount <= PostBody.byteLimit }
  }

  private static func shortID(_ post: ImportedPost) -> SafeText { SafeText(line: String(post.nativeID.prefix(60))) }

  private mutating func reportSkip(_ name: String, position: Int, _ reason: String) {
    guard reportedSkips < Self.skipLimit else { return }
    reportedSkips += 1
    progress.skips.append(ImportResponse.Skip(file: name, position: UInt64(max(0, position)), reason: reason))
  }
}
