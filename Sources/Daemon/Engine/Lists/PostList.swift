internal import Dates
internal import Posts

/// An ordered, live list of posts: its loaded part, and how far the store has been read.
///
/// The store is read from the newest post to older ones, page by page. Each page is authoritative for the range of keys
/// that it covers, as of its revision. During a reload the list keeps its rows until the page that replaces them
/// arrives. Rows that are not posts, such as gaps, requests to follow, an account's lists and the launch notice, are
/// represented by placeholder posts.
struct PostList {
  let key: ListKey
  /// Identifies the list in indexes; never reused.
  let slot: UInt32
  /// The most rows, and of a list that ``cut()`` has limited the most rows and hidden posts that are read; older ones
  /// are dropped. `Int.max` for no limit.
  private(set) var limit: Int
  /// The limit of a list that is not limited for lack of memory.
  private let wholeLimit: Int
  private var isLimited = false
  var columns: PostColumns
  /// The progress through the store.
  private(set) var progress = ReadingProgress()
  /// True if there are more rows than ``limit`` allows.
  private var isCut = false
  /// Posts of the loaded part that are muted or filtered out: they belong to the list but are not rows. At most 16
  /// bytes each.
  private var hidden: Set<PostID> = []
  /// The known entries among the posts that are not posts, newest first: gaps in a timeline (ADR 0023), requests to
  /// follow in mentions. Those in the loaded part are rows.
  private(set) var placeholders: [ListEntry] = []
  /// The IDs of the placeholders that are rows.
  private(set) var placeholderRows: Set<PostID> = []

  /// The facts about the list.
  var known: KnownFacts

  /// True while edits are recorded, because heights depend on the list.
  var recordsEdits = false
  /// The changes since ``takeEdits()``.
  private var edits: [ListEdit] = []
  /// True if the list's posts are in the index of open lists.
  private let isIndexed: Bool
  /// The posts that have entered and left since ``takeMoves()``.
  private var moves = ListMoves()

  /// The display order of a conversation with its collapsed posts; nil for a list in the order of its keys.
  var order: ThreadOrder?
  /// The rows that the pane which it was last arranged for has unfolded.
  var unfolded: [PostID] = []
  /// The orders computed since the last change, by the collapsed posts.
  var orders: [[PostID]: ThreadOrder] = [:]

  init(key: ListKey, slot: UInt32 = 0, limits: EngineLimits) {
    self.key = key
    self.slot = slot
    columns = PostColumns(chunkCapacity: limits.lists.chunkCapacity)
    wholeLimit = if case .search = key.base { limits.lists.searchRows } else { .max }
    limit = wholeLimit
    isIndexed = if case .home = key.base { false } else { true }
    if case .conversation = key { order = ThreadOrder() }
    known = KnownFacts(isLacking: key.hasFacts)
  }

  /// Number of all rows, loaded or not.
  var rowCount: Int { count + progress.missing }

  /// Number of all posts that belong to the list, hidden ones included.
  var entryCount: Int { rowCount + hidden.count }

  // MARK: Pages

  /// Starts to read everything again, from the newest post.
  mutating func restart() {
    progress.restart()
    if isIndexed { moves.gone += hidden.sorted { $0.rawValue < $1.rawValue } }
    hidden = []
  }

  /// Records that a load is under way.
  mutating func beginLoad() { progress.isLoading = true }

  /// Records the end of the load. Returns true if the list was restarted meanwhile, so that the result is obsolete.
  mutating func endLoad() -> Bool {
    defer { (progress.isLoading, progress.isRestarted) = (false, false) }
    return progress.isRestarted
  }

  /// Applies a page from the store, newest first, that covers everything from ``cursor`` down to `end`, or to the end
  /// of the list if that is nil. `total` is the number of posts in the whole list at the page's revision. `hidden` are
  /// further posts of the page, which are not among `posts`. O(posts log rows).
  mutating func receive(
    page posts: [StoredPost], hidden newlyHidden: [PostID] = [], downTo end: OrderKey?, total: Int, at revision: UInt64
  ) {
    hidden.formUnion(newlyHidden)
    if isIndexed { moves.come += newlyHidden }
    if columns.oldestKey.map({ key in cursor.map { $0 <= key } ?? false }) ?? true {
      prepend(posts)
    } else {
      reconcile(posts, downTo: end)
    }
    progress.advance(to: end, at: revision)
    if end == nil { finish() }
    defer {
      insertPlaceholders()
      progress.noteMissing(total - columns.count + placeholderRows.count - hidden.count)
    }
    let older = end.map { columns.rank(lowerBound: $0) } ?? 0
    if limitedCount - older >= limit {
      for _ in 0..<max(older, columns.count - limit) { removeRow(at: 0) }
      finish()
    }
  }

