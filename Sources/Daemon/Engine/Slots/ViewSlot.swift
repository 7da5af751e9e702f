/// Index of a view in the engine's table, valid as long as it is open.
struct ViewSlot: Hashable {
  let index: Int
}
