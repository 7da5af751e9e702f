/// Index of a scene in the engine's table, valid as long as views show it.
struct SceneSlot: Hashable, Comparable {
  let index: Int

  /// No scene.
  static let none = SceneSlot(index: -1)

  static func < (one: SceneSlot, other: SceneSlot) -> Bool { one.index < other.index }
}