  private mutating func finish() {
    progress.finish()
    isCut = limitedCount >= limit
  }

  /// Number of the posts that ``limit`` is about.
  private var limitedCount: Int { columns.count + (isLimited ? hidden.count : 0) }

  private mutating func prepend(_ posts: [StoredPost]) {
    guard !posts.isEmpty else { return }
    columns.prependOlder(posts)
    recordEdit(.prepended(count: posts.count))
    if isIndexed { moves.come += posts.map(\.id) }
  }

  /// Brings a range of rows in line with a page.
  private mutating func reconcile(_ posts: [StoredPost], downTo end: OrderKey?) {
    let first = end.map { columns.rank(lowerBound: $0) } ?? 0
    let beyond = cursor.map { columns.rank(lowerBound: $0) } ?? columns.count
    let now = Set(posts.lazy.map(\.orderKey))
    for rank in (first..<max(first, beyond)).reversed() {
      let key = columns.key(at: rank)
      if now.contains(key) || placeholderRows.contains(key.id) { continue }
      removeRow(at: rank)
    }
    for post in posts where self.post(with: post.orderKey) != post { upsert(post) }
  }

  /// Replaces the whole list, with posts from the store or with placeholders.
  mutating func replace(with posts: [StoredPost]) {
    if isIndexed {
      moves.gone += columns.links().map(\.id) + hidden.sorted { $0.rawValue < $1.rawValue }
      moves.come += posts.map(\.id)
    }
    hidden = []
    var fresh = PostColumns(chunkCapacity: columns.chunkCapacity)
    for post in posts { fresh.upsert(post) }
    columns = fresh
    (placeholders, placeholderRows) = ([], [])
    if recordsEdits { edits = [.replaced] }
    finish()
    progress.isLoading = false
    reorder()
  }

  // MARK: Commits

  /// Inserts or updates a post that belongs to the list. `isCounted` is true for a post that is new to the list, which
  /// counts even if its part is not loaded.
  mutating func put(_ post: StoredPost, isCounted: Bool) {
    let key = post.orderKey
    removeHidden(post.id)
    guard isComplete || floor.map({ key >= $0 }) ?? false else {
      if isCounted { progress.missing += 1 }
      return
    }
    if isCut, let oldest = columns.oldestKey, key < oldest { return }
    upsert(post)
    guard columns.count > limit else { return }
    removeRow(at: 0)
    isCut = isComplete
  }

  /// Removes a row by its key. Returns false if there is none.
  @discardableResult
  mutating func remove(_ key: OrderKey) -> Bool {
    removeHidden(key.id)
    guard let rank = columns.rank(of: key) else { return false }
    removeRow(at: rank)
    resumeReading()
    return true
  }

  /// Removes a row or hidden post by its ID. Returns false if there is none. O(rows).
  @discardableResult
  mutating func remove(_ id: PostID) -> Bool {
    if removeHidden(id) { return false }
    guard let rank = columns.rank(of: id) else { return false }
    removeRow(at: rank)
    resumeReading()
    return true
  }

  // MARK: Hidden posts

  /// Returns true if a post is a row or hidden; false for posts that are not loaded.
  mutating func holds(_ post: StoredPost) -> Bool {
    hidden.contains(post.id) || columns.rank(of: post.orderKey) != nil
  }

  /// Hides a post that belongs to the list. Returns true if it was a row.
  mutating func hide(_ post: StoredPost) -> Bool {
    let wasRow = columns.rank(of: post.orderKey) != nil
    if wasRow { remove(post.orderKey) }
    guard isComplete || floor.map({ post.orderKey >= $0 }) ?? false else { return wasRow }
    if hidden.insert(post.id).inserted, isIndexed { moves.come.append(post.id) }
    return wasRow
  }

  /// Hides the rows at `ranks`, which are ascending. O(rows) for many.
  mutating func hide(ranks: [Int]) {
    let ids = ranks.map { columns.key(at: $0).id }
    if ranks.count <= Self.fewRows {
      for rank in ranks.reversed() { removeRow(at: rank) }
    } else {
      columns.remove(ranks: ranks)
      if isIndexed { moves.gone += ids }
      if recordsEdits { edits = [.replaced] }
    }
    hidden.formUnion(ids)
    if isIndexed { moves.come += ids }
    if !ranks.isEmpty { resumeReading() }
  }

  /// The most rows that are removed one by one; beyond that the columns are rebuilt.
  private static let fewRows = 256

  @discardableResult
  private mutating func removeHidden(_ id: PostID) -> Bool {
    guard hidden.remove(id) != nil else { return false }
    if isIndexed { moves.gone.append(id) }
    return true
  }

  /// Removes the posts for an audience group. Returns false if there are none.
  mutating func removeAll(for group: AudienceGroupID) -> Bool {
    let keys = columns.keys(for: group)
    for key in keys.reversed() { remove(key) }
    return !keys.isEmpty
  }

