import Posts

/// The contents of a store's file, read without the store's own code.
struct StoreContents {
  /// A row of `posts`.
  struct Post {
    var id: UInt64
    var owner: Int
    /// True if the post, and the post it reposts, were written locally.
    var isLocal: Bool
    var original: UInt64?
    var parent: UInt64?
    var body: PackedBody
    var marks: PostMarks

    var text: String { body.unpacked()?.text.string ?? "damaged" }

    /// Returns an account's marks.
    func mark(of account: Int) -> Mark {
      marks.mark(of: AccountID(Int64(account)), owner: AccountID(Int64(owner)), imported: body.flags)
    }
  }

  /// A post that an undo entry has deleted.
  struct DeletedPost {
    var id: UInt64
    var owner: Int
    var original: UInt64?
  }

  /// Account IDs by user.
  private(set) var accounts: [UInt32: Int] = [:]
  private(set) var posts: [UInt64: Post] = [:]
  private(set) var deletedPosts: [DeletedPost] = []
  /// Numbers of each account's done and undone entries.
  private(set) var undoable: [Int: Int] = [:]
  private(set) var redoable: [Int: Int] = [:]
  private var requests: [String: Int64] = [:]

  /// Reads the store of a disk; nil if none has been created yet.
  init?(_ disk: SimulatedDisk) throws(DatabaseCopy.Failure) {
    guard disk.contains("posts.db") else { return nil }
    let copy = try DatabaseCopy(disk, path: "posts.db")
    guard try copy.rows("SELECT 1 FROM sqlite_schema WHERE name = 'undo_entries'").count == 1 else { return nil }
    for row in try copy.rows("SELECT uid, id FROM accounts WHERE uid IS NOT NULL") {
      accounts[UInt32(row[0].integer!)] = Int(row[1].integer!)
    }
    for row in try copy.rows(
      "SELECT p.id, owner_id, repost_of, reply_to, body, marks, s.name FROM posts p JOIN sources s ON s.id = source_id")
    {
      let id = UInt64(row[0].integer!)
      posts[id] = Post(
        id: id, owner: Int(row[1].integer!), isLocal: row[6].text == "stack",
        original: row[2].integer.map { UInt64($0) },
        parent: row[3].integer.map { UInt64($0) }, body: PackedBody(trusted: row[4].bytes),
        marks: PostMarks(trusted: row[5].bytes))
    }
    for (id, post) in posts {
      if let original = post.original, posts[original]?.isLocal == false { posts[id]!.isLocal = false }
    }
    for row in try copy.rows("SELECT id, owner_id, repost_of FROM deleted_posts") {
      deletedPosts.append(
        DeletedPost(
          id: UInt64(row[0].integer!), owner: Int(row[1].integer!), original: row[2].integer.map { UInt64($0) }))
    }
    for row in try copy.rows("SELECT account_id, sum(state = 0), sum(state = 1) FROM undo_entries GROUP BY account_id")
    {
      undoable[Int(row[0].integer!)] = Int(row[1].integer!)
      redoable[Int(row[0].integer!)] = Int(row[2].integer!)
    }
    for row in try copy.rows("SELECT account_id, request_id, subject FROM requests WHERE kind = 0") {
      requests["\(row[0].integer!) \(row[1].text)"] = row[2].integer!
    }
  }

  /// Returns the ID of the post that the request ID's command was about; nil if no such command is recorded.
  func request(_ account: Int, _ requestID: String) -> Int64? { requests["\(account) \(requestID)"] }

  /// Returns the lowest ID of an account's reposts that is not in `known`, of one original or of any. Looks among the
  /// deleted posts if no existing one matches.
  func repost(_ account: Int, of original: UInt64?, notAmong known: Set<UInt64>) -> UInt64? {
    let isMeant = { (id: UInt64, owner: Int, reposted: UInt64?) in
      owner == account && !known.contains(id) && reposted != nil && (original == nil || reposted == original)
    }
    return posts.values.filter { isMeant($0.id, $0.owner, $0.original) }.map(\.id).min()
      ?? deletedPosts.filter { isMeant($0.id, $0.owner, $0.original) }.map(\.id).min()
  }
}
