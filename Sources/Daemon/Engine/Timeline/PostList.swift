internal import Dates
internal import Posts

/// An ordered, live list of posts: what is loaded of it, and what is still on its way from the store.
///
/// Loading goes from the newest post to older ones. Commits that arrive meanwhile and lie in the part that is not loaded are
/// remembered until the slice they belong to has come: the store may have read that slice before the commit.
struct PostList {
  let key: ListKey
  private(set) var columns: PostColumns
  /// True once everything is loaded.
  private(set) var isComplete = false
  /// True while a slice is on its way.
  var isLoading = false
  /// How many posts are not loaded yet, as the store last said.
  private(set) var missing = 0
  private var remembered: [Remembered] = []
  /// Whether somebody follows the list row by row, and what has changed since ``takeEdits()``.
  var isFollowed = false
  private var edits: [ListEdit] = []

  /// A commit that the slice under way may lack.
  private struct Remembered {
    var revision: UInt64
    var post: StoredPost
    /// It changed, or it is to go: nil for a new post.
    var isVisible: Bool?
  }

  init(key: ListKey, chunkCapacity: Int) {
    self.key = key
    self.columns = PostColumns(chunkCapacity: chunkCapacity)
  }

  /// All rows, loaded or not.
  var rowCount: Int { columns.count + missing }

  /// The key below which the store is to read on; nil before the first slice.
  var oldestLoaded: OrderKey? { columns.oldestKey }

  /// Whether rows are shown with the newest on top.
  var isNewestFirst: Bool {
    switch key {
    case .conversation, .direct, .lists, .launch: false
    case .home, .mentions, .messages, .made, .author, .own, .search: true
    }
  }

  /// The rank (from the oldest) of display row `index` (from the top), and the other way round.
  func rank(ofDisplayed index: Int) -> Int { isNewestFirst ? columns.count - 1 - index : index }

  mutating func post(displayed index: Int) -> StoredPost {
    columns.post(at: rank(ofDisplayed: index))
  }

  /// The post with `key`; nil where it is not loaded or not there.
  mutating func post(with key: OrderKey) -> StoredPost? { columns.rank(of: key).map { columns.post(at: $0) } }

  mutating func key(displayed index: Int) -> OrderKey { columns.key(at: rank(ofDisplayed: index)) }

  /// The display index of the row with `id`; nil where it is not loaded or not there.
  mutating func displayedIndex(of id: PostID) -> Int? { columns.rank(of: id).map { rank(ofDisplayed: $0) } }

  /// The display index of the row with `key`, or of the one that took its place.
  mutating func displayedIndex(near key: OrderKey) -> Int {
    guard columns.count > 0 else { return 0 }
    // The rank of the row, or of the next newer one; with the newest on top it is the next older one that moves up into the place.
    var rank = columns.rank(lowerBound: key)
    if isNewestFirst, rank == columns.count || columns.key(at: rank) != key { rank -= 1 }
    return self.rank(ofDisplayed: max(0, min(columns.count - 1, rank)))
  }

  /// Takes a slice of older posts, newest first, that the store read at `revision` or later. The whole list then had `total`
  /// posts; `isLast`: none is older than the slice.
  mutating func receive(older posts: [StoredPost], readAt revision: UInt64, total: Int, isLast: Bool) {
    isLoading = false
    isComplete = isLast
    let boundary = oldestLoaded
    // A commit may already have brought a post of this slice while the list was empty.
    let older = boundary.map { boundary in posts.filter { $0.orderKey < boundary } } ?? posts
    columns.prependOlder(older)
    if !older.isEmpty { note(.prepended(count: older.count)) }
    missing = isLast ? 0 : max(1, total - columns.count)
    let later = remembered.filter { $0.revision > revision }
    remembered = []
    for entry in later {
      if let isVisible = entry.isVisible {
        receive(changed: entry.post, isVisible: isVisible, revision: entry.revision)
      } else {
        receive(committed: entry.post, revision: entry.revision, isNew: false)
      }
    }
  }

