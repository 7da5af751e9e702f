/// Where a scene lies in the engine's table, for as long as views show it.
struct SceneSlot: Hashable, Comparable {
  let index: Int

  /// Where no scene is.
  static let none = SceneSlot(index: -1)

  static func < (one: SceneSlot, other: SceneSlot) -> Bool { one.index < other.index }
}
