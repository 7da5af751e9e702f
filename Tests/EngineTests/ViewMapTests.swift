import Engine
import TestSupport
import Testing

@Suite("View map")
struct ViewMapTests {
  @Test("matches a dictionary under any insertions and removals", arguments: seeds(0..<20))
  func model(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var map = ViewMap()
    var model: [UInt64: Int] = [:]
    var open: [UInt64] = []
    var next: UInt64 = 1
    for step in 0..<3000 {
      // Requests get numbers too: there are gaps, and some numbers belong to views that were closed long ago.
      if Int.random(in: 0..<100, using: &random) < (step / 500 % 2 == 0 ? 70 : 30) {
        next += UInt64.random(in: 1...(seed % 2 == 0 ? 1 : 1 << 40), using: &random)
        map.set(ViewID(next), to: step)
        model[next] = step
        open.append(next)
      } else if !open.isEmpty {
        let gone = open.remove(at: Int.random(in: 0..<open.count, using: &random))
        #expect(map.remove(ViewID(gone)) == model.removeValue(forKey: gone))
        #expect(map.remove(ViewID(gone)) == nil)
      }
      if step % 250 == 0 {
        for (number, place) in model { #expect(map[ViewID(number)] == place) }
        #expect(map[ViewID(next + 1)] == nil)
      }
      #expect(map.count == model.count)
    }
    if let known = model.keys.min() {
      map.set(ViewID(known), to: -7)
      #expect(map[ViewID(known)] == -7 && map.count == model.count)
    }
    for number in model.keys { map.remove(ViewID(number)) }
    #expect(map.count == 0 && model.keys.allSatisfy { map[ViewID($0)] == nil })
  }
}
