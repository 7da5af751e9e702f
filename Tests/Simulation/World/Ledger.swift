/// The posts that clients sent and the responses they received.
struct Ledger {
  /// A post whose Compose call succeeded.
  struct Post {
    var text: String
    var id: UInt64
    var revision: UInt64
  }

  /// Acknowledged posts in the order of their responses.
  private(set) var posts: [Post] = []
  /// All texts that were sent, acknowledged or not.
  private(set) var requestedTexts: [String] = []
  /// The newest revision of any response or frame.
  private(set) var revision: UInt64 = 0

  /// A post for a remote source whose Compose call succeeded.
  struct Sent {
    var text: String
    var id: UInt64
    var userID: UInt32
  }

  /// Acknowledged posts for remote sources, in the order of their responses.
  private(set) var sent: [Sent] = []
  /// IDs of posts for remote sources whose deletion was requested.
  private(set) var deleted: Set<UInt64> = []

  /// Records an acknowledged post for a remote source.
  mutating func recordSent(_ post: Sent) { sent.append(post) }

  /// Records that a client requests the deletion of such a post.
  mutating func recordDeletion(of id: UInt64) { deleted.insert(id) }

  /// Records the text of a post that a client is about to send.
  mutating func recordRequest(_ text: String) { requestedTexts.append(text) }

  /// The newest text of each imported post, by the importer's key.
  private(set) var importedTexts: [String: String] = [:]

  /// Records the text of a post that a client is about to import.
  mutating func recordImport(_ key: String, _ text: String) { importedTexts[key] = text }

  /// Records an acknowledged post.
  mutating func recordPost(_ post: Post) {
    posts.append(post)
    recordRevision(post.revision)
  }

  /// Records a revision that a client received.
  mutating func recordRevision(_ revision: UInt64) { self.revision = max(self.revision, revision) }
}
