internal import Posts
internal import ViewState

/// Current and saved places of a session.
struct SessionPlaces {
  /// Places as of the last update from ``lastUsed``.
  var current: Places
  /// Places that the store has, or is saving.
  private(set) var saved: Places
  /// The view that was used last, if it is open: its places are those of the session.
  var lastUsed: ViewSlot?
  private(set) var isSaving = false

  /// Starts from saved places.
  init(_ saved: Places = Places()) {
    current = saved
    self.saved = saved
  }

  /// True if the current places differ from the saved ones.
  var areUnsaved: Bool { current != saved }

  /// Begins to save places.
  mutating func beginSaving(_ places: Places) {
    isSaving = true
    saved = places
  }

  /// Ends a save that failed: what the store has is unknown.
  mutating func saveFailed() {
    isSaving = false
    saved = Places()
  }

  /// Ends a save that succeeded at a revision; `read` is the reading position that a command set with it.
  mutating func saveEnded(at revision: UInt64, _ read: (section: Section, anchor: RowAnchor)?) {
    isSaving = false
    if let read, current.readings[read.section].map({ read.anchor.isBeyond($0.anchor) }) ?? true {
      current.readings[read.section] = Places.Reading(anchor: read.anchor, revision: nil)
    }
    for (section, reading) in saved.readings where reading.revision == nil {
      saved.readings[section]?.revision = revision
      if current.readings[section]?.anchor == reading.anchor { current.readings[section]?.revision = revision }
    }
  }
}
