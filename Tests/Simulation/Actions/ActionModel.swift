import Messages
import ViewState

/// A minimal model of accounts' actions on public posts, with undo and redo. Tests compare a daemon with it.
struct ActionModel {
  struct Post: Equatable {
    var id: UInt64
    var author: Int
    var text: String
    /// The reposted post. A repost has no text and no marks of its own.
    var original: UInt64?
    /// The post this replies to, which may have been deleted.
    var parent: UInt64?
    /// The marks of each account that has any.
    var marks: [Int: Set<MarkKind>] = [:]
    /// Read marks by account.
    var readings: [Int: RowReadMark] = [:]
    /// Accounts that had already muted the conversation when the post arrived.
    var hiddenFor: Set<Int> = []
  }

  /// An undoable change (ADR 0025).
  enum Change {
    case mark(UInt64, MarkKind, isOn: Bool)
    case post(UInt64, isThere: Bool, isMarked: Bool)
    case text(UInt64, before: String, after: String)
    case reading([Reading])

    /// The changed post; the first of several.
    var post: UInt64 {
      switch self {
      case .mark(let id, _, _), .post(let id, _, _), .text(let id, _, _): id
      case .reading(let all): all[0].post
      }
    }
  }

  /// The change of one post's read mark.
  struct Reading {
    var post: UInt64
    var before: RowReadMark
    var after: RowReadMark
  }

  /// A change that can be undone or redone.
  struct UndoEntry {
    enum State { case done, undone, void }
    var id: Int
    var change: Change
    var state = State.done
    /// The posts that the change deleted, the original first.
    var deleted: [Post] = []
  }

  /// The expected result of an action.
  enum Expected: Equatable { case done, unchanged, missing, notOwn }

  /// The expected result of an undo or redo.
  enum UndoOutcome: Equatable {
    /// The changed post; 0 if its entry has been discarded.
    case done(UInt64)
    /// As `done`, with a new repost of the post, since there is no deleted one to restore.
    case reposted(UInt64)
    case obstacle
    case nothing
  }

  /// The recorded effect of a request ID.
  private enum IdempotencyRecord: Equatable {
    case post(UInt64)
    case undoEntry(Int)
    case obstacle
  }

  private struct Request: Hashable {
    var account: Int
    var id: String
  }

  /// Minimum number of entries kept per account (docs/PROTOCOL.md).
  private static let keptEntries = 100

  private(set) var posts: [UInt64: Post] = [:]
  /// IDs of all posts that ever existed, and the highest one.
  private(set) var knownIDs: Set<UInt64> = []
  private(set) var lastID: UInt64 = 0
  /// IDs of all posts, ascending.
  private(set) var ids: [UInt64] = []
  /// IDs of each account's posts, and of each post's reposts and replies, ascending.
  private var own: [Int: [UInt64]] = [:]
  private var reposts: [UInt64: [UInt64]] = [:]
  private var replies: [UInt64: [UInt64]] = [:]
  private var undoEntries: [Int: [UndoEntry]] = [:]
  private var lastEntryIDs: [Int: Int] = [:]
  private var requests: [Request: IdempotencyRecord] = [:]

  /// Returns the displayed post: the post itself, or the one it reposts.
  func subject(of id: UInt64) -> Post? { posts[id].flatMap { post in post.original.map { posts[$0]! } ?? post } }

  /// The first posts of the conversations that each account has muted.
  private var muted: [Int: Set<UInt64>] = [:]

  /// Returns the IDs of all posts visible in an account's timeline, ascending.
  func shown(to account: Int) -> [UInt64] {
    if muted[account, default: []].isEmpty { return ids }
    return ids.filter { id in
      guard let subject = subject(of: id), subject.hiddenFor.contains(account), posts[id]?.author != account else {
        return true
      }
      return subject.marks[account]?.contains(.mute) != true
    }
  }

  /// Returns the number of accounts that have marked a post.
  func count(_ kind: MarkKind, of id: UInt64) -> UInt32 {
    UInt32(posts[id]?.marks.values.count { $0.contains(kind) } ?? 0)
  }

  /// Returns the number of replies to a post.
  func replies(of id: UInt64) -> UInt32 { UInt32(replies[id]?.count ?? 0) }

  /// Returns the IDs of an account's posts and reposts, ascending.
  func posts(of account: Int) -> [UInt64] { own[account] ?? [] }

