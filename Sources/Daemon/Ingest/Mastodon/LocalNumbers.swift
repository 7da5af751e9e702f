internal import Posts

/// Makes the numbers that a Mastodon server gives to statuses unique: `host#number`.
///
/// A file does not name its server, but posts by accounts of that server reveal it (``StatusDecoder/server(of:)``).
/// Posts before the first of these are held back, at most ``limit``. If there are none, replies are resolved among the
/// held posts and the numbers are dropped.
struct LocalNumbers {
  /// The prefix of a number whose server is not known yet; native IDs never begin with it.
  static let mark = "#"
  /// The maximum number of held posts.
  static let limit = 500

  /// The server, once known.
  private(set) var host: String?
  private var held: [(post: ImportedPost, position: Int)] = []

  init(host: String?) { self.host = host }

  /// Adds a post found at a position of the file, with the host if its status reveals it; returns the posts that are
  /// resolved, in their order.
  mutating func resolve(
    _ post: ImportedPost, at position: Int, host found: String?
  ) -> [(post: ImportedPost, position: Int)] {
    host = host ?? found
    held.append((post, position))
    return host != nil || held.count >= Self.limit ? flush() : []
  }

  /// Resolves the held posts: no more posts follow, or posts of another kind.
  mutating func flush() -> [(post: ImportedPost, position: Int)] {
    guard !held.isEmpty else { return [] }
    defer { held = [] }
    if let host { return held.map { (Self.rename($0.post) { host + $0 }, $0.position) } }
    var known: [String: String] = [:]
    for (post, _) in held {
      for one in [post] + post.original {
        for alias in one.aliases { known[alias] = one.nativeID }
      }
    }
    return held.map { post, position in
      var resolved = Self.rename(post) { known[$0] }
      resolved.aliases = []
      for index in resolved.original.indices { resolved.original[index].aliases = [] }
      return (resolved, position)
    }
  }

  /// Returns `post` and its original with each marked number replaced by `name`, or dropped where that is nil.
  static func rename(_ post: ImportedPost, _ name: (String) -> String?) -> ImportedPost {
    var post = post
    post.aliases = post.aliases.compactMap { $0.hasPrefix(mark) ? name($0) : $0 }
    if let parent = post.inReplyTo, parent.hasPrefix(mark) { post.inReplyTo = name(parent) }
    post.original = post.original.map { rename($0, name) }
    return post
  }
}
