internal import Posts
internal import ViewState

/// A named pane stack of an account, and what is going on with it.
struct Session {
  /// What the store has of it.
  enum Storage {
    /// The store has not said yet whether it knows the session.
    case unknown
    /// Nothing, and it will have nothing: the session is ephemeral, or the account has as many as it may.
    case refused
    /// Nothing yet.
    case possible
    case stored
  }

  /// The revisions at which it changed.
  struct Revisions {
    /// Of its last change; 1 for a session that nothing has changed yet. An account is made at revision 1 or later, so
    /// that no change has that number, and 0 is none: it is how a command says that it has no condition.
    var changed: UInt64 = 1
    /// From this one on the numbers of its panes have meant what they mean now: nobody has deleted it, or given its
    /// name away.
    var begun: UInt64 = 0
    /// Of the last change of what one of its panes is limited to, or a later one.
    var filtered: UInt64 = 0
  }

  var key: SessionKey
  /// What views show: a stack that is stored, apart from panes that have closed by themselves since.
  var stack = PaneStack()
  var storage = Storage.unknown
  var revisions = Revisions()
  var commands = CommandQueue()
  /// Where it is looked at.
  var places = SessionPlaces()
  /// What views of it show, by slot.
  var scenes: [SceneSlot] = []

  init(key: SessionKey) { self.key = key }

  /// Whether its stack is known.
  var isLoaded: Bool { storage != .unknown }

  /// Whether the store has it.
  var isStored: Bool { storage == .stored }

  /// Whether views look at it.
  var isLookedAt: Bool { !scenes.isEmpty }

  /// Whether the store may be given it.
  var mayBeStored: Bool { storage != .refused }

  /// The lists of its panes, each once.
  var lists: [ListKey] { stack.lists(of: key.account) }

  /// Whether nobody looks at it, nothing waits for it, and its stack is stored with all answers.
  var isIdle: Bool { isLoaded && commands.isIdle && !isLookedAt && !places.isSaving }

  /// Takes what the store has of it. `endedAt` is when sessions last lost their names.
  mutating func load(_ saved: LoadedSession, endedAt: UInt64, _ limits: EngineLimits) {
    // A stack that cannot be read is as good as none: the timeline is there, and the next command saves a good one.
    stack = saved.bytes.flatMap { PaneStack(decoding: $0) } ?? PaneStack()
    commands = CommandQueue(
      waiting: commands.waiting,
      answers: Self.answers(in: saved.bytes ?? [], revision: saved.revision, limit: limits.sessions.rememberedRequests))
    revisions.changed = max(saved.revision, 1)
    if stack.hasFilters { revisions.filtered = saved.revision }
    revisions.begun = saved.bytes == nil ? endedAt : saved.revision
    storage = saved.bytes != nil ? .stored : saved.sessionCount < limits.sessions.perAccount ? .possible : .refused
    places = SessionPlaces(saved.places.map { Places(decoding: $0, revision: saved.placesRevision) } ?? Places())
  }

  /// Goes to another stack, as of a revision.
  mutating func show(_ next: PaneStack, revision: UInt64) {
    let old = stack
    stack = next
    revisions.changed = revision
    if old.hasFilters || next.hasFilters { revisions.filtered = revision }
    if !old.panes.contains(where: { $0.id == next.top.id }) { places.current.position = nil }
    if let root = next.panes.first, let section = root.content.section, !old.rememberedPanes.contains(root.id) {
      // A section that is opened again begins where it has been read to.
      places.current.anchors[root.id] = places.current.readings[section]?.anchor
    }
  }
}