  /// Returns the number of an account's entries that can be undone and redone.
  func undoCounts(of account: Int) -> (undoable: Int, redoable: Int) {
    let all = undoEntries[account, default: []]
    return (all.count { $0.state == .done }, all.count { $0.state == .undone })
  }

  // MARK: Actions

  /// Returns the post that an earlier command with this request ID created; nil if there was none.
  func composed(_ account: Int, _ requestID: String) -> (id: UInt64, isThere: Bool)? {
    guard case .post(let id) = idempotencyRecord(account, requestID) else { return nil }
    return (id, posts[id] != nil)
  }

  mutating func compose(
    _ account: Int, _ id: UInt64, _ text: String, replyingTo parent: UInt64? = nil, _ requestID: String = ""
  ) {
    addPost(Post(id: id, author: account, text: text, parent: subject(of: parent ?? 0)?.id))
    recordChange(.post(id, isThere: true, isMarked: false), account)
    remember(account, requestID, .post(id))
  }

  /// Adds a repost that ``mark(_:_:_:isOn:_:)`` or ``undo(_:isRedo:_:)`` created.
  mutating func repost(_ account: Int, _ id: UInt64, of original: UInt64) {
    insertPost(Post(id: id, author: account, text: "", original: original))
  }

  mutating func mark(_ account: Int, _ id: UInt64, _ kind: MarkKind, isOn: Bool, _ requestID: String = "") -> Expected {
    guard let subject = subject(of: id) else { return .missing }
    guard idempotencyRecord(account, requestID) == nil else { return .unchanged }
    remember(account, requestID, .post(subject.id))
    if kind == .mute {
      guard let first = mute(isOn, around: subject.id, account) else { return .unchanged }
      recordChange(.mark(first, .mute, isOn: isOn), account)
      return .done
    }
    guard subject.marks[account, default: []].contains(kind) != isOn else { return .unchanged }
    recordChange(.mark(subject.id, kind, isOn: isOn), account)
    let gone = setMark(account, subject.id, kind, isOn)
    undoEntries[account]![undoEntries[account]!.count - 1].deleted = gone
    return .done
  }

  /// Returns an account's reposts of a post, if an earlier command with this request ID was about that post.
  func reposts(_ account: Int, of id: UInt64, by requestID: String) -> [UInt64] {
    guard let subject = subject(of: id), idempotencyRecord(account, requestID) == .post(subject.id) else { return [] }
    return reposts[subject.id, default: []].filter { posts[$0]?.author == account }
  }

  /// Sets read marks, and returns the number of changed posts.
  mutating func markRead(_ account: Int, _ ids: [UInt64], _ readMark: RowReadMark, _ requestID: String = "") -> (
    Expected, changed: Int
  ) {
    guard ids.allSatisfy({ subject(of: $0) != nil }) else { return (.missing, 0) }
    guard idempotencyRecord(account, requestID) == nil else { return (.unchanged, 0) }
    var all: [Reading] = []
    for subject in ids.map({ subject(of: $0)! }) where !all.contains(where: { $0.post == subject.id }) {
      all.append(Reading(post: subject.id, before: subject.readings[account] ?? .none, after: readMark))
    }
    remember(account, requestID, .post(all[0].post))
    all.removeAll { $0.before == $0.after }
    guard !all.isEmpty else { return (.unchanged, 0) }
    recordChange(.reading(all), account)
    for reading in all { posts[reading.post]!.readings[account] = readMark }
    return (.done, all.count)
  }

  mutating func delete(_ account: Int, _ id: UInt64, _ requestID: String = "") -> Expected {
    if idempotencyRecord(account, requestID) == .post(id) { return .unchanged }
    guard let post = posts[id] else { return .missing }
    guard post.author == account else { return .notOwn }
    let isMarked = post.original.map { posts[$0]!.marks[account, default: []].contains(.repost) } ?? false
    recordChange(.post(id, isThere: false, isMarked: isMarked), account)
    let gone = deletePost(id)
    undoEntries[account]![undoEntries[account]!.count - 1].deleted = gone
    remember(account, requestID, .post(id))
    return .done
  }

