internal import Messages

/// How far feeds that were just added have been read.
public struct FeedProgress: Equatable, Sendable {
  /// The number of feeds.
  public let total: Int
  /// Those that were read, and those that could not be.
  public private(set) var read = 0
  public private(set) var failed = 0

  /// Counts those of the feeds with these IDs that a list has. One that it does not have counts as not read yet.
  public init(of feeds: Set<UInt64>, in mirror: SourceMirror) {
    total = feeds.count
    guard mirror.isComplete else { return }
    for source in mirror.sources where feeds.contains(source.feedID) {
      switch source.status.state {
      case .unspecified, .connecting: break
      case .live, .polling: read += 1
      case .waiting, .failing, .off, .signedOut: failed += 1
      }
    }
  }

  /// True if nothing is left to wait for.
  public var isComplete: Bool { read + failed >= total }

  /// The progress as a line.
  public var line: String {
    let failures = failed == 0 ? "" : ", \(NumberText.grouped(failed)) failed"
    return "read \(NumberText.grouped(read)) of \(NumberText.count(total, "feed", "feeds"))\(failures)"
  }
}
