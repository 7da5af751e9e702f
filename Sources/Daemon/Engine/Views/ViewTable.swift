/// The open views, side by side: those of a scene are gone through without looking any of them up.
struct ViewTable {
  /// Where a view has gone and none has come in its place: one that nobody shows.
  private var slots: [View] = []
  private var free: [ViewSlot] = []
  private var places = ViewMap()

  /// How many views are open.
  var count: Int { places.count }

  /// Whether no view is open.
  var isEmpty: Bool { places.count == 0 }

  /// Where the view called `id` lies; nil if it is not open.
  func slot(of id: ViewID) -> ViewSlot? { places[id].map { ViewSlot(index: $0) } }

  /// The view in a slot, which must be taken.
  subscript(slot: ViewSlot) -> View {
    _read { yield slots[slot.index] }
    _modify { yield &slots[slot.index] }
  }

  /// Puts a view in; none with its id may be open.
  mutating func insert(_ view: View) -> ViewSlot {
    let slot = free.popLast() ?? ViewSlot(index: slots.count)
    if slot.index == slots.count { slots.append(view) } else { slots[slot.index] = view }
    places.set(view.id, to: slot.index)
    return slot
  }

  /// Takes a view out.
  mutating func remove(_ slot: ViewSlot) {
    places.remove(self[slot].id)
    slots[slot.index] = View.nobody
    free.append(slot)
  }

  /// The slots that are taken, in an order that is the same in every process. O(views).
  var all: [ViewSlot] { slots.indices.compactMap { slots[$0].scene == .none ? nil : ViewSlot(index: $0) } }
}
