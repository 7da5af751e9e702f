/// Where a view lies in the engine's table, for as long as it is open.
struct ViewSlot: Hashable {
  let index: Int
}
