internal import OrderedCollections
internal import Posts
internal import ViewState

/// A pane stack of an account, with its commands, places and scenes.
struct Session {
  /// State of a session in the store.
  enum Storage {
    /// Not known yet.
    case unknown
    /// Not stored, and never will be: the session is ephemeral, or the account has the maximum number of sessions.
    case refused
    /// Not stored yet.
    case possible
    case stored
  }

  /// Revisions at which a session changed.
  struct Revisions {
    /// Revision of the last change; 1 for a session that nothing has changed yet. Accounts are created at revision 1 or
    /// later, so no change has that number. 0 is not a revision: in a command it means no condition.
    var changed: UInt64 = 1
    /// Revision from which on its pane ids have had their present meaning: it has not been deleted or renamed since.
    var begun: UInt64 = 0
    /// Revision of the last change of a pane's filter, or a later one.
    var filtered: UInt64 = 0
  }

  var key: SessionKey
  /// The stack that views show: a stored one, without panes that have closed by themselves since.
  var stack = PaneStack()
  var storage = Storage.unknown
  var revisions = Revisions()
  var commands = CommandQueue()
  /// Places where its views look.
  var places = SessionPlaces()
  /// Scenes of its views, by slot.
  var scenes: [SceneSlot] = []
  /// Conversations that its views show beside the stack.
  var previews: OrderedSet<ListKey> = []

  init(key: SessionKey) { self.key = key }

  /// True once its stack is known.
  var isLoaded: Bool { storage != .unknown }

  /// True if the store has it.
  var isStored: Bool { storage == .stored }

  /// True if it has views.
  var hasViews: Bool { !scenes.isEmpty }

  /// True if the store may be given it.
  var mayBeStored: Bool { storage != .refused }

  /// Lists of its panes and previews, each once.
  var lists: [ListKey] {
    let own = stack.lists(of: key.account)
    return previews.isEmpty ? own : own + previews.filter { !own.contains($0) }
  }

  /// Returns the conversations that its scenes have room to preview, as many as may be.
  func wantedPreviews(in table: SceneTable, _ limits: EngineLimits) -> OrderedSet<ListKey> {
    var wanted: OrderedSet<ListKey> = []
    for slot in scenes where table[slot].identity.preview != nil && wanted.count < limits.sessions.previews {
      guard let preview = table[slot].preview(of: stack) else { continue }
      wanted.append(preview.record.list(of: key.account))
      if let former = table[slot].viewpoint.formerPreview {
        wanted.append(PaneContent.conversation(former).list(of: key.account))
      }
    }
    return wanted
  }

  /// Returns true if a pane already had this header at a revision. If that is unknown, the header is sent again with
  /// the pane's rows.
  func had(_ header: PaneHeader, at held: UInt64, _ lists: ListTable) -> Bool {
    guard let record = stack.pane(header.paneID) else { return false }
    let list = record.list(of: key.account)
    let changed = max(revisions.begun, revisions.filtered)
    return max(changed, list.hasFacts ? max(lists.namedAt, lists[list]?.known.changedAt ?? .max) : 0) <= held
  }

  /// True if it has no views and no pending work, and its stack is stored with all answers.
  var isIdle: Bool { isLoaded && commands.isIdle && !hasViews && !places.isSaving }

  /// Applies what the store has of it. `endedAt` is the revision at which sessions were last renamed or deleted.
  mutating func load(_ saved: LoadedSession, endedAt: UInt64, _ limits: EngineLimits) {
    // An unreadable stack counts as missing: the session shows the timeline, and the next command saves a valid stack.
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

  /// Switches to another stack, as of a revision.
  mutating func show(_ next: PaneStack, revision: UInt64) {
    let old = stack
    stack = next
    revisions.changed = revision
    if old.hasFilters || next.hasFilters { revisions.filtered = revision }
    if !old.panes.contains(where: { $0.id == next.top.id }) { places.current.position = nil }
    if let root = next.panes.first, let section = root.content.section, !old.rememberedPanes.contains(root.id) {
      // A section that is opened again begins at its reading position.
      places.current.anchors[root.id] = places.current.readings[section]?.anchor
    }
  }
}
