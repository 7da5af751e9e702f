internal import Dates
internal import Posts

/// An ordered, live list of posts: what is loaded of it, and how far the store has been read.
///
/// The store is read from the newest post to older ones, page by page; each page is the truth for the range of keys
/// that it covers, as of its revision. A list that has to be read again keeps the rows that it has until the page that
/// covers them has come. What is no post (the lists of an account, what a view shows that is not signed in) lies in its
/// list as a post that says the same.
struct PostList {
  let key: ListKey
  /// Stands for the list in indexes; never used again.
  let slot: UInt32
  /// Rows at most; older ones are let go. `Int.max` for no limit.
  let limit: Int
  var columns: PostColumns
  /// How far the store has been read.
  private(set) var progress = ReadingProgress()
  /// Rows beyond ``limit`` are known to be there.
  private var isCut = false
  /// Posts of the loaded part that its account does not want to see: they belong to it, and are no rows. At most 16
  /// bytes for each.
  private var withheld: Set<PostID> = []
  /// What the account is known not to have, the newest first: rows among the posts, as far as those are loaded (ADR
  /// 0023).
  private(set) var gaps: [Gap] = []
  /// The numbers of those that are rows.
  private(set) var gapRows: Set<PostID> = []

  /// What is known beside the posts.
  var known: KnownFacts

  /// Whether somebody follows the list row by row, and what has changed since ``takeEdits()``.
  var isFollowed = false
  private var edits: [ListEdit] = []
  /// Whether its posts are in the index of open lists, and which have come and gone since ``takeMoves()``.
  private let isIndexed: Bool
  private var moves = ListMoves()

  /// The order in which a conversation is shown, for what is collapsed in it; nil for a list in the order of its keys.
  var order: ThreadOrder?
  /// The orders that were asked for since the last change.
  var orders: [[PostID]: ThreadOrder] = [:]

  init(key: ListKey, slot: UInt32 = 0, limits: EngineLimits) {
    self.key = key
    self.slot = slot
    columns = PostColumns(chunkCapacity: limits.lists.chunkCapacity)
    limit = if case .search = key.base { limits.lists.searchRows } else { .max }
    isIndexed = if case .home = key.base { false } else { true }
    if case .conversation = key { order = ThreadOrder() }
    known = KnownFacts(isLacking: key.hasFacts)
  }

  /// All rows, loaded or not.
  var rowCount: Int { count + progress.missing }

  /// All posts that belong to it.
  var entryCount: Int { rowCount + withheld.count }

  // MARK: Pages

  /// Has everything read again, from the newest post on.
  mutating func restart() {
    progress.restart()
    if isIndexed { moves.gone += withheld.sorted { $0.rawValue < $1.rawValue } }
    withheld = []
  }

  /// Something is on its way from the store.
  mutating func beginLoad() { progress.isLoading = true }

  /// What was on its way has come. True if the list was to be read again meanwhile, so that this is not what it waits
  /// for.
  mutating func endLoad() -> Bool {
    defer { (progress.isLoading, progress.isRestarted) = (false, false) }
    return progress.isRestarted
  }

  /// Takes a page of the store, newest first, that covers everything from ``cursor`` down to `end`, or to the last post
  /// where that is nil. The whole list then, at a revision, had `total` posts. What of them is `withheld` is not among
  /// `posts`. O(posts log rows).
  mutating func receive(
    page posts: [StoredPost], withheld hidden: [PostID] = [], downTo end: OrderKey?, total: Int, at revision: UInt64
  ) {
    withheld.formUnion(hidden)
    if isIndexed { moves.come += hidden }
    if columns.oldestKey.map({ key in cursor.map { $0 <= key } ?? false }) ?? true {
      prepend(posts)
    } else {
      reconcile(posts, downTo: end)
    }
    progress.advance(to: end, at: revision)
    if end == nil { finish() }
    defer {
      placeGaps()
      progress.noteMissing(total - columns.count + gapRows.count - withheld.count)
    }
    if let end, columns.count - columns.rank(lowerBound: end) >= limit {
      while columns.count > limit || columns.oldestKey.map({ $0 < end }) ?? false { removeRow(at: 0) }
      finish()
    }
  }

