internal import Dates
internal import Posts
internal import ViewState

/// The scenes that views show, each once however many views show it, and when their labels next change.
///
/// A scene goes with the last of its members. What a scene shows is not decided here.
struct SceneTable {
  private let fingerprint: Fingerprint
  /// The heights of the rows that scenes are measured by.
  var heights: HeightsTable
  /// How many times rows of a pane were gathered for a view.
  var gatheredPanes: UInt64 = 0
  /// Where a scene has gone and none has come in its place: a placeholder.
  private var slots: [Scene] = []
  private var free: [SceneSlot] = []
  private var byIdentity: [Scene.Identity: [SceneSlot]] = [:]
  /// When labels of scenes change, and for which instant each slot's last alarm was set.
  private var labelAlarms = AlarmQueue<SceneSlot>()
  private var labelAlarmAt: [SceneSlot: Instant] = [:]

  /// No scenes yet, of which layouts will be told apart by `fingerprint`.
  init(fingerprint: Fingerprint, limits: EngineLimits) {
    self.fingerprint = fingerprint
    heights = HeightsTable(limits: limits)
  }

  /// A scene with nothing in it, which nobody shows yet.
  func scene(_ identity: Scene.Identity, _ zone: Zone) -> Scene {
    Scene(
      identity, zone: zone, locale: Locale.lookup(identity.layout.locale).locale,
      layoutKey: fingerprint.layoutKey(of: identity.layout, identity.session))
  }

  /// The scene in a slot, which must be taken. Its identity changes only by ``setIdentity(_:of:layoutKey:)`` and
  /// ``replace(_:by:)``.
  subscript(slot: SceneSlot) -> Scene {
    _read { yield slots[slot.index] }
    _modify { yield &slots[slot.index] }
  }

  /// The slots that are taken, in an order that is the same in every process. O(scenes).
  var all: [SceneSlot] {
    slots.indices.compactMap { slots[$0].members.isEmpty ? nil : SceneSlot(index: $0) }
  }

  // MARK: Which scenes there are

  /// A scene that is the same as `scene`, if views show one in another slot than `slot`.
  func known(_ scene: Scene, except slot: SceneSlot? = nil) -> SceneSlot? {
    byIdentity[scene.identity]?.first { $0 != slot && self[$0].isSame(as: scene) }
  }

  /// Puts a scene that nobody shows yet into a slot.
  mutating func insert(_ scene: Scene) -> SceneSlot {
    let slot = free.popLast() ?? SceneSlot(index: slots.count)
    if slot.index == slots.count { slots.append(scene) } else { self[slot] = scene }
    byIdentity[scene.identity, default: []].append(slot)
    return slot
  }

  /// Takes a scene out and returns it.
  mutating func remove(_ slot: SceneSlot) -> Scene {
    let scene = self[slot]
    forget(slot, as: scene.identity)
    self[slot] = .placeholder
    free.append(slot)
    return scene
  }

  /// Puts another scene in the place of one.
  mutating func replace(_ slot: SceneSlot, by scene: Scene) {
    forget(slot, as: self[slot].identity)
    byIdentity[scene.identity, default: []].append(slot)
    self[slot] = scene
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

  // MARK: When labels change

  /// Alarms that are set, idle ones too.
  var labelAlarmCount: Int { labelAlarms.count }

  /// When labels of some scene next change; nil for never.
  var nextLabels: Instant? { labelAlarms.earliest }

  /// Sets an alarm for the next change of a scene's labels, unless it is set. O(log scenes).
  mutating func expectLabels(_ slot: SceneSlot) {
    guard let change = self[slot].rendering.labelsChangeAt, labelAlarmAt[slot] != change else { return }
    labelAlarmAt[slot] = change
    labelAlarms.set(slot, at: change)
    skipIdleLabels()
    // Alarms of changes that are no longer to come are idle; one for each scene is kept.
    guard labelAlarms.count > 2 * slots.count + 64 else { return }
    var kept: Set<SceneSlot> = []
    let slots = slots
    labelAlarms.keep { slot, instant in
      slots[slot.index].rendering.labelsChangeAt == instant && kept.insert(slot).inserted
    }
    labelAlarmAt = labelAlarmAt.filter { kept.contains($0.key) }
  }

  /// Takes a scene whose labels have changed by `now`; nil where there is none left.
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

  /// Forgets when labels change: nobody looks, or the clock was set back.
  mutating func forgetLabels() {
    labelAlarms.removeAll()
    labelAlarmAt = [:]
  }

  /// The clock was set back: every label may be wrong, and clocks that are seen hide by `clockHides`.
  mutating func clockWentBack(clockHides: Instant) {
    forgetLabels()
    for slot in all {
      self[slot].rendering.version += 1
      self[slot].viewpoint.moving = self[slot].viewpoint.moving.mapValues { min($0, clockHides) }
    }
  }

  /// Sees that the earliest alarm is one for which there is something to do.
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
