internal import Posts
internal import ViewState

/// Where a session is looked at, and what the store has of that.
struct SessionPlaces {
  /// As of the last time that this was asked for.
  var current: Places
  /// What the store has, or is being given.
  private(set) var saved: Places
  /// The view that was used last, if it is open: where it looks is where the session is looked at.
  var lastUsed: ViewSlot?
  private(set) var isSaving = false

  /// As they were saved.
  init(_ saved: Places = Places()) {
    current = saved
    self.saved = saved
  }

  /// Whether the store has something else.
  var areUnsaved: Bool { current != saved }

  /// Begins to save places.
  mutating func beginSaving(_ places: Places) {
    isSaving = true
    saved = places
  }

  /// They could not be saved: what the store has is not known.
  mutating func saveFailed() {
    isSaving = false
    saved = Places()
  }

  /// They were saved at a revision, and with them how far a section was read where a command said so.
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
