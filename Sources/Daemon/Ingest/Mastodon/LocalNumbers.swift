internal import Posts

/// Makes the numbers a Mastodon server gives to statuses unique: `host#number`.
///
/// A file does not say which server it is from; people of that server give it away (``StatusDecoder/server(of:)``).
/// Posts read before the first of them are held back, at most ``limit``; if nobody does, replies are resolved among
/// those held and the numbers dropped.
struct LocalNumbers {
  /// What a number whose server is not known yet begins with; no native id does.
  static let mark = "#"
  /// The most posts held back.
  static let limit = 500

  /// The server, once it is known.
  private(set) var host: String?
  private var held: [ImportedPost] = []

  init(host: String?) { self.host = host }

  /// Takes a post, and the host if its status tells it; returns those that are settled, in their order.
  mutating func settle(_ post: ImportedPost, host found: String?) -> [ImportedPost] {
    host = host ?? found
    held.append(post)
    return host != nil || held.count >= Self.limit ? flush() : []
  }

  /// Settles what is held back: no more posts come, or posts of another kind.
  mutating func flush() -> [ImportedPost] {
    guard !held.isEmpty else { return [] }
    defer { held = [] }
    if let host { return held.map { Self.rename($0) { host + $0 } } }
    var known: [String: String] = [:]
    for post in held {
      for one in [post] + post.original {
        for alias in one.aliases { known[alias] = one.nativeID }
      }
    }
    return held.map { post in
      var settled = Self.rename(post) { known[$0] }
      settled.aliases = []
      for index in settled.original.indices { settled.original[index].aliases = [] }
      return settled
    }
  }

  /// `post` and its original with every marked number given by `name`, or dropped where that is nil.
  private static func rename(_ post: ImportedPost, _ name: (String) -> String?) -> ImportedPost {
    var post = post
    post.aliases = post.aliases.compactMap { $0.hasPrefix(mark) ? name($0) : $0 }
    if let parent = post.inReplyTo, parent.hasPrefix(mark) { post.inReplyTo = name(parent) }
    post.original = post.original.map { rename($0, name) }
    return post
  }
}
