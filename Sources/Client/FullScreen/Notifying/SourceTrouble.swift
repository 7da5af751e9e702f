internal import ClientCore
internal import Messages

/// What is wrong with the sources of the account, for the status line: shown once something has been wrong for a
/// while, and gone as soon as all is well. How far new feeds have been read is shown at once.
struct SourceTrouble {
  /// The time for which something must be wrong before it is shown, in milliseconds. A program that restarts is no news.
  static let patience: Int64 = 5_000

  private var mirror = SourceMirror()
  private var trouble = ""
  /// The time at which the trouble is to be shown; nil if there is none, or it is shown.
  private(set) var due: Int64?

  /// See ``SourceMirror/progress``.
  private(set) var progress = ""

  /// The feeds that the account follows. O(n log n).
  var feeds: [SourceSummary] { mirror.sources.filter { $0.feedID != 0 } }

  /// The words; empty while there is nothing to show.
  var words: String { due == nil ? trouble : "" }

  /// Another connection has begun, which reports all sources again.
  mutating func restart() { mirror.restart() }

  /// Applies news of the sources; nil if they are no longer known.
  mutating func update(_ news: WatchSourcesResponse?, at now: Int64) {
    if let news { _ = mirror.apply(news) } else { mirror = SourceMirror() }
    let before = trouble
    trouble = mirror.isComplete ? mirror.trouble : ""
    progress = mirror.isComplete ? mirror.progress : ""
    if trouble.isEmpty { due = nil } else if before.isEmpty { due = now + Self.patience }
  }

  /// Time has passed.
  mutating func tick(at now: Int64) { if let time = due, time <= now { due = nil } }
}
