import Dates
import Posts
import TestSupport
import Testing
import ViewState

@testable import Engine

@Suite("Scene table")
struct SceneTableTests {
  private func scene(_ name: String, width: Int = 80) -> Scene {
    let session = SessionKey(account: AccountID(1), name: name)
    let identity = Scene.Identity(session: session, layout: LayoutParameters(width: width, height: 24))
    return Scene(identity, zone: .utc, locale: Locale.lookup("en").locale, layoutKey: 1)
  }

  private func instant(_ seconds: Int64) -> Instant { Instant(milliseconds: seconds * 1000) }

  /// Adds a scene that a view shows.
  private func insert(_ scene: Scene, into table: inout SceneTable) -> SceneSlot {
    let slot = table.insert(scene)
    table[slot].members = [ViewSlot(index: 0)]
    return slot
  }

  @Test("an equal scene is found; one with another place, width or session is not")
  func known() {
    var table = SceneTable(fingerprint: Fingerprint(epoch: 1), limits: EngineLimits())
    let main = insert(scene("main"), into: &table)
    #expect(table.known(scene("main")) == main)
    #expect(table.known(scene("main"), except: main) == nil)
    #expect(table.known(scene("work")) == nil)
    #expect(table.known(scene("main", width: 81)) == nil)
    var moved = scene("main")
    moved.viewpoint.position = 3
    #expect(table.known(moved) == nil)
  }

  @Test("a removed scene is not found, and its slot is reused")
  func slots() {
    var table = SceneTable(fingerprint: Fingerprint(epoch: 1), limits: EngineLimits())
    let first = insert(scene("main"), into: &table)
    let second = insert(scene("work"), into: &table)
    #expect(table.all == [first, second])
    let gone = table.remove(first)
    #expect(gone.identity.session.name == "main")
    #expect(table.all == [second] && table.known(scene("main")) == nil)
    #expect(insert(scene("third"), into: &table) == first)
  }

  @Test("a replaced or moved scene is found under its new identity")
  func changes() {
    var table = SceneTable(fingerprint: Fingerprint(epoch: 1), limits: EngineLimits())
    let slot = insert(scene("main"), into: &table)
    var wider = scene("main", width: 100)
    wider.members = table[slot].members
    table.replace(slot, by: wider)
    #expect(table.known(scene("main")) == nil && table.known(scene("main", width: 100)) == slot)
    let layoutKey = table[slot].layoutKey
    table.move(slot, to: SessionKey(account: AccountID(1), name: "work"))
    #expect(table.known(scene("work", width: 100)) == slot && table[slot].layoutKey != layoutKey)
    #expect(table.known(scene("main", width: 100)) == nil)
  }

  @Test("labels are due once, at the instant set last", arguments: seeds(0..<20 as Range<UInt64>))
  func labels(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = SceneTable(fingerprint: Fingerprint(epoch: 1), limits: EngineLimits())
    let slots = (0..<8).map { insert(scene("\($0)"), into: &table) }
    var wanted: [SceneSlot: Int64] = [:]
    for _ in 0..<2000 {
      let slot = slots.randomElement(using: &random)!
      wanted[slot] = .random(in: 1...500, using: &random)
      table[slot].rendering.labelsChangeAt = instant(wanted[slot]!)
      table.expectLabels(slot)
      #expect(table.nextLabels == wanted.values.min().map(instant))
    }
    var found: [SceneSlot: Int64] = [:]
    for second in 1...500 as ClosedRange<Int64> {
      while let slot = table.nextChanged(by: instant(second)) {
        #expect(found.updateValue(second, forKey: slot) == nil)
      }
    }
    #expect(found == wanted)
    #expect(table.nextLabels == nil)
  }

  @Test("a clock set back refreshes every label, and hides clocks in time")
  func clockBack() {
    var table = SceneTable(fingerprint: Fingerprint(epoch: 1), limits: EngineLimits())
    let slot = insert(scene("main"), into: &table)
    table[slot].rendering.labelsChangeAt = instant(100)
    table[slot].viewpoint.moving = [1: instant(90), 2: instant(5)]
    table.expectLabels(slot)
    let version = table[slot].rendering.version
    table.clockWentBack(clockHides: instant(11))
    #expect(table.nextLabels == nil && table[slot].rendering.version == version + 1)
    #expect(table[slot].viewpoint.moving == [1: instant(11), 2: instant(5)])
  }
}

extension EngineHarness {
  /// Returns the scenes that views show, in order.
  var scenes: [Scene] { engine.scenes.all.map { engine.scenes[$0] } }
}