  // MARK: Memory

  /// The memory that it takes, in bytes: its columns, packed bodies and hidden posts, and its share of the index of
  /// posts. Only changes of its posts change it, not reading them. O(rows / chunk capacity).
  var byteCount: Int {
    columns.byteCount + hidden.capacity * MemoryLayout<PostID>.stride + indexedCount * Holders.bytesPerPost
  }

  /// Number of its posts in the index of open lists.
  var indexedCount: Int { isIndexed ? columns.count + hidden.count : 0 }

  /// Leaves out all posts beyond those that are loaded, until ``extend()``. A conversation stays whole, and a list
  /// without any post has its first page.
  mutating func cut() {
    guard order == nil, columns.count + hidden.count > 0 else { return }
    limit = min(limit, columns.count + hidden.count)
    isLimited = true
    // Rows that are read again may be outdated: that goes on, up to the limit.
    if !isComplete, !progress.isLoading, cursor != nil { finish() }
  }

  /// Allows a list that was cut all its rows again. Returns true if it was.
  mutating func extend() -> Bool {
    guard isLimited else { return false }
    (limit, isLimited) = (wholeLimit, false)
    resumeReading()
    return true
  }

  /// Continues to read the store if rows beyond the limit now have room.
  private mutating func resumeReading() {
    guard isCut, isCurrent else { return }
    isCut = false
    progress.resume(from: columns.oldestKey)
  }

  private mutating func upsert(_ post: StoredPost) {
    let rank = recordsEdits ? columns.rank(lowerBound: post.orderKey) : 0
    let isInserted = columns.upsert(post)
    if isInserted, isIndexed { moves.come.append(post.id) }
    recordEdit(isInserted ? .inserted(rank: rank, post) : .changed(rank: rank, post))
  }

  private mutating func removeRow(at rank: Int) {
    if isIndexed { moves.gone.append(columns.key(at: rank).id) }
    columns.remove(at: rank)
    recordEdit(.removed(rank: rank))
  }

  // MARK: Placeholders

  /// Sets all known entries that are not posts. Returns false if they are unchanged. O(entries log rows).
  @discardableResult
  mutating func setPlaceholders(_ new: [ListEntry]) -> Bool {
    guard new != placeholders else { return false }
    let kept = Set(new.map(\.orderKey))
    for old in placeholders where placeholderRows.contains(old.id) && !kept.contains(old.orderKey) {
      if let rank = columns.rank(of: old.orderKey) { removeRow(at: rank) }
      placeholderRows.remove(old.id)
    }
    placeholders = new
    insertPlaceholders()
    return true
  }

  /// Inserts rows for the placeholders in the loaded part.
  private mutating func insertPlaceholders() {
    for entry in placeholders where isComplete || floor.map({ entry.orderKey >= $0 }) ?? false {
      let row = StoredPost(placeholderFor: entry, of: key.account)
      placeholderRows.insert(entry.id)
      if post(with: entry.orderKey) != row { upsert(row) }
    }
  }

  // MARK: Changes

  /// Records an edit, unless edits are not recorded or a recorded replacement covers it.
  private mutating func recordEdit(_ edit: ListEdit) {
    guard recordsEdits else { return }
    if case .replaced? = edits.first { return }
    // The rows of a conversation are not in the order of their keys.
    if order != nil { edits = [.replaced] } else { edits.append(edit) }
  }

  /// Returns the edits since the last call, in order; a replacement is always the only one.
  mutating func takeEdits() -> [ListEdit] {
    defer { edits = [] }
    return edits
  }

  /// Returns the posts that have entered and left since the last call.
  mutating func takeMoves() -> ListMoves {
    defer { moves = ListMoves() }
    return moves
  }

  /// True for a conversation without its subject.
  var lacksSubject: Bool {
    mutating get {
      guard case .conversation(_, let subject) = key else { return false }
      return self.key(of: subject) == nil
    }
  }

  /// Reorders a changed conversation, and removes the posts that are no longer connected to it. O(posts).
  mutating func reorder() {
    guard order != nil else { return }
    orders = [:]
    arrange([], unfolded: [])
    let strays = order!.strays
    guard !strays.isEmpty else { return }
    for rank in strays { removeRow(at: rank) }
    orders = [:]
    arrange([], unfolded: [])
  }
}

/// Posts that left and entered a list, possibly several times each. Departures come before arrivals.
struct ListMoves {
  var gone: [PostID] = []
  var come: [PostID] = []
}

extension ListKey {
  /// True if there are facts about the list besides its posts.
  var hasFacts: Bool {
    switch base {
    case .author, .own, .made, .direct, .lists: true
    case .home, .mentions, .messages, .search, .conversation, .launch, .filtered: false
    }
  }
}