  mutating func edit(_ account: Int, _ id: UInt64, _ text: String, _ requestID: String = "") -> Expected {
    guard let subject = subject(of: id) else { return .missing }
    guard subject.author == account else { return .notOwn }
    guard idempotencyRecord(account, requestID) == nil else { return .unchanged }
    remember(account, requestID, .post(subject.id))
    guard subject.text != text else { return .unchanged }
    recordChange(.text(subject.id, before: subject.text, after: text), account)
    posts[subject.id]!.text = text
    return .done
  }

  // MARK: Undo and redo

  mutating func undo(_ account: Int, isRedo: Bool, _ requestID: String = "") -> UndoOutcome {
    let all = undoEntries[account, default: []]
    switch idempotencyRecord(account, requestID) {
    case .undoEntry(let id): return .done(all.first { $0.id == id }?.change.post ?? 0)
    case .obstacle: return .obstacle
    case .post, nil: break
    }
    guard
      let place = isRedo ? all.firstIndex(where: { $0.state == .undone }) : all.lastIndex(where: { $0.state == .done })
    else {
      return .nothing
    }
    var entry = all[place]
    let undoing = perform(&entry, account, isRedo: isRedo)
    entry.state = undoing == .obstacle ? .void : isRedo ? .done : .undone
    undoEntries[account]![place] = entry
    remember(account, requestID, undoing == .obstacle ? .obstacle : .undoEntry(entry.id))
    return undoing
  }

  private mutating func perform(_ entry: inout UndoEntry, _ account: Int, isRedo: Bool) -> UndoOutcome {
    switch entry.change {
    case .mark(let id, let kind, let isOn):
      guard let subject = subject(of: id) else { return .obstacle }
      let isOn = isOn == isRedo
      if kind == .mute {
        _ = mute(isOn, around: id, account)
        return .done(id)
      }
      guard subject.marks[account, default: []].contains(kind) != isOn else { return .done(id) }
      let gone = setMark(account, id, kind, isOn)
      if isOn, kind == .repost, entry.deleted.isEmpty { return .reposted(id) }
      if isOn { restorePosts(of: &entry) } else { entry.deleted = gone }
      return .done(id)
    case .post(let id, let isThere, _) where isThere != isRedo:
      guard posts[id] != nil else { return .obstacle }
      entry.deleted = deletePost(id)
      return .done(id)
    case .post(let id, _, let isMarked):
      guard let post = entry.deleted.first(where: { $0.id == id }), posts[id] == nil else { return .obstacle }
      if let original = post.original, posts[original] == nil { return .obstacle }
      restorePosts(of: &entry)
      if isMarked, let original = post.original { posts[original]!.marks[account, default: []].insert(.repost) }
      return .done(id)
    case .text(let id, let before, let after):
      guard posts[id] != nil else { return .obstacle }
      posts[id]!.text = isRedo ? after : before
      return .done(id)
    case .reading(let all):
      let left = all.filter { posts[$0.post] != nil }
      for reading in left { posts[reading.post]!.readings[account] = isRedo ? reading.after : reading.before }
      return left.isEmpty ? .obstacle : .done(all[0].post)
    }
  }

  private mutating func recordChange(_ change: Change, _ account: Int) {
    var all = undoEntries[account, default: []]
    if all.contains(where: { $0.state == .undone }) { all.removeAll { $0.state != .done } }
    let id = lastEntryIDs[account, default: 0] + 1
    lastEntryIDs[account] = id
    all.append(UndoEntry(id: id, change: change))
    if id % Self.keptEntries == 0 { all.removeAll { $0.id <= id - Self.keptEntries } }
    undoEntries[account] = all
  }

  private func idempotencyRecord(_ account: Int, _ requestID: String) -> IdempotencyRecord? {
    requests[Request(account: account, id: requestID)]
  }

  private mutating func remember(_ account: Int, _ requestID: String, _ record: IdempotencyRecord) {
    if !requestID.isEmpty { requests[Request(account: account, id: requestID)] = record }
  }

  // MARK: Conversations

  /// Adds a post, hidden from accounts that have muted the conversation it replies to.
  private mutating func addPost(_ post: Post) {
    var post = post
    for (account, marks) in post.parent.flatMap({ posts[$0] })?.marks ?? [:] where marks.contains(.mute) {
      post.marks[account] = [.mute]
      post.hiddenFor.insert(account)
    }
    insertPost(post)
  }