  private mutating func finish() {
    progress.finish()
    isCut = columns.count >= limit
  }

  private mutating func prepend(_ posts: [StoredPost]) {
    guard !posts.isEmpty else { return }
    columns.prependOlder(posts)
    note(.prepended(count: posts.count))
    if isIndexed { moves.come += posts.map(\.id) }
  }

  /// Makes a range of rows what the store says it is.
  private mutating func reconcile(_ posts: [StoredPost], downTo end: OrderKey?) {
    let first = end.map { columns.rank(lowerBound: $0) } ?? 0
    let beyond = cursor.map { columns.rank(lowerBound: $0) } ?? columns.count
    let now = Set(posts.lazy.map(\.orderKey))
    for rank in (first..<max(first, beyond)).reversed() {
      let key = columns.key(at: rank)
      if now.contains(key) || gapRows.contains(key.id) { continue }
      removeRow(at: rank)
    }
    for post in posts where self.post(with: post.orderKey) != post { upsert(post) }
  }

  /// Replaces everything: the whole list as the store read it, or as it is known otherwise.
  mutating func replace(with posts: [StoredPost]) {
    if isIndexed {
      moves.gone += columns.links().map(\.id) + withheld.sorted { $0.rawValue < $1.rawValue }
      moves.come += posts.map(\.id)
    }
    withheld = []
    var fresh = PostColumns(chunkCapacity: columns.chunkCapacity)
    for post in posts { fresh.upsert(post) }
    columns = fresh
    (gaps, gapRows) = ([], [])
    if isFollowed { edits = [.replaced] }
    finish()
    progress.isLoading = false
    reorder()
  }

  // MARK: Commits

