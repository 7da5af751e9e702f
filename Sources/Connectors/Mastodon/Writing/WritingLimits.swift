internal import Dates

/// Keeps what a login does below what servers allow, so that it is never the whole login that has to rest.
struct WritingLimits {
  enum Kind {
    case post
    /// A deletion, also of a repost.
    case deletion
    /// A file for a post.
    case upload
  }

  /// The most in a time. Mastodon allows 300 posts in three hours, and 30 deletions and 30 files in half an hour.
  static let posts: (count: Int, minutes: Int64) = (250, 180)
  static let deletions: (count: Int, minutes: Int64) = (25, 30)
  static let uploads: (count: Int, minutes: Int64) = (25, 30)

  private var times: [Kind: [Instant]] = [:]

  init() {}

  /// Counts one if it may be done now. Returns why not otherwise.
  mutating func count(_ kind: Kind, at now: Instant) -> String? {
    let (limit, noun) =
      switch kind {
      case .post: (Self.posts, "posts")
      case .deletion: (Self.deletions, "deletions")
      case .upload: (Self.uploads, "files")
      }
    let start = now.adding(milliseconds: -limit.minutes * 60_000)
    var recent = (times[kind] ?? []).filter { $0 > start && $0 <= now }
    defer { times[kind] = recent }
    guard recent.count < limit.count else {
      let rest = kind == .upload ? "try again later" : "the rest waits"
      return "there were \(limit.count) \(noun) in \(limit.minutes) minutes; \(rest)"
    }
    recent.append(now)
    return nil
  }
}
