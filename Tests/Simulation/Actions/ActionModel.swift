import Messages

/// What accounts have done to posts that all may see, and can take back, as plainly as can be said: what a daemon is compared with.
struct ActionModel {
  struct Post: Equatable {
    var id: UInt64
    var author: Int
    var text: String
    /// What it reposts; then it has no text and no marks of its own.
    var original: UInt64?
    var marks: [Int: Set<MarkKind>] = [:]
  }

  /// Something that was done, as ADR 0025 has it.
  enum Change {
    case mark(UInt64, MarkKind, isOn: Bool)
    case post(UInt64, isThere: Bool, isMarked: Bool)
    case text(UInt64, before: String, after: String)
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
    case done(UInt64)
    case obstacle
    case nothing
  }

  /// Steps that are kept at least (docs/PROTOCOL.md).
  private static let kept = 100

  private(set) var posts: [UInt64: Post] = [:]
  private var steps: [Int: [Step]] = [:]
  private var lastSteps: [Int: Int] = [:]

  /// What is shown of a post: itself, or what it reposts.
  func subject(of id: UInt64) -> Post? { posts[id].flatMap { post in post.original.map { posts[$0]! } ?? post } }

  /// How many have done something to what is shown of a post.
  func count(_ kind: MarkKind, of id: UInt64) -> UInt32 { UInt32(subject(of: id)?.marks.values.count { $0.contains(kind) } ?? 0) }

  // MARK: What is done

  /// A post that is not of these accounts.
  mutating func meet(_ id: UInt64, _ text: String) { posts[id] = Post(id: id, author: -1, text: text) }

  mutating func compose(_ account: Int, _ id: UInt64, _ text: String) {
    posts[id] = Post(id: id, author: account, text: text)
    record(.post(id, isThere: true, isMarked: false), account)
  }

  /// A repost that has come of ``mark(_:_:_:isOn:)``.
  mutating func repost(_ account: Int, _ id: UInt64, of original: UInt64) {
    posts[id] = Post(id: id, author: account, text: "", original: original)
  }

  mutating func mark(_ account: Int, _ id: UInt64, _ kind: MarkKind, isOn: Bool) -> Expected {
    guard let subject = subject(of: id) else { return .missing }
    guard subject.marks[account, default: []].contains(kind) != isOn else { return .unchanged }
    record(.mark(subject.id, kind, isOn: isOn), account)
    let gone = set(account, subject.id, kind, isOn)
    steps[account]![steps[account]!.count - 1].trash = gone
    return .done
  }

  mutating func delete(_ account: Int, _ id: UInt64) -> Expected {
    guard let post = posts[id] else { return .missing }
    guard post.author == account else { return .notOwn }
    let isMarked = post.original.map { posts[$0]!.marks[account, default: []].contains(.repost) } ?? false
    record(.post(id, isThere: false, isMarked: isMarked), account)
    let gone = remove(id)
    steps[account]![steps[account]!.count - 1].trash = gone
    return .done
  }

  mutating func edit(_ account: Int, _ id: UInt64, _ text: String) -> Expected {
    guard let subject = subject(of: id) else { return .missing }
    guard subject.author == account else { return .notOwn }
    guard subject.text != text else { return .unchanged }
    record(.text(subject.id, before: subject.text, after: text), account)
    posts[subject.id]!.text = text
    return .done
  }

  // MARK: Back and forth

  mutating func undo(_ account: Int, isRedo: Bool) -> Undoing {
    let all = steps[account, default: []]
    guard let place = isRedo ? all.firstIndex(where: { $0.state == .undone }) : all.lastIndex(where: { $0.state == .done }) else {
      return .nothing
    }
    var step = all[place]
    let post = perform(&step, account, isRedo: isRedo)
    step.state = post == nil ? .void : isRedo ? .done : .undone
    steps[account]![place] = step
    return post.map { .done($0) } ?? .obstacle
  }

  /// The post that it was about; nil where it cannot be done.
  private mutating func perform(_ step: inout Step, _ account: Int, isRedo: Bool) -> UInt64? {
    switch step.change {
    case .mark(let id, let kind, let isOn):
      guard let subject = subject(of: id) else { return nil }
      let isOn = isOn == isRedo
      guard subject.marks[account, default: []].contains(kind) != isOn else { return id }
      let gone = set(account, id, kind, isOn)
      if isOn { bringBack(&step) } else { step.trash = gone }
      return id
    case .post(let id, let isThere, _) where isThere != isRedo:
      guard posts[id] != nil else { return nil }
      step.trash = remove(id)
      return id
    case .post(let id, _, let isMarked):
      guard let post = step.trash.first(where: { $0.id == id }), posts[id] == nil else { return nil }
      if let original = post.original, posts[original] == nil { return nil }
      bringBack(&step)
      if isMarked, let original = post.original { posts[original]!.marks[account, default: []].insert(.repost) }
      return id
    case .text(let id, let before, let after):
      guard posts[id] != nil else { return nil }
      posts[id]!.text = isRedo ? after : before
      return id
    }
  }

  private mutating func record(_ change: Change, _ account: Int) {
    var all = steps[account, default: []].filter { $0.state == .done }
    let id = lastSteps[account, default: 0] + 1
    lastSteps[account] = id
    all.append(Step(id: id, change: change))
    if id % Self.kept == 0 { all.removeAll { $0.id <= id - Self.kept } }
    steps[account] = all
  }

  /// Returns the reposts that go with it.
  private mutating func set(_ account: Int, _ id: UInt64, _ kind: MarkKind, _ isOn: Bool) -> [Post] {
    if isOn { posts[id]!.marks[account, default: []].insert(kind) } else { posts[id]!.marks[account]!.remove(kind) }
    guard kind == .repost, !isOn else { return [] }
    let reposts = posts.values.filter { $0.original == id && $0.author == account }.sorted { $0.id < $1.id }
    for repost in reposts { posts[repost.id] = nil }
    return reposts
  }

  /// Returns the post and its reposts.
  private mutating func remove(_ id: UInt64) -> [Post] {
    let post = posts[id]!
    let gone = [post] + posts.values.filter { $0.original == id }.sorted { $0.id < $1.id }
    for post in gone { posts[post.id] = nil }
    if let original = post.original, !posts.values.contains(where: { $0.original == original && $0.author == post.author }) {
      posts[original]!.marks[post.author]?.remove(.repost)
    }
    return gone
  }

  private mutating func bringBack(_ step: inout Step) {
    for post in step.trash where post.original.map({ posts[$0] != nil }) ?? true { posts[post.id] = post }
    step.trash = []
  }
}
