import Messages
import ViewState

/// What accounts have done to posts that all may see, and can take back, as plainly as can be said: what a daemon is
/// compared with.
struct ActionModel {
  struct Post: Equatable {
    var id: UInt64
    var author: Int
    var text: String
    /// What it reposts; then it has no text and no marks of its own.
    var original: UInt64?
    /// What it answers, there or not.
    var parent: UInt64?
    /// Of accounts that have any.
    var marks: [Int: Set<MarkKind>] = [:]
    /// What accounts say of whether they have read it.
    var readings: [Int: RowReadMark] = [:]
    /// Accounts that had muted its conversation when it came.
    var withheld: Set<Int> = []
  }

  /// Something that was done, as ADR 0025 has it.
  enum Change {
    case mark(UInt64, MarkKind, isOn: Bool)
    case post(UInt64, isThere: Bool, isMarked: Bool)
    case text(UInt64, before: String, after: String)
    case reading([Reading])

    /// The post that it was about.
    var post: UInt64 {
      switch self {
      case .mark(let id, _, _), .post(let id, _, _), .text(let id, _, _): id
      case .reading(let all): all[0].post
      }
    }
  }

  /// What was said of one post.
  struct Reading {
    var post: UInt64
    var before: RowReadMark
    var after: RowReadMark
  }

  struct Step {
    enum State { case done, undone, void }
    var id: Int
    var change: Change
    var state = State.done
    /// What it took away, the original first.
    var trash: [Post] = []
  }

  /// What is to come of an action.
  enum Expected: Equatable { case done, unchanged, missing, notOwn }

  /// What is to come of taking back or doing again.
  enum Undoing: Equatable {
    /// With the post that it was about; 0 where that is forgotten.
    case done(UInt64)
    /// The same, and there is a new repost of it, since there is none that could come back.
    case reposted(UInt64)
    case obstacle
    case nothing
  }

  /// What a request id stands for.
  private enum Made: Equatable {
    case post(UInt64)
    case step(Int)
    case obstacle
  }

  private struct Request: Hashable {
    var account: Int
    var id: String
  }

  /// Steps that are kept at least (docs/PROTOCOL.md).
  private static let kept = 100

  private(set) var posts: [UInt64: Post] = [:]
  /// The numbers of all that ever were, and the greatest of them.
  private(set) var met: Set<UInt64> = []
  private(set) var lastID: UInt64 = 0
  /// The numbers of all posts, ascending.
  private(set) var ids: [UInt64] = []
  /// Those of an account, of a post's reposts, of its answers: ascending.
  private var own: [Int: [UInt64]] = [:]
  private var reposts: [UInt64: [UInt64]] = [:]
  private var answers: [UInt64: [UInt64]] = [:]
  private var steps: [Int: [Step]] = [:]
  private var lastSteps: [Int: Int] = [:]
  private var requests: [Request: Made] = [:]

  /// What is shown of a post: itself, or what it reposts.
  func subject(of id: UInt64) -> Post? { posts[id].flatMap { post in post.original.map { posts[$0]! } ?? post } }

  /// What stands for the conversations that accounts have muted.
  private var muted: [Int: Set<UInt64>] = [:]

  /// The numbers of all posts that an account is shown in its timeline, ascending.
  func shown(to account: Int) -> [UInt64] {
    if muted[account, default: []].isEmpty { return ids }
    return ids.filter { id in
      guard let subject = subject(of: id), subject.withheld.contains(account), posts[id]?.author != account else {
        return true
      }
      return subject.marks[account]?.contains(.mute) != true
    }
  }

  /// How many have done something to a post.
  func count(_ kind: MarkKind, of id: UInt64) -> UInt32 {
    UInt32(posts[id]?.marks.values.count { $0.contains(kind) } ?? 0)
  }

  /// How many answers to a post there are.
  func answers(of id: UInt64) -> UInt32 { UInt32(answers[id]?.count ?? 0) }

  /// What an account has written or reposted, ascending.
  func posts(of account: Int) -> [UInt64] { own[account] ?? [] }

  /// How many steps of an account can be taken back, and how many done again.
  func journal(of account: Int) -> (undoable: Int, redoable: Int) {
    let all = steps[account, default: []]
    return (all.count { $0.state == .done }, all.count { $0.state == .undone })
  }

  // MARK: What is done

  /// A post that is not of these accounts.
  mutating func meet(_ id: UInt64, _ text: String, answering parent: UInt64? = nil) {
    arrive(Post(id: id, author: -1, text: text, parent: subject(of: parent ?? 0)?.id))
  }

  /// The post that an earlier command with the same request id made; nil where there was none, or it is gone.
  func composed(_ account: Int, _ requestID: String) -> (id: UInt64, isThere: Bool)? {
    guard case .post(let id) = made(account, requestID) else { return nil }
    return (id, posts[id] != nil)
  }

  mutating func compose(
    _ account: Int, _ id: UInt64, _ text: String, answering parent: UInt64? = nil, _ requestID: String = ""
  ) {
    arrive(Post(id: id, author: account, text: text, parent: subject(of: parent ?? 0)?.id))
    record(.post(id, isThere: true, isMarked: false), account)
    remember(account, requestID, .post(id))
  }