  /// Hides a reply and its replies from the accounts that have muted the parent's conversation.
  private mutating func hideReply(_ reply: UInt64, to parent: Post) {
    for (account, marks) in parent.marks where marks.contains(.mute) {
      muted[account]?.remove(reply)
      var waiting = [reply]
      while let next = waiting.popLast() {
        waiting += replies[next] ?? []
        guard posts[next] != nil, posts[next]!.marks[account]?.contains(.mute) != true else { continue }
        posts[next]!.marks[account, default: []].insert(.mute)
        posts[next]!.hiddenFor.insert(account)
      }
    }
  }

  /// Mutes or unmutes a post's conversation. Returns its first post; nil if nothing changed.
  private mutating func mute(_ isOn: Bool, around id: UInt64, _ account: Int) -> UInt64? {
    var first = id
    while let parent = posts[first]?.parent, posts[parent] != nil { first = parent }
    var hasChanged = false
    var waiting = [first]
    while let next = waiting.popLast() {
      waiting += replies[next] ?? []
      if !isOn || next != first, muted[account]?.remove(next) != nil, !isOn { hasChanged = true }
      guard posts[next]!.marks[account, default: []].contains(.mute) != isOn else { continue }
      hasChanged = true
      if isOn {
        posts[next]!.marks[account, default: []].insert(.mute)
      } else {
        posts[next]!.marks[account]!.remove(.mute)
      }
    }
    if isOn, muted[account, default: []].insert(first).inserted { hasChanged = true }
    return hasChanged ? first : nil
  }

  // MARK: Posts

  private mutating func insertPost(_ post: Post) {
    posts[post.id] = post
    knownIDs.insert(post.id)
    lastID = max(lastID, post.id)
    ids.insert(sorted: post.id)
    own[post.author, default: []].insert(sorted: post.id)
    if let original = post.original { reposts[original, default: []].insert(sorted: post.id) }
    if let parent = post.parent { replies[parent, default: []].insert(sorted: post.id) }
  }

  private mutating func removePost(_ id: UInt64) {
    guard let post = posts.removeValue(forKey: id) else { return }
    for (account, marks) in post.marks where marks.contains(.mute) {
      muted[account, default: []].formUnion((replies[id] ?? []).filter { posts[$0] != nil })
    }
    ids.remove(sorted: id)
    own[post.author]!.remove(sorted: id)
    if let original = post.original { reposts[original]!.remove(sorted: id) }
    if let parent = post.parent { replies[parent]!.remove(sorted: id) }
  }

  /// Returns the existing reposts of a post, by all accounts or one.
  private func reposts(of id: UInt64, by account: Int? = nil) -> [Post] {
    reposts[id, default: []].map { posts[$0]! }.filter { account == nil || $0.author == account }
  }

  /// Sets or clears a mark, and returns the reposts deleted with it.
  private mutating func setMark(_ account: Int, _ id: UInt64, _ kind: MarkKind, _ isOn: Bool) -> [Post] {
    if isOn { posts[id]!.marks[account, default: []].insert(kind) } else { posts[id]!.marks[account]!.remove(kind) }
    guard kind == .repost, !isOn else { return [] }
    let gone = reposts(of: id, by: account)
    for repost in gone { removePost(repost.id) }
    return gone
  }

  /// Deletes a post and its reposts, and returns them.
  private mutating func deletePost(_ id: UInt64) -> [Post] {
    let gone = [posts[id]!] + reposts(of: id)
    for post in gone { removePost(post.id) }
    if let original = gone[0].original, reposts(of: original, by: gone[0].author).isEmpty {
      posts[original]!.marks[gone[0].author]?.remove(.repost)
    }
    return gone
  }

  private mutating func restorePosts(of entry: inout UndoEntry) {
    for post in entry.deleted where post.original.map({ posts[$0] != nil }) ?? true {
      insertPost(post)
      for reply in replies[post.id] ?? [] { hideReply(reply, to: post) }
    }
    entry.deleted = []
  }
}

extension [UInt64] {
  /// Returns the index of `value` in this ascending array, or its insertion point.
  private func place(of value: UInt64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Inserts a value into this ascending array, unless present.
  fileprivate mutating func insert(sorted value: UInt64) {
    let place = place(of: value)
    if place == count || self[place] != value { insert(value, at: place) }
  }

  fileprivate mutating func remove(sorted value: UInt64) { remove(at: place(of: value)) }
}