  /// Takes a post that was committed: new, or changed in place.
  mutating func receive(committed post: StoredPost, revision: UInt64, isNew: Bool = true) {
    let key = post.orderKey
    if !isComplete, oldestLoaded.map({ key < $0 }) ?? true {
      // The next slice is read after this commit; only the one under way can lack it.
      if isLoading { remembered.append(Remembered(revision: revision, post: post, isVisible: isNew ? nil : true)) }
      if isNew { missing += 1 }
      return
    }
    let rank = isFollowed ? columns.rank(lowerBound: key) : 0
    let isInserted = columns.upsert(post)
    note(isInserted ? .inserted(rank: rank, post) : .changed(rank: rank, post))
  }

  /// Takes a post that changed. It is found by its id where its instant changed too; one that may no longer be seen goes.
  mutating func receive(changed post: StoredPost, isVisible: Bool, revision: UInt64) {
    // The slice under way may bring it back as it was.
    if isLoading { remembered.append(Remembered(revision: revision, post: post, isVisible: isVisible)) }
    if !isVisible || columns.rank(of: post.orderKey) == nil {
      if let rank = columns.remove(post.id) { note(.removed(rank: rank)) }
    }
    guard isVisible else { return }
    receive(committed: post, revision: revision, isNew: false)
  }

  /// Replaces everything: the whole list as the store read it.
  mutating func replace(with posts: [StoredPost]) {
    var fresh = PostColumns(chunkCapacity: columns.chunkCapacity)
    for post in posts { fresh.upsert(post) }
    columns = fresh
    if isFollowed { edits = [.replaced] }
    missing = 0
    isComplete = true
    isLoading = false
    remembered = []
  }

  /// Notes a change, unless nobody follows or all has been replaced since.
  private mutating func note(_ edit: ListEdit) {
    guard isFollowed else { return }
    if case .replaced? = edits.first { return }
    edits.append(edit)
  }

  /// What has changed since the last call, in order; or that all was replaced, and nothing else.
  mutating func takeEdits() -> [ListEdit] {
    defer { edits = [] }
    return edits
  }

  /// The heights of its loaded rows in a layout, a few of them measured.
  mutating func heights(in layout: LayoutKey, _ days: DayRule?) -> RowHeights { RowHeights(layout, days, of: &columns) }

  /// Measures more rows; see ``RowHeights/measure(_:budget:)``.
  mutating func measure(_ heights: inout RowHeights, budget: Int) { heights.measure(&columns, budget: budget) }

  /// Has heights follow changes of the list.
  mutating func bring(_ heights: inout RowHeights, _ edits: [ListEdit]) { heights.follow(edits, of: &columns) }

  /// When the post at a rank was written.
  mutating func createdAt(rank: Int) -> Instant { columns.key(at: rank).createdAt }

  /// The rule by which the list's days begin in a zone.
  func days(in zone: Zone, height: Int) -> DayRule { DayRule(zone: zone, height: height, isNewestFirst: isNewestFirst) }

  /// Whether a day begins with display row `index`.
  mutating func beginsDay(displayed index: Int, _ days: DayRule) -> Bool {
    days.begins(at: rank(ofDisplayed: index), of: &columns)
  }

  /// The display index of the first row that an instant leads to: the newest that is not later where the newest is on top, otherwise
  /// the oldest that is not earlier; nil without rows.
  mutating func displayedIndex(at instant: Instant) -> Int? {
    guard columns.count > 0 else { return nil }
    let later = columns.rank(lowerBound: OrderKey(createdAt: instant.adding(milliseconds: isNewestFirst ? 1 : 0), id: PostID(.min)))
    return rank(ofDisplayed: max(0, min(columns.count - 1, isNewestFirst ? later - 1 : later)))
  }

  /// The ranks of the loaded rows that are shown above display row `index`, which may be their number.
  func ranks(aboveDisplayed index: Int) -> Range<Int> {
    isNewestFirst ? columns.count - index..<columns.count : 0..<index
  }

  /// Whether the list holds the post itself.
  mutating func contains(_ id: PostID) -> Bool { columns.rank(of: id) != nil }
}
