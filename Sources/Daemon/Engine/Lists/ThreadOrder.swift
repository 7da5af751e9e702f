internal import Posts

/// The order in which a conversation is shown: what its post answers, the oldest first; the post; then what answers it,
/// each reply followed by the replies to it, siblings by time (behaviour.md, rule 15).
struct ThreadOrder {
  /// A row of it.
  struct Row: Equatable {
    /// Of its post among all of the conversation, oldest first.
    var rank: Int32
    /// 0 for what the post answers and the post itself; replies from 1 to ``ThreadOrder/deepest``.
    var depth: UInt8
    /// Replies below it that are not shown because it is collapsed.
    var collapsed: Int32 = 0
  }

  /// Deeper replies stand as deep as this.
  static let deepest: UInt8 = 5

  /// From top to bottom.
  private(set) var rows: [Row] = []
  /// By rank, the row of a post, or of the collapsed one that it hides below; -1 for a post that hangs on nothing.
  private var places: [Int32] = []
  /// The post that the topmost row answers, which is not among the posts.
  private(set) var awaited: PostID?

  /// No rows.
  init() {}

  /// The order of the conversation around `subject`, with the replies below `collapsed` hidden. Without the subject
  /// there is no row. Replies that form a ring are told once. O(posts).
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
    // The row whose replies are hidden, and how many waited when it was met: what comes before those do is below it.
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

  /// The row of the post with a rank, or of the one below which it is hidden; nil for a post that hangs on nothing.
  func row(ofRank rank: Int) -> (index: Int, isHidden: Bool)? {
    guard places[rank] >= 0 else { return nil }
    let index = Int(places[rank])
    return (index, rows[index].rank != rank)
  }

  /// The row nearest to the place that a rank has, or had: the first later one that is shown, otherwise the last
  /// earlier one.
  func row(nearRank rank: Int) -> Int {
    var later = rank
    while later < places.count {
      if places[later] >= 0 { return Int(places[later]) }
      later += 1
    }
    return Int(places[..<min(rank, places.count)].last { $0 >= 0 } ?? 0)
  }

  /// The ranks of posts that hang on nothing, highest first.
  var strays: [Int] { places.indices.reversed().filter { places[$0] < 0 } }
}

/// The replies to each post, by rank.
private struct ReplyLists {
  /// The newest reply to a post, and the next older one with the same parent; -1 for none.
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

  /// Goes through the replies to a post, the newest first.
  func forEach(of rank: Int32, _ body: (Int32) -> Void) {
    var reply = newest[Int(rank)]
    while reply >= 0 {
      body(reply)
      reply = older[Int(reply)]
    }
  }
}