  /// A repost that has come of ``mark(_:_:_:isOn:)``, or of ``undo(_:isRedo:)``.
  mutating func repost(_ account: Int, _ id: UInt64, of original: UInt64) {
    put(Post(id: id, author: account, text: "", original: original))
  }

  mutating func mark(_ account: Int, _ id: UInt64, _ kind: MarkKind, isOn: Bool, _ requestID: String = "") -> Expected {
    guard let subject = subject(of: id) else { return .missing }
    guard made(account, requestID) == nil else { return .unchanged }
    remember(account, requestID, .post(subject.id))
    if kind == .mute {
      guard let first = mute(isOn, around: subject.id, account) else { return .unchanged }
      record(.mark(first, .mute, isOn: isOn), account)
      return .done
    }
    guard subject.marks[account, default: []].contains(kind) != isOn else { return .unchanged }
    record(.mark(subject.id, kind, isOn: isOn), account)
    let gone = set(account, subject.id, kind, isOn)
    steps[account]![steps[account]!.count - 1].trash = gone
    return .done
  }

  /// The reposts of a post by an account, if an earlier command with the same request id was about that post.
  func reposts(_ account: Int, of id: UInt64, by requestID: String) -> [UInt64] {
    guard let subject = subject(of: id), made(account, requestID) == .post(subject.id) else { return [] }
    return reposts[subject.id, default: []].filter { posts[$0]?.author == account }
  }

  /// Of how many something else is said then.
  mutating func markRead(_ account: Int, _ ids: [UInt64], _ readMark: RowReadMark, _ requestID: String = "") -> (
    Expected, changed: Int
  ) {
    guard ids.allSatisfy({ subject(of: $0) != nil }) else { return (.missing, 0) }
    guard made(account, requestID) == nil else { return (.unchanged, 0) }
    var all: [Reading] = []
    for subject in ids.map({ subject(of: $0)! }) where !all.contains(where: { $0.post == subject.id }) {
      all.append(Reading(post: subject.id, before: subject.readings[account] ?? .none, after: readMark))
    }
    remember(account, requestID, .post(all[0].post))
    all.removeAll { $0.before == $0.after }
    guard !all.isEmpty else { return (.unchanged, 0) }
    record(.reading(all), account)
    for reading in all { posts[reading.post]!.readings[account] = readMark }
    return (.done, all.count)
  }

  mutating func delete(_ account: Int, _ id: UInt64, _ requestID: String = "") -> Expected {
    if made(account, requestID) == .post(id) { return .unchanged }
    guard let post = posts[id] else { return .missing }
    guard post.author == account else { return .notOwn }
    let isMarked = post.original.map { posts[$0]!.marks[account, default: []].contains(.repost) } ?? false
    record(.post(id, isThere: false, isMarked: isMarked), account)
    let gone = remove(id)
    steps[account]![steps[account]!.count - 1].trash = gone
    remember(account, requestID, .post(id))
    return .done
  }

  mutating func edit(_ account: Int, _ id: UInt64, _ text: String, _ requestID: String = "") -> Expected {
    guard let subject = subject(of: id) else { return .missing }
    guard subject.author == account else { return .notOwn }
    guard made(account, requestID) == nil else { return .unchanged }
    remember(account, requestID, .post(subject.id))
    guard subject.text != text else { return .unchanged }
    record(.text(subject.id, before: subject.text, after: text), account)
    posts[subject.id]!.text = text
    return .done
  }

  // MARK: Back and forth

  mutating func undo(_ account: Int, isRedo: Bool, _ requestID: String = "") -> Undoing {
    let all = steps[account, default: []]
    switch made(account, requestID) {
    case .step(let id): return .done(all.first { $0.id == id }?.change.post ?? 0)
    case .obstacle: return .obstacle
    case .post, nil: break
    }
    guard
      let place = isRedo ? all.firstIndex(where: { $0.state == .undone }) : all.lastIndex(where: { $0.state == .done })
    else {
      return .nothing
    }
    var step = all[place]
    let undoing = perform(&step, account, isRedo: isRedo)
    step.state = undoing == .obstacle ? .void : isRedo ? .done : .undone
    steps[account]![place] = step
    remember(account, requestID, undoing == .obstacle ? .obstacle : .step(step.id))
    return undoing
  }

