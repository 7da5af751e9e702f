import Posts

/// What is in a store's file, read without the store's own code.
struct StoreLook {
  /// A row of `posts`.
  struct Post {
    var id: UInt64
    var owner: Int
    /// Whether it was written here, as was what it reposts.
    var isLocal: Bool
    var original: UInt64?
    var parent: UInt64?
    var body: PackedBody
    var marks: PostMarks

    var text: String { body.unpacked()?.text.string ?? "damaged" }

    /// What an account has done to it.
    func mark(of account: Int) -> Mark {
      marks.mark(of: AccountID(Int64(account)), owner: AccountID(Int64(owner)), imported: body.flags)
    }
  }

  /// A post that a step has thrown away.
  struct Trashed {
    var id: UInt64
    var owner: Int
    var original: UInt64?
  }

  /// Numbers of accounts, by the users whose they are.
  private(set) var accounts: [UInt32: Int] = [:]
  private(set) var posts: [UInt64: Post] = [:]
  private(set) var trash: [Trashed] = []
  /// How many steps of each account are done, and how many taken back.
  private(set) var undoable: [Int: Int] = [:]
  private(set) var redoable: [Int: Int] = [:]
  private var requests: [String: Int64] = [:]

  /// Looks at the store of a disk; nil where none has been made yet.
  init?(_ disk: SimulatedDisk) throws(DiskLook.Failure) {
    guard disk.contains("posts.db") else { return nil }
    let look = try DiskLook(disk, path: "posts.db")
    guard try look.rows("SELECT 1 FROM sqlite_schema WHERE name = 'steps'").count == 1 else { return nil }
    for row in try look.rows("SELECT uid, id FROM accounts WHERE uid IS NOT NULL") {
      accounts[UInt32(row[0].integer!)] = Int(row[1].integer!)
    }
    for row in try look.rows(
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
    for row in try look.rows("SELECT id, owner_id, repost_of FROM trash") {
      trash.append(
        Trashed(id: UInt64(row[0].integer!), owner: Int(row[1].integer!), original: row[2].integer.map { UInt64($0) }))
    }
    for row in try look.rows("SELECT account_id, sum(state = 0), sum(state = 1) FROM steps GROUP BY account_id") {
      undoable[Int(row[0].integer!)] = Int(row[1].integer!)
      redoable[Int(row[0].integer!)] = Int(row[2].integer!)
    }
    for row in try look.rows("SELECT account_id, request_id, post_id FROM requests") {
      requests["\(row[0].integer!) \(row[1].text)"] = row[2].integer!
    }
  }

  /// What is remembered of a request: where it wrote a post, the post's number.
  func request(_ account: Int, _ requestID: String) -> Int64? { requests["\(account) \(requestID)"] }

  /// The number of an account's repost, of a post or of any, that is not among `known`; in the trash where it is
  /// nowhere else.
  func repost(_ account: Int, of original: UInt64?, notAmong known: Set<UInt64>) -> UInt64? {
    let isMeant = { (id: UInt64, owner: Int, reposted: UInt64?) in
      owner == account && !known.contains(id) && reposted != nil && (original == nil || reposted == original)
    }
    return posts.values.filter { isMeant($0.id, $0.owner, $0.original) }.map(\.id).min()
      ?? trash.filter { isMeant($0.id, $0.owner, $0.original) }.map(\.id).min()
  }
}
