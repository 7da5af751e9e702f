/// What clients were promised by answers, and what they asked for.
struct Ledger {
  /// A post whose Compose was answered.
  struct Post {
    var text: String
    var id: UInt64
    var revision: UInt64
  }

  /// Answered posts, in the order of their answers.
  private(set) var posts: [Post] = []
  /// Texts that were sent, answered or not; each once.
  private(set) var asked: [String] = []
  /// The newest revision of any answer or frame.
  private(set) var revision: UInt64 = 0

  /// A post for a source elsewhere whose Compose was answered.
  struct Sent {
    var text: String
    var id: UInt64
    var userID: UInt32
  }

  /// Those, in the order of their answers.
  private(set) var sent: [Sent] = []
  /// Numbers of those that somebody has asked to be deleted.
  private(set) var withdrawn: Set<UInt64> = []

  /// A client was answered that a post is on its way.
  mutating func send(_ post: Sent) { sent.append(post) }

  /// A client asks for the end of a post that it sent.
  mutating func withdraw(_ id: UInt64) { withdrawn.insert(id) }

  /// A client asks for a post.
  mutating func ask(_ text: String) { asked.append(text) }

  /// The newest text of each post that is imported, by what the importer calls it.
  private(set) var kept: [String: String] = [:]

  /// A client imports a post, anew or with another text.
  mutating func keep(_ key: String, _ text: String) { kept[key] = text }

  /// A client was answered.
  mutating func promise(_ post: Post) {
    posts.append(post)
    saw(post.revision)
  }

  /// A client was told of a revision.
  mutating func saw(_ revision: UInt64) { self.revision = max(self.revision, revision) }
}