  /// Takes a post that belongs to the list: a new one, or one that reads differently. `isCounted` tells that it is new
  /// here, so that it counts even where that part is not loaded.
  mutating func put(_ post: StoredPost, isCounted: Bool) {
    let key = post.orderKey
    forget(post.id)
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

  /// Takes a row out by its key; false where it is not there.
  @discardableResult
  mutating func remove(_ key: OrderKey) -> Bool {
    forget(key.id)
    guard let rank = columns.rank(of: key) else { return false }
    removeRow(at: rank)
    readOn()
    return true
  }

  /// Takes a row out by its number; false where it is not there. O(rows).
  @discardableResult
  mutating func remove(_ id: PostID) -> Bool {
    if forget(id) { return false }
    guard let rank = columns.rank(of: id) else { return false }
    removeRow(at: rank)
    readOn()
    return true
  }

  // MARK: What is withheld

  /// Whether a post is a row, or would be one if its account wanted to see it; false for what is not loaded.
  mutating func holds(_ post: StoredPost) -> Bool {
    withheld.contains(post.id) || columns.rank(of: post.orderKey) != nil
  }

  /// Takes a post that belongs to the list and is not to be seen; true if it was a row.
  mutating func withhold(_ post: StoredPost) -> Bool {
    let wasRow = columns.rank(of: post.orderKey) != nil
    if wasRow { remove(post.orderKey) }
    guard isComplete || floor.map({ post.orderKey >= $0 }) ?? false else { return wasRow }
    if withheld.insert(post.id).inserted, isIndexed { moves.come.append(post.id) }
    return wasRow
  }

  /// Takes rows out that are not to be seen any more; `ranks` ascend. O(rows) for many.
  mutating func withhold(ranks: [Int]) {
    let ids = ranks.map { columns.key(at: $0).id }
    if ranks.count <= Self.fewRows {
      for rank in ranks.reversed() { removeRow(at: rank) }
    } else {
      columns.remove(ranks: ranks)
      if isIndexed { moves.gone += ids }
      if isFollowed { edits = [.replaced] }
    }
    withheld.formUnion(ids)
    if isIndexed { moves.come += ids }
    if !ranks.isEmpty { readOn() }
  }

  /// With more of them the list is made anew.
  private static let fewRows = 256

  @discardableResult
  private mutating func forget(_ id: PostID) -> Bool {
    guard withheld.remove(id) != nil else { return false }
    if isIndexed { moves.gone.append(id) }
    return true
  }

  /// Takes out the posts that are for a circle; false where there are none.
  mutating func removeAll(for circle: CircleID) -> Bool {
    let keys = columns.keys(for: circle)
    for key in keys.reversed() { remove(key) }
    return !keys.isEmpty
  }

  /// There is room for one more of the rows that the limit has kept out.
  private mutating func readOn() {
    guard isCut, isCurrent else { return }
    isCut = false
    progress.goOn(from: columns.oldestKey)
  }

  private mutating func upsert(_ post: StoredPost) {
    let rank = isFollowed ? columns.rank(lowerBound: post.orderKey) : 0
    let isInserted = columns.upsert(post)
    if isInserted, isIndexed { moves.come.append(post.id) }
    note(isInserted ? .inserted(rank: rank, post) : .changed(rank: rank, post))
  }

  private mutating func removeRow(at rank: Int) {
    if isIndexed { moves.gone.append(columns.key(at: rank).id) }
    columns.remove(at: rank)
    note(.removed(rank: rank))
  }

  // MARK: Gaps

  /// Takes all that the account is known not to have; false where that is as it was. O(gaps log rows).
  @discardableResult
  mutating func take(gaps new: [Gap]) -> Bool {
    guard new != gaps else { return false }
    for old in gaps where gapRows.contains(old.id) && !new.contains(where: { $0.orderKey == old.orderKey }) {
      if let rank = columns.rank(of: old.orderKey) { removeRow(at: rank) }
      gapRows.remove(old.id)
    }
    gaps = new
    placeGaps()
    return true
  }

  /// Makes rows of gaps where posts are loaded.
  private mutating func placeGaps() {
    for gap in gaps where isComplete || floor.map({ gap.orderKey >= $0 }) ?? false {
      let row = StoredPost(placeholderFor: .gap(gap), of: key.account)
      gapRows.insert(gap.id)
      if post(with: gap.orderKey) != row { upsert(row) }
    }
  }

  // MARK: What has changed

  /// Notes a change, unless nobody follows or all has been replaced since.
  private mutating func note(_ edit: ListEdit) {
    guard isFollowed else { return }
    if case .replaced? = edits.first { return }
    // The rows of a conversation do not lie in the order of their keys.
    if order != nil { edits = [.replaced] } else { edits.append(edit) }
  }

  /// What has changed since the last call, in order; or that all was replaced, and nothing else.
  mutating func takeEdits() -> [ListEdit] {
    defer { edits = [] }
    return edits
  }

  /// Which posts have come and gone since the last call.
  mutating func takeMoves() -> ListMoves {
    defer { moves = ListMoves() }
    return moves
  }

  /// Whether it is a conversation without the post that it is about.
  var lacksSubject: Bool {
    mutating get {
      guard case .conversation(_, let subject) = key else { return false }
      return self.key(of: subject) == nil
    }
  }

  /// Brings a conversation into order after it has changed, without the posts that hang on nothing any more. O(posts).
  mutating func reorder() {
    guard order != nil else { return }
    orders = [:]
    arrange([])
    let strays = order!.strays
    guard !strays.isEmpty else { return }
    for rank in strays { removeRow(at: rank) }
    orders = [:]
    arrange([])
  }
}

/// Posts that came into a list and went from it, each perhaps more than once; those that went, went first.
struct ListMoves {
  var gone: [PostID] = []
  var come: [PostID] = []
}

extension ListKey {
  /// Whether there is something to know of the list beside its posts.
  var hasFacts: Bool {
    switch base {
    case .author, .own, .made, .direct, .lists: true
    case .home, .mentions, .messages, .search, .conversation, .launch, .filtered: false
    }
  }
}
