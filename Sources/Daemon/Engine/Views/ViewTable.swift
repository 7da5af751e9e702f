/// The open views, stored contiguously: the members of a scene are visited without a lookup.
struct ViewTable {
  /// Views by slot; a free slot holds a placeholder.
  private var slots: [View] = []
  private var free: [ViewSlot] = []
  private var places = ViewMap()

  /// Number of open views.
  var count: Int { places.count }

  /// True if no view is open.
  var isEmpty: Bool { places.count == 0 }

  /// Returns the slot of a view; nil if it is not open.
  func slot(of id: ViewID) -> ViewSlot? { places[id].map { ViewSlot(index: $0) } }

  /// The view in a slot, which must be taken.
  subscript(slot: ViewSlot) -> View {
    _read { yield slots[slot.index] }
    _modify { yield &slots[slot.index] }
  }

  /// Adds a view; none with its id may be open.
  mutating func insert(_ view: View) -> ViewSlot {
    let slot = free.popLast() ?? ViewSlot(index: slots.count)
    if slot.index == slots.count { slots.append(view) } else { slots[slot.index] = view }
    places.set(view.id, to: slot.index)
    return slot
  }

  /// Removes a view.
  mutating func remove(_ slot: ViewSlot) {
    places.remove(self[slot].id)
    slots[slot.index] = View.placeholder
    free.append(slot)
  }

  /// Taken slots, in an order that is the same in every process. O(views).
  var all: [ViewSlot] { slots.indices.compactMap { slots[$0].scene == .none ? nil : ViewSlot(index: $0) } }
}
