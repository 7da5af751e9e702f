internal import Posts

/// The display order of a conversation: the ancestors of its subject, oldest first; the subject; then the replies, each
/// followed by its own replies, siblings by time.
struct ThreadOrder {
  /// A row of a conversation.
  struct Row: Equatable {
    /// The rank of its post among all posts of the conversation, oldest first.
    var rank: Int32
    /// 0 for the subject and its ancestors; 1 to ``ThreadOrder/deepest`` for replies.
    var depth: UInt8
    /// Number of replies below it that are hidden because it is collapsed.
    var collapsed: Int32 = 0
  }

  /// The greatest depth; deeper replies are shown at this depth.
  static let deepest: UInt8 = 5

  /// The rows from top to bottom.
  private(set) var rows: [Row] = []
  /// By rank, the row of a post, or of the collapsed post that hides it; -1 for a post that is not connected to the
  /// conversation.
  private var places: [Int32] = []
  /// The parent of the topmost row, if it is not among the posts.
  private(set) var awaited: PostID?

  /// Creates an order without rows.
  init() {}

  /// Orders the conversation around `subject`, with the replies below `collapsed` hidden. Without the subject there are
  /// no rows. Replies that form a cycle appear once. O(posts).
  init(around subject: PostID, collapsed: Set<PostID>, of posts: [(id: PostID, parent: PostID?)]) {
    places = Array(repeating: -1, count: posts.count)
    let ranks = Dictionary(posts.enumerated().map { ($1.id, Int32($0)) }, uniquingKeysWith: { first, _ in first })
    guard let root = ranks[subject] else { return }
    placeAncestors(of: root, ranks, posts)
    placeReplies(of: root, collapsed, ReplyLists(ranks, posts), posts)
  }

  private mutating func placeAncestors(
    of root: Int32, _ ranks: [PostID: Int32], _ posts: [(id: PostID, parent: PostID?)]
  ) {
    var chain = [root]
    places[Int(root)] = 0
    while let parent = posts[Int(chain[chain.count - 1])].parent {
      guard let rank = ranks[parent] else {
        awaited = parent
        break
      }
      guard places[Int(rank)] < 0 else { break }
      places[Int(rank)] = 0
      chain.append(rank)
    }
    for rank in chain.reversed() { append(rank, depth: 0) }
  }

  private mutating func placeReplies(
    of root: Int32, _ collapsed: Set<PostID>, _ replies: ReplyLists, _ posts: [(id: PostID, parent: PostID?)]
  ) {
    var waiting: [(rank: Int32, depth: UInt8)] = []
    // The collapsed row, and how many posts waited when it was reached: everything until only those are left is below
    // it.
    var hiding: (place: Int, waiting: Int)?
    func wait(for rank: Int32, _ depth: UInt8) {
      replies.forEach(of: rank) { if places[Int($0)] < 0 { waiting.append(($0, min(depth + 1, Self.deepest))) } }
    }
    func begin(_ rank: Int32, _ depth: UInt8) {
      if hiding == nil, collapsed.contains(posts[Int(rank)].id) { hiding = (rows.count - 1, waiting.count) }
      wait(for: rank, depth)
    }
    begin(root, 0)
    while let next = waiting.popLast() {
      if let hidden = hiding, waiting.count < hidden.waiting { hiding = nil }
      guard places[Int(next.rank)] < 0 else { continue }
      if let hidden = hiding {
        places[Int(next.rank)] = Int32(hidden.place)
        rows[hidden.place].collapsed += 1
        wait(for: next.rank, next.depth)
      } else {
        append(next.rank, depth: next.depth)
        begin(next.rank, next.depth)
      }
    }
  }

  private mutating func append(_ rank: Int32, depth: UInt8) {
    places[Int(rank)] = Int32(rows.count)
    rows.append(Row(rank: rank, depth: depth))
  }

  /// Returns the row of the post with a rank, or of the post that hides it; nil for a post that is not connected.
  func row(ofRank rank: Int) -> (index: Int, isHidden: Bool)? {
    guard places[rank] >= 0 else { return nil }
    let index = Int(places[rank])
    return (index, rows[index].rank != rank)
  }

  /// Returns the row nearest to the current or former place of a rank: the first later one that is visible, otherwise
  /// the last earlier one.
  func row(nearRank rank: Int) -> Int {
    var later = rank
    while later < places.count {
      if places[later] >= 0 { return Int(places[later]) }
      later += 1
    }
    return Int(places[..<min(rank, places.count)].last { $0 >= 0 } ?? 0)
  }

  /// The ranks of posts that are not connected to the conversation, highest first.
  var strays: [Int] { places.indices.reversed().filter { places[$0] < 0 } }
}

/// The replies to each post, by rank.
private struct ReplyLists {
  /// The newest reply to each post, and for each reply the next older one with the same parent; -1 if there is none.
  private var newest: [Int32]
  private var older: [Int32]

  init(_ ranks: [PostID: Int32], _ posts: [(id: PostID, parent: PostID?)]) {
    newest = Array(repeating: -1, count: posts.count)
    older = newest
    for (rank, post) in posts.enumerated() {
      guard let parent = post.parent.flatMap({ ranks[$0] }) else { continue }
      older[rank] = newest[Int(parent)]
      newest[Int(parent)] = Int32(rank)
    }
  }

  /// Visits the replies to a post, newest first.
  func forEach(of rank: Int32, _ body: (Int32) -> Void) {
    var reply = newest[Int(rank)]
    while reply >= 0 {
      body(reply)
      reply = older[Int(reply)]
    }
  }
}
