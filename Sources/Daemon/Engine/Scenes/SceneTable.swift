internal import Dates
internal import Posts
internal import ViewState

/// The scenes that views show, each stored once however many views share it, and the next changes of their labels.
///
/// A scene is removed with its last member. What a scene shows is decided elsewhere.
struct SceneTable {
  private let fingerprint: Fingerprint
  /// Row heights that scenes are measured with.
  var heights: HeightsTable
  /// Number of times a pane's rows were gathered for a view.
  var gatheredPanes: UInt64 = 0
  /// Scenes by slot; a free slot holds a placeholder.
  private var slots: [Scene] = []
  private var free: [SceneSlot] = []
  private var byIdentity: [Scene.Identity: [SceneSlot]] = [:]
  /// Alarms for label changes, and the instant of each slot's last alarm.
  private var labelAlarms = AlarmQueue<SceneSlot>()
  private var labelAlarmAt: [SceneSlot: Instant] = [:]

  /// Creates an empty table, which tells layouts apart by `fingerprint`.
  init(fingerprint: Fingerprint, limits: EngineLimits) {
    self.fingerprint = fingerprint
    heights = HeightsTable(limits: limits)
  }

  /// Returns an empty scene that no view shows yet.
  func scene(_ identity: Scene.Identity, _ zone: Zone) -> Scene {
    Scene(
      identity, zone: zone, locale: Locale.lookup(identity.layout.locale).locale,
      layoutKey: fingerprint.layoutKey(of: identity.layout, identity.session))
  }

  /// The scene in a slot, which must be taken. Its identity changes only through ``move(_:to:)`` and
  /// ``replace(_:by:)``.
  subscript(slot: SceneSlot) -> Scene {
    _read { yield slots[slot.index] }
    _modify { yield &slots[slot.index] }
  }

  /// Taken slots, in an order that is the same in every process. O(scenes).
  var all: [SceneSlot] {
    slots.indices.compactMap { slots[$0].members.isEmpty ? nil : SceneSlot(index: $0) }
  }

  // MARK: Scenes

  /// Returns the slot, other than `slot`, of a scene that is the same as `scene`, if views show one.
  func known(_ scene: Scene, except slot: SceneSlot? = nil) -> SceneSlot? {
    byIdentity[scene.identity]?.first { $0 != slot && self[$0].isSame(as: scene) }
  }

  /// Adds a scene that no view shows yet.
  mutating func insert(_ scene: Scene) -> SceneSlot {
    let slot = free.popLast() ?? SceneSlot(index: slots.count)
    if slot.index == slots.count { slots.append(scene) } else { self[slot] = scene }
    byIdentity[scene.identity, default: []].append(slot)
    return slot
  }

  /// Removes a scene and returns it.
  mutating func remove(_ slot: SceneSlot) -> Scene {
    let scene = self[slot]
    forget(slot, as: scene.identity)
    self[slot] = .placeholder
    free.append(slot)
    return scene
  }

  /// Replaces the scene in a slot.
  mutating func replace(_ slot: SceneSlot, by scene: Scene) {
    // A copy, since the table changes while it is looked up.
    let former = slots[slot.index].identity
    forget(slot, as: former)
    byIdentity[scene.identity, default: []].append(slot)
    slots[slot.index] = scene
  }

  /// Gives a scene to a session of another name.
  mutating func move(_ slot: SceneSlot, to session: SessionKey) {
    var scene = self[slot]
    scene.identity.session = session
    scene.layoutKey = fingerprint.layoutKey(of: scene.identity.layout, session)
    replace(slot, by: scene)
  }

  private mutating func forget(_ slot: SceneSlot, as identity: Scene.Identity) {
    byIdentity[identity]?.removeAll { $0 == slot }
    if byIdentity[identity]?.isEmpty == true { byIdentity[identity] = nil }
  }

  // MARK: Labels

  /// Number of label alarms, idle ones included.
  var labelAlarmCount: Int { labelAlarms.count }

  /// Instant at which labels of any scene change next; nil for never.
  var nextLabels: Instant? { labelAlarms.earliest }

  /// Sets an alarm for the next change of a scene's labels, unless it is set. O(log scenes).
  mutating func expectLabels(_ slot: SceneSlot) {
    guard let change = self[slot].rendering.labelsChangeAt, labelAlarmAt[slot] != change else { return }
    labelAlarmAt[slot] = change
    labelAlarms.set(slot, at: change)
    skipIdleLabels()
    // Alarms of changes that will not happen are idle; one for each scene is kept.
    guard labelAlarms.count > 2 * slots.count + 64 else { return }
    var kept: Set<SceneSlot> = []
    let slots = slots
    labelAlarms.keepAlarms { slot, instant in
      slots[slot.index].rendering.labelsChangeAt == instant && kept.insert(slot).inserted
    }
    labelAlarmAt = labelAlarmAt.filter { kept.contains($0.key) }
  }

  /// Returns a scene whose labels have changed by `now`; nil if none is left.
  mutating func nextChanged(by now: Instant) -> SceneSlot? {
    while let alarm = labelAlarms.next(dueAt: now) {
      if labelAlarmAt[alarm.subject] == alarm.instant { labelAlarmAt[alarm.subject] = nil }
      guard self[alarm.subject].rendering.labelsChangeAt == alarm.instant else { continue }
      self[alarm.subject].rendering.labelsChangeAt = nil
      return alarm.subject
    }
    skipIdleLabels()
    return nil
  }

  /// Removes all label alarms: no view is open, or the clock was set back.
  mutating func forgetLabels() {
    labelAlarms.removeAll()
    labelAlarmAt = [:]
  }

  /// Handles a clock that was set back: any label may be wrong, and visible clocks hide by `clockHides`.
  mutating func clockWentBack(clockHides: Instant) {
    forgetLabels()
    for slot in all {
      self[slot].rendering.version += 1
      self[slot].viewpoint.moving = self[slot].viewpoint.moving.mapValues { min($0, clockHides) }
    }
  }

  /// Removes idle alarms from the front, so that the earliest has something to do.
  private mutating func skipIdleLabels() {
    let slots = slots
    var idle: [(slot: SceneSlot, instant: Instant)] = []
    labelAlarms.skip { slot, instant in
      guard slots[slot.index].rendering.labelsChangeAt != instant else { return false }
      idle.append((slot, instant))
      return true
    }
    for alarm in idle where labelAlarmAt[alarm.slot] == alarm.instant { labelAlarmAt[alarm.slot] = nil }
  }
}