  private mutating func perform(_ step: inout Step, _ account: Int, isRedo: Bool) -> Undoing {
    switch step.change {
    case .mark(let id, let kind, let isOn):
      guard let subject = subject(of: id) else { return .obstacle }
      let isOn = isOn == isRedo
      if kind == .mute {
        _ = mute(isOn, around: id, account)
        return .done(id)
      }
      guard subject.marks[account, default: []].contains(kind) != isOn else { return .done(id) }
      let gone = set(account, id, kind, isOn)
      if isOn, kind == .repost, step.trash.isEmpty { return .reposted(id) }
      if isOn { bringBack(&step) } else { step.trash = gone }
      return .done(id)
    case .post(let id, let isThere, _) where isThere != isRedo:
      guard posts[id] != nil else { return .obstacle }
      step.trash = remove(id)
      return .done(id)
    case .post(let id, _, let isMarked):
      guard let post = step.trash.first(where: { $0.id == id }), posts[id] == nil else { return .obstacle }
      if let original = post.original, posts[original] == nil { return .obstacle }
      bringBack(&step)
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

  private mutating func record(_ change: Change, _ account: Int) {
    var all = steps[account, default: []]
    if all.contains(where: { $0.state == .undone }) { all.removeAll { $0.state != .done } }
    let id = lastSteps[account, default: 0] + 1
    lastSteps[account] = id
    all.append(Step(id: id, change: change))
    if id % Self.kept == 0 { all.removeAll { $0.id <= id - Self.kept } }
    steps[account] = all
  }

  private func made(_ account: Int, _ requestID: String) -> Made? { requests[Request(account: account, id: requestID)] }

  private mutating func remember(_ account: Int, _ requestID: String, _ made: Made) {
    if !requestID.isEmpty { requests[Request(account: account, id: requestID)] = made }
  }

  // MARK: Conversations

  /// A new post, which those do not see who have muted what it answers.
  private mutating func arrive(_ post: Post) {
    var post = post
    for (account, marks) in post.parent.flatMap({ posts[$0] })?.marks ?? [:] where marks.contains(.mute) {
      post.marks[account] = [.mute]
      post.withheld.insert(account)
    }
    put(post)
  }

  /// A post, and what answers it, that is found to answer one whose conversation is muted.
  private mutating func withhold(_ reply: UInt64, from parent: Post) {
    for (account, marks) in parent.marks where marks.contains(.mute) {
      muted[account]?.remove(reply)
      var waiting = [reply]
      while let next = waiting.popLast() {
        waiting += answers[next] ?? []
        guard posts[next] != nil, posts[next]!.marks[account]?.contains(.mute) != true else { continue }
        posts[next]!.marks[account, default: []].insert(.mute)
        posts[next]!.withheld.insert(account)
      }
    }
  }

  /// Mutes the conversation around a post, or takes that back; its first post, or nil where it was so already.
  private mutating func mute(_ isOn: Bool, around id: UInt64, _ account: Int) -> UInt64? {
    var first = id
    while let parent = posts[first]?.parent, posts[parent] != nil { first = parent }
    var hasChanged = false
    var waiting = [first]
    while let next = waiting.popLast() {
      waiting += answers[next] ?? []
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

  private mutating func put(_ post: Post) {
    posts[post.id] = post
    met.insert(post.id)
    lastID = max(lastID, post.id)
    ids.insert(sorted: post.id)
    own[post.author, default: []].insert(sorted: post.id)
    if let original = post.original { reposts[original, default: []].insert(sorted: post.id) }
    if let parent = post.parent { answers[parent, default: []].insert(sorted: post.id) }
  }

  private mutating func drop(_ id: UInt64) {
    guard let post = posts.removeValue(forKey: id) else { return }
    for (account, marks) in post.marks where marks.contains(.mute) {
      muted[account, default: []].formUnion((answers[id] ?? []).filter { posts[$0] != nil })
    }
    ids.remove(sorted: id)
    own[post.author]!.remove(sorted: id)
    if let original = post.original { reposts[original]!.remove(sorted: id) }
    if let parent = post.parent { answers[parent]!.remove(sorted: id) }
  }

  /// The reposts of a post that are there, by whomever or by one.
  private func reposts(of id: UInt64, by account: Int? = nil) -> [Post] {
    reposts[id, default: []].map { posts[$0]! }.filter { account == nil || $0.author == account }
  }

  /// Returns the reposts that go with it.
  private mutating func set(_ account: Int, _ id: UInt64, _ kind: MarkKind, _ isOn: Bool) -> [Post] {
    if isOn { posts[id]!.marks[account, default: []].insert(kind) } else { posts[id]!.marks[account]!.remove(kind) }
    guard kind == .repost, !isOn else { return [] }
    let gone = reposts(of: id, by: account)
    for repost in gone { drop(repost.id) }
    return gone
  }

  /// Returns the post and its reposts.
  private mutating func remove(_ id: UInt64) -> [Post] {
    let gone = [posts[id]!] + reposts(of: id)
    for post in gone { drop(post.id) }
    if let original = gone[0].original, reposts(of: original, by: gone[0].author).isEmpty {
      posts[original]!.marks[gone[0].author]?.remove(.repost)
    }
    return gone
  }

  private mutating func bringBack(_ step: inout Step) {
    for post in step.trash where post.original.map({ posts[$0] != nil }) ?? true {
      put(post)
      for reply in answers[post.id] ?? [] { withhold(reply, from: post) }
    }
    step.trash = []
  }
}

extension [UInt64] {
  /// Where it is, or would be, among ascending ones.
  private func place(of value: UInt64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Puts one in, unless it is there.
  fileprivate mutating func insert(sorted value: UInt64) {
    let place = place(of: value)
    if place == count || self[place] != value { insert(value, at: place) }
  }

  fileprivate mutating func remove(sorted value: UInt64) { remove(at: place(of: value)) }
}
